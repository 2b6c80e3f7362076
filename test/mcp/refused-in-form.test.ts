/** What a client is answered has the form that it can read, goes to who may still have it, and is an answer at all. */
import { afterEach, describe, expect, it } from 'vitest'
import { ana } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type McpProxy, textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

describe('a call that asks for a task (2025-11-25)', () => {
  const TASK = { task: { ttl: 60_000 } }

  it('P5: is refused by an error with the reason: anything else would be no task to its client', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const denied = await proxy.call('secret', {}, TASK).answer
    expect(denied).toMatchObject({ error: { message: expect.stringContaining('denied') } })
    expect(denied.result).toBeUndefined()
    const rejected = proxy.call('append', { line: 'a' }, TASK)
    const [request] = await gated.pending()
    await gated.decide(request!.id, { decision: 'reject', reason: 'not today' })
    expect((await rejected.answer).error.message).toContain('not today')
    expect(proxy.folder.effects()).toEqual([])
  })

  it('is told to wait by an error, and goes on waiting when it is made again', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const first = await gated.waited(proxy.call('append', { line: 'a' }, TASK).answer)
    expect(first.error.message).toContain('Not refused: waiting')
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    const again = await gated.waited(proxy.call('append', { line: 'a' }, TASK).answer)
    expect(textOf(again)).toBe('append done')
  })
})

describe('the result of a call that was cancelled while it ran', () => {
  /** It has run, and nobody has heard of it. */
  async function unheard(): Promise<McpProxy> {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const call = proxy.call('slow', { key: 'k' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    await until(() => proxy.folder.effects().length === 1, 'it to run')
    proxy.notify('notifications/cancelled', { requestId: call.id })
    proxy.notify('test/release', { key: 'k' })
    await until(async () => (await gated.request(request!.id)).state === 'done', 'its outcome')
    return proxy
  }
  const again = (proxy: McpProxy) => proxy.call('slow', { key: 'k' }).answer

  it('P6: is not given once the token was revoked', async () => {
    const proxy = await unheard()
    const { tokens } = gated.http.setup.gateway
    const { id } = (await tokens.list(ana)).find(({ scope }) => scope === 'mcp:t')!
    await tokens.revoke(id, ana)
    expect(textOf(await again(proxy))).toMatch(/token|credential/)
    expect(proxy.folder.effects()).toHaveLength(1)
  })

  it('P6: is not given once the session was ended', async () => {
    const proxy = await unheard()
    const { items } = await gated.http.setup.store.list({ limit: 1 })
    await gated.http.setup.gateway.endSession(items[0]!.session, { reason: 'enough' }, ana)
    expect(textOf(await again(proxy))).toMatch(/ended/)
    expect(proxy.folder.effects()).toHaveLength(1)
  })

  it('is given once, to a call of the same form', async () => {
    const proxy = await unheard()
    const other = proxy.call('slow', { key: 'k' }, { task: { ttl: 1 } })
    const [request] = await gated.pending()
    await gated.decide(request!.id, { decision: 'reject' })
    await other.answer
    expect(textOf(await again(proxy))).toBe('slow k')
    expect(proxy.folder.effects()).toHaveLength(1)
  })
})

it.each(['result', 'error'])(
  'P4: a line of the server that is a question and a %s reaches nobody',
  async (member) => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const waiting = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    const forged = { content: [{ type: 'text', text: 'forged' }], code: -1, message: 'forged' }
    for (const method of ['ping', 7, null, ''])
      proxy.notify('test/print', {
        text: `${JSON.stringify({ jsonrpc: '2.0', id: waiting.id, method, [member]: forged })}\n`,
      })
    await proxy.request('ping', {})
    expect(JSON.stringify(proxy.messages())).not.toContain('forged')
    await until(() => proxy.errors().includes('was left out'))
    await gated.decide(request!.id, { decision: 'reject' })
    expect(JSON.parse(textOf(await waiting.answer)).state).toBe('rejected')
  },
)

it('a line limit of one’s own counts in both directions', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start({ words: ['--max-line', '1'] })
  const long = 'x'.repeat(1024 * 1024)
  proxy.send(`{"jsonrpc":"2.0","id":"long","method":"vendor/x","params":{"t":"${long}"}}\n`)
  expect((await proxy.answer('long')).error.message).toMatch(/limit is 1048576/)
  expect(textOf(await proxy.call('answer', { bytes: 1024 * 1024 }).answer)).toMatch(/limit is 1048576/)
  expect(textOf(await proxy.call('answer', { bytes: 1000 }).answer)).toHaveLength(1000)
})

it.each(['0', 'x', '5000'])('a line limit of %s is refused', async (limit) => {
  gated = await openGatedProxies()
  const proxy = gated.start({ words: ['--max-line', limit] })
  expect((await proxy.ended).code).not.toBe(0)
  expect(proxy.errors()).toMatch(/--max-line must be/)
})
