import { afterEach, describe, expect, it } from 'vitest'
import {
  type HttpGateway,
  type HttpGatewayOptions,
  openHttpGateway,
  type SocketReader,
  type Who,
} from '../../../test/fixtures/http-gateway.ts'
import { until } from '../../../test/fixtures/until.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import { carrierFrame } from '../../wire/answers.ts'

let http: HttpGateway
afterEach(() => http.close())
async function open(options: HttpGatewayOptions = {}) {
  http = await openHttpGateway(options)
}

async function greet(who: Who): Promise<SocketReader> {
  const reader = http.socket({ path: '/v1/streams' })
  await reader.opened
  reader.send({ type: 'hello', token: http.tokens[who] })
  return reader
}

/** The next frame of the stream, keep-alives passed over. */
async function next(
  reader: SocketReader,
  ref: string,
): Promise<{ type: string; status?: number; text?: string }> {
  for (;;) {
    const frame = carrierFrame.parse(await reader.next())
    if (frame.ref === ref && !(frame.type === 'text' && frame.text.startsWith(':'))) return frame
  }
}

async function answered(reader: SocketReader, ref: string, path: string, after?: string) {
  reader.send({ type: 'open', ref, path, ...(after === undefined ? {} : { after }) })
  return next(reader, ref)
}

describe('a socket that carries streams', () => {
  it('tells a problem of a stream in the language of the page', async () => {
    await open()
    const reader = await greet('ben')
    reader.send({ type: 'open', ref: '1', path: '/v1/sessions/none/conversation', language: 'zh' })
    const { status, text } = await next(reader, '1')
    expect([status, JSON.parse(text!).detail]).toEqual([404, expect.stringMatching(/\p{Script=Han}/u)])
  })

  it('carries the same text as the stream itself, from a cursor too', async () => {
    await open()
    const reader = await greet('ben')
    expect(await answered(reader, '1', '/v1/events?brief=true')).toMatchObject({
      status: 200,
      contentType: 'text/event-stream',
    })
    const reset = await next(reader, '1')
    const cursor = /^id: (.+)$/m.exec(reset.text!)![1]!
    const plain = await http.events('ben', cursor, '/v1/events?brief=true')
    const { id } = await http.ask()
    const { text } = await next(reader, '1')
    const same = await plain.next()
    expect(text).toBe(`event: request\nid: ${same.id}\ndata: ${same.data}\n\n`)
    await plain.close()

    expect(await answered(reader, '2', '/v1/events', cursor)).toMatchObject({ status: 200 })
    expect((await next(reader, '2')).text).toContain(id)
  })

  it('ends a stream that is closed, and goes on with the others', async () => {
    await open()
    const reader = await greet('ben')
    for (const ref of ['1', '2']) {
      await answered(reader, ref, '/v1/events')
      await next(reader, ref)
    }
    expect(await answered(reader, '1', '/v1/events')).toMatchObject({ status: 400 })
    reader.send({ type: 'close', ref: '1' })
    // Its ref is free again when it has ended.
    await until(async () => (await answered(reader, '1', '/v1/events')).status === 200)
    const { id } = await http.ask()
    expect((await next(reader, '2')).text).toContain(id)
  })

  it('P6: a stream is refused as its route refuses it', async () => {
    await open()
    const reader = await greet('ben')
    const refused = [
      ['/v1/sessions/nowhere/conversation', 'unknown_route'],
      ['/v1/events?brief=maybe', 'invalid'],
      ['/v1/requests', 'unknown_route'],
      ['/v1/events/../tokens', 'unknown_route'],
      ['//other.example/v1/events', 'unknown_route'],
      ['http://other.example/v1/events', 'unknown_route'],
    ] as const
    for (const [index, [path, code]] of refused.entries()) {
      const { status, text } = await answered(reader, `r${index}`, path)
      expect([path, JSON.parse(text!).code]).toEqual([path, code])
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })

  it('P6: an agent is told of its own requests alone', async () => {
    await open()
    const reader = await greet('agent-2')
    await answered(reader, '1', '/v1/events')
    await next(reader, '1')
    const other = await http.ask()
    const { json } = await http.send('POST', '/v1/calls', {
      as: 'agent-2',
      body: { tool: 'deploy', arguments: {}, callId: 'own', session: 's2' },
    })
    const { text } = await next(reader, '1')
    expect(text).toContain(json.request.id)
    expect(text).not.toContain(other.id)
  })

  it.each([
    ['a wrong token', { type: 'hello', token: 'bmp_wrong' }, 4401],
    ['no token', { type: 'open', ref: '1', path: '/v1/events' }, 4401],
    ['no JSON', 'hello', 4401],
  ])('P6: with %s first it is closed, and nothing is told', async (_, frame, code) => {
    await open()
    const reader = http.socket({ path: '/v1/streams' })
    await reader.opened
    reader.send(frame)
    reader.send({ type: 'open', ref: '1', path: '/v1/events' })
    expect((await reader.closed).code).toBe(code)
    await expect(reader.next()).rejects.toThrow('closed')
  })

  it('P6: closes with all of its streams when the token is revoked', async () => {
    await open()
    const reader = await greet('ben')
    await answered(reader, '1', '/v1/events')
    const { tokens } = http.setup.gateway
    await tokens.revoke((await tokens.list(ana)).find((token) => token.subject === 'ben')!.id, ana)
    expect((await reader.closed).code).toBe(4401)
  })

  it('takes one place among the connections of its credential, and carries a bounded number of streams', async () => {
    await open({ http: { settings: { connectionsPerToken: 1 } } })
    const reader = await greet('ben')
    for (let ref = 1; ref <= 8; ref++)
      expect(await answered(reader, `${ref}`, '/v1/events')).toMatchObject({ status: 200 })
    expect(await answered(reader, '9', '/v1/events')).toMatchObject({ status: 429 })
    expect((await http.send('GET', '/v1/events', { as: 'ben' })).status).toBe(429)
    const second = await greet('ben')
    expect((await second.closed).code).toBe(1013)
  })

  it('says what is wrong with a frame it can not read', async () => {
    await open()
    const reader = await greet('ben')
    reader.send({ type: 'open', ref: '1' })
    const { code, reason } = await reader.closed
    expect([code, reason]).toEqual([1003, expect.stringContaining('"path"')])
  })

  it('tells its streams to come back when the server closes', async () => {
    await open()
    const reader = await greet('ben')
    await answered(reader, '1', '/v1/events')
    await http.server.close()
    expect((await reader.closed).code).toBe(1012)
  })
})
