/** The Banksman server or the MCP server takes what it is sent and says nothing, or so slowly that nobody can wait for it. */
import { describe, expect, it, type TestContext } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type FaultyServer, startFaultyServer } from '../guard/faulty-server.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type Any, type McpProxy, textOf } from './proxy-driver.ts'

interface Opened {
  gated: GatedProxies
  proxy: McpProxy
  faulty: FaultyServer
}

/** They wait side by side, so each test has its own. */
async function open({ onTestFinished }: TestContext, words: string[] = []): Promise<Opened> {
  const gated = await openGatedProxies()
  const faulty = await startFaultyServer(gated.http.server.address.url)
  onTestFinished(async () => {
    await gated.close()
    await faulty.close()
  })
  return { gated, faulty, proxy: gated.start({ environment: { BANKSMAN_URL: faulty.url }, words }) }
}

async function openPlain({ onTestFinished }: TestContext): Promise<Omit<Opened, 'faulty'>> {
  const gated = await openGatedProxies()
  onTestFinished(() => gated.close())
  return { gated, proxy: gated.start() }
}

const appended = (proxy: McpProxy) => proxy.folder.effects().filter((line) => line.startsWith('append'))

describe.concurrent('the Banksman server', () => {
  it.for(['hangs', 'trickles'] as const)(
    'P5: %s when a call is asked about: refused with that, and nothing runs, not when it is over either',
    async (fault, context) => {
      const { proxy, faulty } = await open(context)
      faulty.fail(/holds$/, fault)
      const answer = await proxy.call('read', {}).answer
      expect(answer.result.isError).toBe(true)
      expect(textOf(answer)).toMatch(/did not answer within 15 s/)
      expect(proxy.folder.effects()).toEqual([])
      // The proxy goes on: the same call is asked about again, and runs once.
      expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
      expect(proxy.folder.effects()).toEqual(['read {}'])
    },
  )

  it('an answer that comes byte by byte is an answer', async (context) => {
    const { proxy, gated, faulty } = await open(context)
    faulty.fail(/holds$/, 'slowly', 'slowly', 'slowly')
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    expect(textOf(await call.answer)).toBe('append done')
    expect(appended(proxy)).toEqual(['append {"line":"a"}'])
  })

  it('P4: hangs while a call waits and is approved: the model is told to repeat it, and the repeat runs it once', async (context) => {
    const { proxy, gated, faulty } = await open(context, ['--hold', '1s'])
    // The first opens the request, the second waits for its decision.
    faulty.fail(/holds$/, 'passes', 'hangs')
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    await until(() => faulty.seen.some((one) => one.endsWith('hangs')), 'the wait that hangs')
    await gated.approve(request!.id)
    const ticket = await gated.waited(call.answer)
    expect(textOf(ticket)).toMatch(/Not refused/)
    expect(appended(proxy)).toEqual([])
    expect(textOf(await proxy.call('append', { line: 'a' }).answer)).toBe('append done')
    expect(appended(proxy)).toEqual(['append {"line":"a"}'])
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
  })

  it('P4: hangs when it is told the outcome: the client has its answer, and the outcome is told later', async (context) => {
    const { proxy, gated, faulty } = await open(context)
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    faulty.fail(/outcome$/, 'trickles')
    await gated.approve(request!.id)
    expect(textOf(await call.answer)).toBe('append done')
    await until(async () => (await gated.request(request!.id)).state === 'done')
    expect(appended(proxy)).toHaveLength(1)
  })

  it('hangs when it is asked what to hide: all tools are listed, and what is denied is denied all the same', async (context) => {
    const { proxy, faulty } = await open(context)
    faulty.fail(/tools$/, 'hangs')
    const { result } = await proxy.request('tools/list', {})
    expect(result.tools.map(({ name }: Any) => name)).toContain('secret')
    expect(JSON.parse(textOf(await proxy.call('secret', {}).answer)).state).toBe('denied')
    expect(proxy.folder.effects()).toEqual([])
  })
})

describe.concurrent('the MCP server', () => {
  it('P4: answers nothing any more: other calls wait for people meanwhile, and the client can leave', async (context) => {
    const { proxy, gated } = await openPlain(context)
    const muted = proxy.call('mute', {})
    await until(() => proxy.folder.effects().length === 1)
    proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    proxy.closeInput()
    expect(await proxy.ended).toEqual({ code: 0, signal: null })
    expect(await gated.request(request!.id)).toMatchObject({ state: 'cancelled' })
    expect(proxy.messages().find(({ id }) => id === muted.id)?.result).toMatchObject({ isError: true })
  })

  it('P4: reads nothing any more: no call is lost or sent twice, and the client can leave', async (context) => {
    const { proxy, gated } = await openPlain(context)
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
    // The proxy has heard of them, too: this was answered later.
    expect((await proxy.call('secret', {}).answer).result.isError).toBe(true)
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

  it('never answers tools/list: a call goes on without a definition; what answers our own question comes from the server only, and its id is in use', async (context) => {
    const { proxy } = await openPlain(context)
    const { folder } = proxy
    folder.file('list-never', '')
    const call = proxy.call('read', {})
    const own = () =>
      /^\{"jsonrpc":"2.0","id":([^,]+),"method":"tools\/list"/m.exec(folder.got().toString())?.[1]
    await until(() => own() !== undefined, 'the question of the proxy')
    const id = own()!
    const tools = '[{"name":"append","annotations":{"readOnlyHint":true}}]'
    proxy.send(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}\n`)
    proxy.send({
      id: JSON.parse(id),
      method: 'tools/call',
      params: { name: 'append', arguments: { line: 'x' } },
    })
    expect((await proxy.answer(JSON.parse(id))).error.message).toMatch(/id is in use/)
    expect(textOf(await call.answer)).toBe('read done')
    // Also when it was not answered in time: its answer may still come.
    proxy.send(`{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"late":true}}\n`)
    await proxy.request('ping', {})
    expect(folder.got().toString()).not.toContain('late')
    expect(appended(proxy)).toEqual([])
  })
})
