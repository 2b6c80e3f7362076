/** What goes through `banksman mcp` unchanged, in both directions. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

it('carries lines of the client as they are: methods, fields, ids, digits, escapes and order that nobody knows', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  const lines = [
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n',
    '{"id":1,"method":"ping","jsonrpc":"2.0"}\n',
    '{"jsonrpc":"2.0","id":"1","method":"ping","params":{"big":12345678901234567890,"one":1.0,"tiny":1e-400}}\r\n',
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"no\\u0074/known","params":[1,2],"extra":{"b":1,"a":2}}\n',
    '  {"jsonrpc":"2.0","method":"notifications/unknown","params":{"text":"\\ud83d\\ude00 \u2028 é \\u0000"}} \n',
    '{"jsonrpc":"2.0","id":2.50,"method":"tasks/get","params":{"taskId":"t"}}\n',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}\n',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"arguments":{"a":1.0,"b":"\\u0041"},"_meta":{"x":1.50},"name":"read","task":{"ttl":1}}}\n',
    `{"jsonrpc":"2.0","id":4,"method":"big","params":{"text":"${'é'.repeat(10_000_000)}"}}\n`,
  ]
  for (const line of lines.slice(0, -2)) proxy.send(line)
  await proxy.answer('1')
  for (const line of lines.slice(-2)) proxy.send(line)
  await Promise.all([proxy.answer(3), proxy.answer(4)])
  const got = proxy.folder.got().toString()
  expect(got.startsWith(lines.slice(0, -2).join(''))).toBe(true)
  for (const line of lines) expect(got.includes(line), line.slice(0, 100)).toBe(true)
  // Beside them only our own question for the tools.
  const own = got.replace(/\{"jsonrpc":"2.0","id":\d+,"method":"tools\/list"[^\n]*\n/, '')
  expect(own.length).toBe(lines.join('').length)
})

it('carries lines of the server as they are, and its stray prints to standard error', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  const lines = [
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"n":1.0,"big":12345678901234567890,"t":"\\u00e9"}}\n',
    ' {"id":12345678901234567890,"result":{"b":1,"a":[1e2]},"jsonrpc":"2.0","extra":1}\r\n',
    '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}\n',
    '{"jsonrpc":"2.0","id":"1","method":"roots/list"}\n',
    `{"jsonrpc":"2.0","method":"notifications/long","params":{"t":"${'x'.repeat(20_000_000)}"}}\n`,
  ]
  // An answer is carried to whoever has asked.
  proxy.send('{"jsonrpc":"2.0","id":12345678901234567890,"method":"test/release"}\n')
  const stray = ['listening…\n', '[1,2]\n', '\n', '"text"\n']
  proxy.notify('test/print', { text: lines.flatMap((line, index) => [stray[index] ?? '', line]).join('') })
  const wanted = Buffer.byteLength(lines.join(''))
  await until(() => proxy.outputLength() >= wanted)
  expect(proxy.output().toString()).toBe(lines.join(''))
  await until(() => proxy.errors().includes('listening'))
  expect(proxy.errors()).toContain('[1,2]')
})

it.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])(
  'carries a question of the server (%s) with the id of the call that waits, and its answer',
  async (method) => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const { id, answer } = proxy.call('ask', { method })
    await until(() => proxy.messages().some((one) => one.id === id && one.method === method))
    proxy.send({ id, result: { action: 'cancel' } })
    expect(textOf(await answer)).toBe('{"action":"cancel"}')
  },
)

it('puts no answer out of memory: a client that reads slowly slows the server down', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  await proxy.call('read', {}).answer
  proxy.pause()
  const calls = Array.from({ length: 100 }, () => proxy.call('answer', { bytes: 5_000_000 }))
  // Half a gigabyte is under way now, in the server. Afterwards memory would say more of the collector of garbage than of us.
  await until(() => proxy.folder.effects().length === 101)
  expect(await settledMemoryOf(proxy.pid)).toBeLessThan(300_000)
  proxy.resume()
  for (const { answer } of calls) expect(textOf(await answer)).toHaveLength(5_000_000)
})

/** In kilobytes, when it no longer grows. */
async function settledMemoryOf(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0
  const read = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)
  let last = read()
  for (let look = 0; look < 100; look++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const now = read()
    if (now <= last) return now
    last = now
  }
  return last
}

it('a line over the limit fails its own call, in both directions, and the pipe goes on', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  const long = 'x'.repeat(64 * 1024 * 1024)
  proxy.send(
    `{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"read","arguments":{"t":"${long}"}}}\n`,
  )
  expect((await proxy.answer('long')).error.message).toMatch(/limit is 67108864/)
  const answer = await proxy.call('answer', { bytes: 64 * 1024 * 1024 }).answer
  expect(answer.result.isError).toBe(true)
  expect(textOf(answer)).toMatch(/left out: the limit is 67108864/)
  expect(textOf(answer)).not.toMatch(/did not run/)
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  expect(proxy.folder.effects()).toEqual(['answer {"bytes":67108864}', 'read {}'])
})

it('gives the server the environment without what is ours', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start({ environment: { BANKSMAN_X: '1', banksman_y: '2', OTHER: 'kept' } })
  const environment = JSON.parse(textOf(await proxy.call('env', {}).answer))
  expect(environment.OTHER).toBe('kept')
  expect(Object.keys(environment).filter((name) => name.startsWith('BANKSMAN_'))).toEqual([])
  expect(JSON.stringify(environment)).not.toContain(gated.token)
})
