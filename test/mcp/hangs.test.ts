/** The Banksman server or the MCP server takes what it is sent and says nothing, or so slowly that nobody can wait for it. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type FaultyServer, startFaultyServer } from '../guard/faulty-server.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type Any, type McpProxy, textOf } from './proxy-driver.ts'

let gated: GatedProxies
let faulty: FaultyServer | undefined
afterEach(async () => {
  await gated.close()
  await faulty?.close()
  faulty = undefined
})

async function open(words: string[] = []): Promise<McpProxy> {
  gated = await openGatedProxies()
  faulty = await startFaultyServer(gated.http.server.address.url)
  return gated.start({ environment: { BANKSMAN_URL: faulty.url }, words })
}

const appended = (proxy: McpProxy) => proxy.folder.effects().filter((line) => line.startsWith('append'))

describe('the Banksman server', () => {
  it.each(['hangs', 'trickles'] as const)(
    'P5: %s when a call is asked about: refused with that, and nothing runs, not when it is over either',
    async (fault) => {
      const proxy = await open()
      faulty!.fail(/holds$/, fault)
      const answer = await proxy.call('read', {}).answer
      expect(answer.result.isError).toBe(true)
      expect(textOf(answer)).toMatch(/did not answer within 15 s/)
      expect(proxy.folder.effects()).toEqual([])
      // The proxy goes on: the same call is asked about again, and runs once.
      expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
      expect(proxy.folder.effects()).toEqual(['read {}'])
    },
  )

  it('an answer that comes byte by byte is an answer', async () => {
    const proxy = await open()
    faulty!.fail(/holds$/, 'slowly', 'slowly', 'slowly')
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    expect(textOf(await call.answer)).toBe('append done')
    expect(appended(proxy)).toEqual(['append {"line":"a"}'])
  })

  it('P4: hangs while a call waits and is approved: the model is told to repeat it, and the repeat runs it once', async () => {
    const proxy = await open(['--hold', '1s'])
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    faulty!.fail(/holds$/, 'hangs')
    await until(() => faulty!.seen.some((one) => one.endsWith('hangs')), 'the wait that hangs')
    await gated.approve(request!.id)
    const ticket = await gated.waited(call.answer)
    expect(textOf(ticket)).toMatch(/Not refused/)
    expect(appended(proxy)).toEqual([])
    expect(textOf(await proxy.call('append', { line: 'a' }).answer)).toBe('append done')
    expect(appended(proxy)).toEqual(['append {"line":"a"}'])
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
  })

  it('P4: hangs when it is told the outcome: the client has its answer, and the outcome is told later', async () => {
    const proxy = await open()
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    faulty!.fail(/outcome$/, 'trickles')
    await gated.approve(request!.id)
    expect(textOf(await call.answer)).toBe('append done')
    await until(async () => (await gated.request(request!.id)).state === 'done')
    expect(appended(proxy)).toHaveLength(1)
  })

  it('hangs when it is asked what to hide: all tools are listed, and what is denied is denied all the same', async () => {
    const proxy = await open()
    faulty!.fail(/tools$/, 'hangs')
    const { result } = await proxy.request('tools/list', {})
    expect(result.tools.map(({ name }: Any) => name)).toContain('secret')
    expect(JSON.parse(textOf(await proxy.call('secret', {}).answer)).state).toBe('denied')
    expect(proxy.folder.effects()).toEqual([])
  })
})

describe('the MCP server', () => {
  it('P4: answers nothing any more: other calls wait for people meanwhile, and the client can leave', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const muted = proxy.call('mute', {})
    await until(() => proxy.folder.effects().length === 1)
    proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    proxy.closeInput()
    expect(await proxy.ended).toEqual({ code: 0, signal: null })
    expect(await gated.request(request!.id)).toMatchObject({ state: 'cancelled' })
    expect(proxy.messages().find(({ id }) => id === muted.id)?.result).toMatchObject({ isError: true })
  })

  it('P4: reads nothing any more: no call is lost or sent twice, and the client can leave', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    proxy.notify('test/stop-reading', {})
    // More than pipes hold.
    const line = 'x'.repeat(500_000)
    const calls = Array.from({ length: 8 }, (_, index) => proxy.call('append', { line, index }))
    for (const { id } of await gated.pending(calls.length)) await gated.approve(id)
    const { store } = gated.http.setup
    await until(
      async () => (await store.list({ state: 'running', limit: 20 })).items.length === calls.length,
      'the claims',
    )
    proxy.closeInput()
    await proxy.ended
    expect(appended(proxy).length).toBeLessThanOrEqual(calls.length)
    for (const { id } of calls) {
      const answers = proxy.messages().filter((one) => one.id === id)
      expect(answers).toHaveLength(1)
      expect(textOf(answers[0])).toMatch(/may have had its effect/)
    }
    expect((await store.list({ state: 'running', limit: 20 })).items).toEqual([])
  })
})
