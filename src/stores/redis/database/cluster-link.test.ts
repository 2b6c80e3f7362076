/** Whoever sends us on may be slow, wrong or strange: nodes that say what a real one rarely does. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { openClusterLink } from './cluster-link.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

interface Node {
  port: number
  connections(): number
  open(): number
}

/** Answers a look at a key as told, everything else with OK; `undefined` is silence. */
async function node(answer: () => string | undefined): Promise<Node> {
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    connections++
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('data', (bytes) => {
      const said = bytes.toString().includes('HGET') ? answer() : '+OK'
      if (said !== undefined) socket.write(`${said}\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => open.size,
  }
}

const key = '{banksman:default}:meta'
const urlOf = ({ port }: Node) => `redis://127.0.0.1:${port}`
const here = () => '$-1'

describe('the way to the node that holds the namespace', () => {
  it('is followed, as the same user, and a node that names no host means its own', async () => {
    const home = await node(here)
    const named = await node(() => `-MOVED 1 :${home.port}`)
    const found = await openClusterLink({ url: `redis://ana:s3cret@127.0.0.1:${named.port}/0`, key })
    expect(found.url).toBe(`redis://ana:s3cret@127.0.0.1:${home.port}/0`)
    found.link.end(new Error('done'))
    await until(() => named.open() === 0)
  })

  it('has an end where two send us to each other', async () => {
    const ports: number[] = []
    const one = await node(() => `-MOVED 1 127.0.0.1:${ports[1]}`)
    const two = await node(() => `-MOVED 1 127.0.0.1:${ports[0]}`)
    ports.push(one.port, two.port)
    await expect(openClusterLink({ url: urlOf(one), key })).rejects.toThrow('sent us on 6 times')
    await until(() => one.open() + two.open() === 0)
  })

  it('is not guessed where a node does not say it', async () => {
    const named = await node(() => '-MOVED 1 ?:7000')
    await expect(openClusterLink({ url: urlOf(named), key })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('cluster-announce-hostname'),
    })
  })

  it('names the node at which it failed, and no password', async () => {
    const home = await node(() => '-NOPERM you may not')
    const named = await node(() => `-MOVED 1 127.0.0.1:${home.port}`)
    const url = `redis://ana:s3cret@127.0.0.1:${named.port}/0`
    const error = (await openClusterLink({ url, key }).catch((reason: unknown) => reason)) as Error
    expect(error.message).toContain(`NOPERM you may not, at redis://127.0.0.1:${home.port}/0`)
    expect(error.message).not.toContain('s3cret')
  })

  it('is left at once when it is not wanted any more', async () => {
    const over = new AbortController()
    const silent = await node(() => undefined)
    const named = await node(() => `-MOVED 1 127.0.0.1:${silent.port}`)
    const last = await node(here)
    const finding = openClusterLink({ url: urlOf(named), key, last: urlOf(last), signal: over.signal })
    finding.catch(() => {})
    await until(() => silent.connections() === 1)
    over.abort()
    await expect(finding).rejects.toThrow()
    await until(() => silent.open() + named.open() === 0)
    expect([silent.connections(), named.connections(), last.connections()]).toEqual([1, 1, 0])
    await expect(openClusterLink({ url: urlOf(named), key, signal: over.signal })).rejects.toThrow()
    expect(named.connections()).toBe(1)
  })
})
