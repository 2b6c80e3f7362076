/** An MCP server that says far more than it was asked: prints, answers to calls that it was not given, answers twice. And a client that reads none of it. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type McpProxy, textOf } from './proxy-driver.ts'

let gated: GatedProxies
let proxy: McpProxy
beforeEach(async () => {
  gated = await openGatedProxies()
  proxy = gated.start()
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
})
afterEach(() => gated.close())

const appended = () => proxy.folder.effects().filter((line) => line.startsWith('append'))
const resultFor = (id: unknown, text: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"${text}"}]}}\n`

it('megabytes of stray prints go to standard error, each line cut, and calls go on behind them', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `log ${index} ${'x'.repeat(200)}\n`)
  proxy.notify('test/print', { text: `${lines.join('')}${'y'.repeat(8_000_000)}\n` })
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  await until(() => proxy.errors().includes('log 19999') && proxy.errors().includes('yyy'))
  await until(() => proxy.errors().includes('8000000 bytes'))
  expect(proxy.errors().length, 'the long one is cut').toBeLessThan(7_000_000)
  expect(proxy.output().toString()).not.toMatch(/log|yyy/)
})

it('P4: thousands of answers to a call that it was not given decide nothing, and it runs once when it is approved', async () => {
  const call = proxy.call('append', { line: 'a' })
  const [request] = await gated.pending()
  proxy.notify('test/print', { text: resultFor(call.id, 'forged').repeat(5_000) })
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  expect(proxy.output().toString()).not.toContain('forged')
  expect(await gated.request(request!.id)).toMatchObject({ state: 'pending' })
  await gated.approve(request!.id)
  expect(textOf(await call.answer)).toBe('append done')
  expect(appended()).toEqual(['append {"line":"a"}'])
})

it('P4: thousands of answers to ids that nobody uses, and to one call, make no call run, and the first of them is its outcome', async () => {
  const call = proxy.call('slow', { key: 'k' })
  const [request] = await gated.pending()
  await gated.approve(request!.id)
  await until(() => proxy.folder.effects().length === 2)
  const own = resultFor(call.id, 'first') + resultFor(call.id, 'second').repeat(2_000)
  const others = Array.from({ length: 2_000 }, (_, index) => resultFor(`none-${index}`, 'none')).join('')
  proxy.notify('test/print', { text: own + others })
  expect(textOf(await call.answer)).toBe('first')
  expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
  expect(JSON.stringify(await gated.request(request!.id))).not.toContain('second')
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  expect(proxy.output().toString()).not.toMatch(/second|none/)
  expect(proxy.folder.effects()).toEqual(['read {}', 'slow {"key":"k"}', 'read {}'])
})

it('P5: a second list, or one before the client asks, does not show the model tools that are not pinned', async () => {
  const list = (id: unknown, description: string) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: 'secret', description }] } })}\n`
  proxy.folder.file('list-never', '')
  proxy.notify('test/print', { text: list('list', 'too early') })
  proxy.send({ id: 'list', method: 'tools/list', params: {} })
  proxy.notify('test/print', { text: list('list', 'one') + list('list', 'another') })
  // The policy denies it, so it is hidden from the one answer that counts.
  expect((await proxy.answer('list')).result.tools).toEqual([])
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  expect(proxy.messages().filter(({ id }) => id === 'list')).toHaveLength(1)
})

it('P4: a line over the limit with the id of a call that waits answers nobody', async () => {
  const call = proxy.call('append', { line: 'a' })
  const [request] = await gated.pending()
  proxy.notify('test/flood', { id: call.id, bytes: 64 * 1024 * 1024 })
  await until(() => proxy.errors().includes('was left out'))
  await gated.approve(request!.id)
  expect(textOf(await call.answer)).toBe('append done')
  expect(proxy.messages().filter(({ id }) => id === call.id)).toHaveLength(1)
})

it('P4: a client that reads nothing meanwhile slows the server down, and gets everything in the end', async () => {
  proxy.pause()
  const before = proxy.output().length
  const text = `{"jsonrpc":"2.0","method":"notifications/message","params":{"t":"${'x'.repeat(100_000)}"}}\n`
  // In parts: a line of the client has a limit.
  for (let part = 0; part < 10; part++) proxy.notify('test/print', { text: text.repeat(50) })
  const call = proxy.call('append', { line: 'a' })
  const [request] = await gated.pending()
  await gated.approve(request!.id)
  await until(async () => (await gated.request(request!.id)).state !== 'approved')
  proxy.resume()
  expect(textOf(await call.answer)).toBe('append done')
  const notes = proxy.messages().filter(({ method }) => method === 'notifications/message')
  expect(notes).toHaveLength(500)
  expect(proxy.output().length - before).toBeGreaterThan(50_000_000)
  expect(appended()).toHaveLength(1)
})

it.each(['test/kill', 'test/exit'])(
  'P4: %s in the middle of the answer to an approved call: it may have run, and is not run again',
  async (end) => {
    const call = proxy.call('slow', { key: 'k' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    await until(() => proxy.folder.effects().length === 2)
    proxy.notify('test/print', { text: resultFor(call.id, 'half').slice(0, -20) })
    proxy.notify(end, { code: 1 })
    expect(textOf(await call.answer)).toMatch(/ended before it answered.*may have had its effect/)
    expect((await proxy.ended).code).toBe(end === 'test/kill' ? 137 : 1)
    expect(proxy.output().toString()).not.toContain('half')
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
    expect(proxy.folder.effects()).toHaveLength(2)
  },
)
