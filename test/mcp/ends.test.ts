/** The client goes, the MCP server ends or hangs, signals come: no call runs for nobody, and who waits is told why. */
import { afterEach, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { makeServerFolder, textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

it('P4: a client that closes its end while a call waits: the request is withdrawn, and the server ends', async () => {
  gated = await openGatedProxies()
  const folder = makeServerFolder()
  const proxy = gated.start({ folder })
  proxy.call('append', { line: 'a' })
  const [request] = await gated.pending()
  proxy.closeInput()
  expect(await proxy.ended).toEqual({ code: 0, signal: null })
  expect(await gated.request(request!.id)).toMatchObject({ state: 'cancelled' })
  await expect(gated.approve(request!.id)).rejects.toThrow()
  expect(folder.effects().filter((line) => line.startsWith('append'))).toEqual([])
  folder.remove()
})

it('P4: a client that closes its end right behind a call: what would be asked about is withdrawn, what is allowed runs', async () => {
  gated = await openGatedProxies()
  const folder = makeServerFolder()
  const proxy = gated.start({ folder })
  const allowed = proxy.call('read', {})
  proxy.call('append', { line: 'a' })
  proxy.closeInput()
  expect(textOf(await allowed.answer)).toBe('read done')
  await proxy.ended
  const { items } = await gated.http.setup.store.list({ state: 'pending' })
  expect(items).toEqual([])
  expect(folder.effects().filter((line) => line.startsWith('append'))).toEqual([])
  folder.remove()
})

it('P4: a proxy that is killed while a call waits: the approval runs nothing', async () => {
  gated = await openGatedProxies()
  const folder = makeServerFolder()
  const proxy = gated.start({ folder })
  proxy.call('append', { line: 'a' })
  const [request] = await gated.pending()
  proxy.signal('SIGKILL')
  const server = folder.pid()
  expect((await proxy.ended).signal).toBe('SIGKILL')
  await until(() => !isAlive(server), 'the MCP server to end with its proxy')
  await gated.approve(request!.id).catch(() => {})
  // Another proxy of the same name is another session: it takes nothing up.
  const other = gated.start({ folder })
  expect(textOf(await other.call('read', {}).answer)).toBe('read done')
  const again = other.call('append', { line: 'a' })
  await until(async () => (await gated.pending()).some(({ id }) => id !== request!.id))
  expect(folder.effects()).toEqual(['read {}'])
  other.notify('notifications/cancelled', { requestId: again.id })
  folder.remove()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('P4: a signal goes to the server, whose status is the proxy’s; what waits is withdrawn', async () => {
  gated = await openGatedProxies()
  const folder = makeServerFolder()
  const proxy = gated.start({ folder })
  proxy.call('append', { line: 'a' })
  const [request] = await gated.pending()
  proxy.signal('SIGTERM')
  expect(await proxy.ended).toEqual({ code: 0, signal: null })
  expect(folder.effects()).toEqual(['SIGTERM'])
  expect(await gated.request(request!.id)).toMatchObject({ state: 'cancelled' })
  folder.remove()
})

it('a server that ends in the middle of calls: each is answered with that, and the status is passed on', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  const running = proxy.call('slow', { key: 'k' })
  const [request] = await gated.pending()
  await gated.approve(request!.id)
  await until(() => proxy.folder.effects().length === 1)
  const muted = proxy.call('mute', {})
  const waiting = proxy.call('append', { line: 'a' })
  const [open] = await gated.pending()
  await until(() => proxy.folder.effects().length === 2)
  proxy.notify('test/exit', { code: 7 })
  for (const { answer } of [running, muted]) {
    const { result } = await answer
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toMatch(/ended before it answered.*may have had its effect/)
    expect(result.content[0].text).not.toMatch(/did not run/)
  }
  expect(textOf(await waiting.answer)).toMatch(/ended.*did not run/)
  expect(await proxy.ended).toEqual({ code: 7, signal: null })
  expect((await gated.request(request!.id)).state).toBe('done')
  expect((await gated.request(open!.id)).state).toBe('cancelled')
})

it('a server that is killed: the status is that of a shell', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  proxy.notify('test/kill', {})
  expect(await proxy.ended).toEqual({ code: 137, signal: null })
  expect(proxy.errors()).toMatch(/ended by SIGKILL/)
})

it('a server that can’t be started: 127, and why', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start({ command: ['/nowhere/at-all'] })
  expect(await proxy.ended).toEqual({ code: 127, signal: null })
  expect(proxy.errors()).toMatch(/could not be started/)
})

it('the last answers reach a client that reads late, though the server has ended', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  await proxy.request('ping', {})
  proxy.pause()
  const before = proxy.output().length
  const text = Array.from(
    { length: 3000 },
    (_, index) => `{"jsonrpc":"2.0","method":"n","params":{"i":${index}}}\n`,
  ).join('')
  proxy.notify('test/print', { text })
  proxy.notify('test/exit', { code: 0 })
  await until(() => proxy.folder.got().toString().includes('test/exit'))
  proxy.resume()
  await proxy.ended
  expect(proxy.output().subarray(before).toString()).toBe(text)
})

it('what a server has started ends with it, also where the server itself has gone', async () => {
  gated = await openGatedProxies()
  // The shell ends at once; what it has started keeps its output open.
  const proxy = gated.start({ command: ['/bin/sh', '-c', 'sleep 600 & exit 3'] })
  proxy.closeInput()
  expect(await proxy.ended).toEqual({ code: 3, signal: null })
})

it('a server that ends in the middle of a line: that line is left out, and what is said of its calls can be read', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  const { answer } = proxy.call('mute', {})
  await until(() => proxy.folder.effects().length === 1)
  proxy.notify('test/print', { text: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te' })
  proxy.notify('test/exit', { code: 1 })
  expect(textOf(await answer)).toMatch(/ended before it answered/)
  expect((await proxy.ended).code).toBe(1)
  expect(proxy.errors()).toMatch(/in the middle of a line/)
})

it('a server that lists nothing: its tools are called as what nobody knows', async () => {
  gated = await openGatedProxies()
  const folder = makeServerFolder()
  folder.setPages([])
  const proxy = gated.start({ folder })
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  folder.remove()
})

it('starting it has no effect: no session, no request, no token is used before the first call', async () => {
  gated = await openGatedProxies()
  const { store } = gated.http.setup
  const entries = async () =>
    (
      await Promise.all((await store.journal.chains()).map(({ chain }) => store.journal.read(chain, 0, 1000)))
    ).flat().length
  const before = await entries()
  for (let time = 0; time < 2; time++) {
    const proxy = gated.start()
    await proxy.request('server/discover', {})
    await proxy.request('initialize', {})
    await proxy.request('tools/list', {})
    proxy.closeInput()
    await proxy.ended
  }
  expect(await entries()).toBe(before)
})
