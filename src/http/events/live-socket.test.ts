import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type HttpGateway,
  type HttpGatewayOptions,
  openHttpGateway,
  type SocketReader,
  type Who,
} from '../../../test/fixtures/http-gateway.ts'
import { defined } from '../../core/defined.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'

let http: HttpGateway
afterEach(() => http.close())
async function open(options: HttpGatewayOptions = {}) {
  http = await openHttpGateway(options)
}

/** A socket that has said hello and has been told where it begins. */
async function greet(who: Who, after?: string): Promise<SocketReader> {
  const reader = http.socket()
  await reader.opened
  reader.send({ type: 'hello', token: http.tokens[who], ...defined({ after }) })
  if (after === undefined) expect(await reader.next()).toMatchObject({ type: 'reset' })
  return reader
}

/** Whether there is a place for one more connection of ben's. */
async function acceptsBen(): Promise<boolean> {
  const reader = http.socket()
  await reader.opened
  reader.send({ type: 'hello', token: http.tokens.ben })
  const accepted = await reader.next().then(
    () => true,
    () => false,
  )
  reader.socket.terminate()
  return accepted
}

describe('the first frame', () => {
  it.each([
    ['a wrong token', { type: 'hello', token: 'bmp_wrong' }, 'unknown or revoked token'],
    ['no token', { type: 'hello' }, 'the first frame must be'],
    ['another frame', { type: 'decide', ref: '1', id: 'x' }, 'the first frame must be'],
    ['an unknown field', { type: 'hello', token: 'x', role: 'admin' }, 'the first frame must be'],
    ['no JSON', 'hello', 'the first frame must be'],
    ['duplicate keys', '{"type":"hello","token":"a","token":"b"}', 'the first frame must be'],
  ])('that is %s closes the socket with 4401, and nothing is told', async (_, frame, reason) => {
    await open()
    const reader = http.socket()
    await reader.opened
    await http.ask()
    reader.send(frame)
    const closed = await reader.closed
    expect([closed.code, closed.reason]).toEqual([4401, expect.stringContaining(reason)])
    await expect(reader.next()).rejects.toThrow('closed')
  })

  it('must come in time', async () => {
    await open()
    const reader = http.socket()
    await reader.opened
    await http.setup.clock.advance(10_000)
    expect(await reader.closed).toMatchObject({ code: 4401 })
  })

  it('P6: no token is taken from the address', async () => {
    await open()
    await expect(http.socket({ path: `/v1/socket?token=${http.tokens.ana}` }).opened).rejects.toThrow('400')
  })

  it('only so many may be waited for', async () => {
    await open({ http: { settings: { unnamedSockets: 1 } } })
    const first = http.socket()
    await first.opened
    expect(await http.socket().closed).toMatchObject({ code: 1013 })
    first.send({ type: 'hello', token: http.tokens.ben })
    await first.next()
    await greet('eve')
  })
})

describe('a socket', () => {
  it('tells the same events as the stream, from a cursor too', async () => {
    await open()
    const first = await greet('ben')
    const { id } = await http.ask()
    const event = await first.next()
    expect(event).toMatchObject({ type: 'request', request: { id, state: 'pending', yours: true } })
    first.socket.terminate()
    const second = await http.ask()
    const again = await greet('ben', event.cursor)
    expect(await again.next()).toMatchObject({ type: 'request', request: { id: second.id } })
  })

  it('takes decisions and answers each with its ref', async () => {
    await open()
    const reader = await greet('ben')
    const { id, digest } = await http.ask()
    await reader.next()
    reader.send({ type: 'decide', ref: 'one', id, decision: 'approve', digest })
    // The change and the answer come in any order.
    const frames = [await reader.next(), await reader.next()]
    const result = frames.find((frame) => frame.type === 'result')
    expect(result).toMatchObject({
      ref: 'one',
      decided: true,
      repeated: false,
      request: { id, state: 'approved' },
    })
    expect(result.request.decision).toMatchObject({ by: 'ben', via: 'socket' })
    expect(frames.find((frame) => frame.type === 'request')).toMatchObject({
      request: { id, state: 'approved' },
    })
  })

  it('P2, P6: refuses what may not be, as the routes do', async () => {
    await open()
    const { id, digest } = await http.ask()
    const command = { type: 'decide', ref: 'r', id, decision: 'approve', digest }
    const refusals: [Who, object | string, string | null, string][] = [
      ['eve', command, 'r', 'not_yours'],
      ['agent-1', command, 'r', 'forbidden'],
      ['agent-2', command, 'r', 'unknown_id'],
      ['ben', { ...command, by: 'ana' }, 'r', 'invalid_decision'],
      ['ben', { ...command, id: 'req_none' }, 'r', 'unknown_id'],
      ['ben', { type: 'hello', token: http.tokens.ana }, null, 'invalid_decision'],
      ['ben', '{', null, 'invalid_json'],
      ['ben', '[]', null, 'invalid_decision'],
    ]
    for (const [who, frame, ref, code] of refusals) {
      const reader = await greet(who)
      reader.send(frame)
      // What is written down of the attempt may come before.
      let answer = await reader.next()
      while (answer.type !== 'result') answer = await reader.next()
      expect(answer).toMatchObject({ ref, problem: { code } })
      reader.socket.terminate()
    }
    expect((await http.setup.store.get(id))?.state).toBe('pending')
  })

  it('P6: closes when the token is revoked, and takes no decision after', async () => {
    await open()
    const reader = await greet('ben')
    const { id, digest } = await http.ask()
    const { tokens } = http.setup.gateway
    await tokens.revoke((await tokens.list(ana)).find((token) => token.subject === 'ben')!.id, ana)
    reader.send({ type: 'decide', ref: '1', id, decision: 'approve', digest })
    expect(await reader.closed).toMatchObject({ code: 4401 })
    expect((await http.setup.store.get(id))?.state).toBe('pending')
  })

  it('P6: closes by itself when the token is revoked', async () => {
    await open()
    const reader = await greet('ben')
    const { tokens } = http.setup.gateway
    await tokens.revoke((await tokens.list(ana)).find((token) => token.subject === 'ben')!.id, ana)
    await http.setup.clock.advance(15_000)
    expect(await reader.closed).toMatchObject({ code: 4401 })
  })

  it('P8: makes a person present', async () => {
    await open()
    await greet('ben')
    expect((await http.setup.store.presence.list('socket')).map(({ subject }) => subject)).toEqual(['ben'])
  })

  it('counts against the connections of its credential', async () => {
    await open({ http: { settings: { connectionsPerToken: 1 } } })
    const first = await greet('ben')
    expect((await http.send('GET', '/v1/events', { as: 'ben' })).status).toBe(429)
    const second = http.socket()
    await second.opened
    second.send({ type: 'hello', token: http.tokens.ben })
    expect(await second.closed).toMatchObject({ code: 1013 })
    first.socket.terminate()
    await expect.poll(() => acceptsBen()).toBe(true)
  })

  it('takes text of a bounded size, and only so many commands at once', async () => {
    await open()
    const large = await greet('ben')
    large.send('x'.repeat(70_000))
    expect((await large.closed).code).toBe(1009)
    const binary = await greet('ben')
    binary.socket.send(Buffer.from('{}'))
    expect((await binary.closed).code).toBe(1003)
    const eager = await greet('ben')
    for (let count = 0; count < 200; count++) eager.send({ type: 'decide', ref: String(count) })
    expect((await eager.closed).code).toBe(1008)
  })

  it('that does not answer a ping is ended', async () => {
    await open({ http: { settings: { connectionsPerToken: 1 } } })
    const reader = await greet('ben')
    // As a machine that has gone to sleep: the connection is there, and nobody reads.
    reader.socket.pause()
    await http.setup.clock.advance(15_000)
    expect(await acceptsBen()).toBe(false)
    await http.setup.clock.advance(15_000)
    await expect.poll(() => acceptsBen()).toBe(true)
    reader.socket.terminate()
  })

  it('that pings without reading the answers is ended', async () => {
    await open()
    const socket = http.raw()
    await once(socket, 'connect')
    socket.pause()
    socket.write(
      `GET /v1/socket HTTP/1.1\r\nhost: ${http.host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
        'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    // A masked ping frame with the largest payload that one may have; the mask is zero.
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)])
    const pings = Buffer.concat(Array.from({ length: 5000 }, () => ping))
    const ended = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))
    const flood = () => {
      while (!socket.destroyed && socket.writable)
        if (!socket.write(pings)) return socket.once('drain', flood)
    }
    flood()
    await ended
  })
})

it('plain HTTP is told what the socket is', async () => {
  await open()
  const { status, json } = await http.send('GET', '/v1/socket')
  expect([status, json.code]).toEqual([400, 'invalid'])
  expect(json.detail).toContain('/v1/events')
})
