import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient, type WireEvent } from '../../../../src/client/index.ts'
import type { Fetch } from '../../../../src/client/transport/transport.ts'
import { ana } from '../../../../src/gateway/fixtures/test-gateway.ts'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { until } from '../../../../test/fixtures/until.ts'
import { createStreamCarrier, type StreamCarrier } from './stream-carrier.ts'

let http: HttpGateway
let carrier: StreamCarrier
let sockets: WebSocket[]
/** Streams that were asked for over plain HTTP. */
let plain: string[]
let time: number
let stop: AbortController
beforeEach(async () => {
  http = await openHttpGateway()
  sockets = []
  plain = []
  time = 0
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  carrier.close()
  await http.close()
})

const fetch: Fetch = (input, init) => {
  if ((init.headers as Record<string, string>).accept === 'text/event-stream') plain.push(input)
  return globalThis.fetch(input, init)
}
const openSocket = (url: string) => {
  const socket = new WebSocket(url)
  sockets.push(socket)
  return socket
}

function open({
  url = http.server.address.url,
  token = http.tokens.ben,
  ...given
}: {
  url?: string
  token?: string
  open?: typeof openSocket | undefined
} = {}): Client {
  carrier = createStreamCarrier({
    url: `${url}/`,
    token,
    openSocket: 'open' in given ? given.open : openSocket,
    fetch,
    now: () => time,
  })
  return createClient({ url, token, fetch: carrier.fetch, random: () => 0 })
}

/** Follows the events, and keeps what was heard. */
function follow(client: Client): { seen: WireEvent[]; lost: string[]; failed: Promise<unknown> } {
  const seen: WireEvent[] = []
  const lost: string[] = []
  const run = async () => {
    const onStatus = (status: { kind: string; error?: { code: string } }) => {
      if (status.kind === 'lost') lost.push(status.error!.code)
    }
    for await (const event of client.events({ brief: true, signal: stop.signal, onStatus })) seen.push(event)
  }
  return { seen, lost, failed: run().catch((error) => error) }
}

describe('the carrier of a page', () => {
  it('carries several streams over one socket, and everything else as before', async () => {
    const client = open()
    const [one, two] = [follow(client), follow(client)]
    await until(() => one.seen.length === 1 && two.seen.length === 1)
    const { id } = await http.ask()
    await until(() => one.seen.length === 2 && two.seen.length === 2)
    expect(one.seen[1]).toMatchObject({ type: 'request', request: { id, shortened: true } })
    expect((await client.list()).items.map((each) => each.id)).toEqual([id])
    expect([sockets.length, plain]).toEqual([1, []])
  })

  it('loses nothing and hears nothing twice when the socket breaks', async () => {
    const { seen, lost } = follow(open())
    await until(() => seen.length === 1)
    const first = await http.ask()
    await until(() => seen.length === 2)
    sockets[0]!.close()
    const second = await http.ask()
    await until(() => seen.length === 3)
    expect(seen.slice(1)).toMatchObject([{ request: { id: first.id } }, { request: { id: second.id } }])
    expect([lost, sockets.length, plain]).toEqual([['unreachable'], 2, []])
  })

  it('a stream that is given up is closed at the server, and its socket serves the others', async () => {
    const client = open()
    const { seen } = follow(client)
    // More than one socket may carry at a time.
    for (let count = 0; count < 20; count++) {
      const short = new AbortController()
      const passing = client.events({ signal: short.signal })
      expect((await passing.next()).value).toMatchObject({ type: 'reset' })
      short.abort()
      expect((await passing.next()).done).toBe(true)
    }
    await http.ask()
    await until(() => seen.length === 2)
    expect(sockets.length).toBe(1)
  })

  it('P6: a key that was revoked is refused as over plain HTTP', async () => {
    const { seen, failed } = follow(open())
    await until(() => seen.length === 1)
    const { tokens } = http.setup.gateway
    await tokens.revoke((await tokens.list(ana)).find(({ subject }) => subject === 'ben')!.id, ana)
    expect(await failed).toMatchObject({ code: 'unauthenticated', status: 401 })
  })

  it('asks over plain HTTP where the browser has no sockets', async () => {
    const { seen } = follow(open({ open: undefined }))
    await until(() => seen.length === 1)
    expect([sockets.length, plain.length]).toEqual([0, 1])
  })

  it('asks over plain HTTP where something in between lets no socket through', async () => {
    const proxy = await startWithoutSockets()
    const { seen, lost } = follow(
      open({ open: () => openSocket(`ws://127.0.0.1:${portOf(proxy)}/v1/streams`) }),
    )
    await until(() => seen.length === 1)
    await http.ask()
    await until(() => seen.length === 2)
    expect([lost.length, sockets.length, plain.length]).toEqual([1, 2, 1])
    proxy.close()
  })

  it('takes a new socket where nothing was heard on the old one for too long', async () => {
    const client = open()
    const { seen } = follow(client)
    await until(() => seen.length === 1)
    time += 41_000
    const again = client.events({ signal: stop.signal })
    expect((await again.next()).value).toMatchObject({ type: 'reset' })
    expect(sockets.length).toBe(2)
    await http.ask()
    await until(() => seen.length === 2)
  })
})

/** A proxy that answers every upgrade with an error. */
async function startWithoutSockets(): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(400).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const portOf = (server: Server) => (server.address() as AddressInfo).port
