import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { inspectProxy } from './inspect-proxy.ts'

const listen = { host: '127.0.0.1', port: 4791 }
const kinds = async (
  names: string[],
  proxy: Parameters<typeof inspectProxy>[0]['proxy'],
  server?: { url: string },
) => (await inspectProxy({ names, proxy }, server)).map(({ kind, detail }) => `${kind}: ${detail}`)

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Something that answers on a port of its own. */
async function listener(answer: string): Promise<number> {
  const server = createServer((_, response) => void response.end(answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

it('says where a proxy comes in, and warns where that is not said', async () => {
  const none = { listen: undefined, from: [] }
  expect(await kinds([], none)).toEqual([expect.stringMatching(/^ok: no proxy is configured; to put one/)])
  expect(await kinds(['a.example.org'], none)).toEqual([expect.stringMatching(/^warning: .*count as local$/)])
  expect(await kinds(['a.example.org'], { listen, from: ['10.0.0.0/8'] })).toEqual([
    'ok: it connects at 127.0.0.1:4791, where every caller counts as remote',
    expect.stringContaining('a request from 10.0.0.0/8 is refused unless X-Forwarded-For'),
  ])
  expect(await kinds([], { listen: { path: '/run/x.sock' }, from: [] })).toEqual([
    expect.stringContaining('unix:/run/x.sock'),
    expect.stringMatching(/^warning: its name is not configured/),
  ])
})

it('looks whether the running server listens there', async () => {
  const server = { url: 'http://127.0.0.1:4790' }
  const names = ['a.example.org']
  const ours = { host: '127.0.0.1', port: await listener('{"status":"ok"}') }
  expect(await kinds(names, { listen: ours, from: [] }, server)).toEqual([
    expect.stringMatching(/^ok: it connects at/),
  ])
  const others = { host: '127.0.0.1', port: await listener('hello') }
  const gone = { host: '127.0.0.1', port: await listener('') }
  closing.pop()?.()
  for (const there of [others, gone, { path: '/nowhere/proxy.sock' }]) {
    const [finding] = await inspectProxy({ names, proxy: { listen: there, from: [] } }, server)
    expect(finding).toMatchObject({
      kind: 'problem',
      detail: expect.stringContaining("doesn't answer"),
      advice: expect.stringContaining('restart it'),
    })
  }
})

it('says who is locked out, and who can not get in at all', async () => {
  const from = (...ranges: string[]) => ({ listen: undefined, from: ranges })
  const names = ['a.example.org']
  for (const range of ['127.0.0.1', '127.0.0.0/8', '::1', '0.0.0.0/0']) {
    expect(await kinds(names, from(range))).toContainEqual(
      expect.stringMatching(/^warning: .*programs on this machine.* are refused/),
    )
  }
  expect((await kinds(names, from('127.0.0.2'))).join()).not.toContain('programs on this machine')
  const local = { url: 'http://127.0.0.1:4790' }
  expect(await kinds(names, from('10.0.0.7'), local)).toContainEqual(
    expect.stringMatching(/^warning: the server listens only on this machine, .* 10\.0\.0\.7/),
  )
  const open = { url: 'http://0.0.0.0:4790' }
  expect(await kinds(names, from('10.0.0.7'), open)).toEqual([expect.stringMatching(/^ok: /)])
  expect((await kinds(names, from('10.0.0.7'))).join()).not.toContain('only on this machine')
})
