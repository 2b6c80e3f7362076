import { once } from 'node:events'
import { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type HttpGateway,
  type HttpGatewayOptions,
  openHttpGateway,
} from '../../../test/fixtures/http-gateway.ts'
import { BanksmanError } from '../../core/errors.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type { CallerRequest, CredentialDoor, DoorAnswer } from '../../people/door.ts'

let http: HttpGateway
afterEach(async () => {
  vi.restoreAllMocks()
  await http.close()
})

const DOOR = {
  kind: 'credential',
  channel: 'chat',
  method: 'POST',
  path: '/chat/{room}/say',
  summary: 'Say something.',
  credential: 'bearer',
  maxBodyBytes: 1000,
} as const

/** One door, and the requests that came to it. */
async function open(
  answer: (request: CallerRequest) => Promise<DoorAnswer> | DoorAnswer,
  door: Partial<CredentialDoor> = {},
  options: HttpGatewayOptions = {},
): Promise<CallerRequest[]> {
  const requests: CallerRequest[] = []
  const mounted: CredentialDoor = {
    ...DOOR,
    ...door,
    async answer(request) {
      requests.push(request)
      return answer(request)
    },
  }
  http = await openHttpGateway({ ...options, http: { doors: [mounted], ...options.http } })
  return requests
}

const json = (body: unknown): DoorAnswer => ({ kind: 'json', status: 200, body })
const stream = (body: AsyncIterable<string>): DoorAnswer => ({
  kind: 'stream',
  headers: { 'content-type': 'text/event-stream' },
  body,
})
async function revoke(subject: string) {
  const { tokens } = http.setup.gateway
  await tokens.revoke((await tokens.list(ana)).find((token) => token.subject === subject)!.id, ana)
}

describe('a request at a credential door', () => {
  it('says who came, by the credential, and what was asked', async () => {
    const requests = await open(async (request) => {
      const { actor, credential, token } = request.caller
      return {
        kind: 'json',
        status: 202,
        body: {
          subject: actor.subject,
          via: actor.via,
          credential,
          named: token.startsWith('tok_'),
          room: request.step('room'),
          query: [request.query('a'), request.query('b')],
          header: request.header('x-word'),
          text: await request.text(),
          locale: request.locale,
        },
        headers: { 'x-answer': 'yes' },
      }
    })
    const answer = await http.send('POST', '/chat/react%2Fana%20%2Fdefault/say?a=1&userId=eve', {
      as: 'ben',
      body: { userId: 'eve' },
      headers: { 'x-word': 'w', 'accept-language': 'zh-CN' },
    })
    expect([answer.status, answer.headers.get('x-answer')]).toEqual([202, 'yes'])
    expect(answer.json).toEqual({
      subject: 'ben',
      via: 'chat',
      credential: 'bearer',
      named: true,
      room: 'react/ana /default',
      query: ['1', null],
      header: 'w',
      text: '{"userId":"eve"}',
      locale: 'zh',
    })
    expect(requests[0]!.host).toBe(http.host)
    expect(await requests[0]!.caller.stillHolds()).toBe(true)
    await revoke('ben')
    expect(await requests[0]!.caller.stillHolds()).toBe(false)
  })

  it('P6: needs a credential, a live one, of the same origin', async () => {
    const requests = await open(() => json({}))
    const say = (options: object) => http.send('POST', '/chat/a/say', { body: {}, ...options })
    expect((await say({})).json).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect((await say({ headers: { authorization: 'Bearer bmp_wrong' } })).status).toBe(401)
    expect((await say({ as: 'ana', headers: { origin: 'http://evil.example' } })).status).toBe(403)
    await revoke('ben')
    expect((await say({ as: 'ben' })).status).toBe(401)
    expect(requests).toEqual([])
  })

  it('P11: is never an agent’s', async () => {
    const requests = await open(() => json({}))
    const { status, json: problem } = await http.send('POST', '/chat/a/say', { as: 'agent-1', body: {} })
    expect([status, problem.code]).toEqual([403, 'forbidden'])
    expect(requests).toEqual([])
  })

  it('takes a body of a bounded size, announced or not, and only as JSON in UTF-8', async () => {
    await open(async (request) => json({ length: (await request.text()).length }))
    const say = (text: string | Uint8Array, headers: object = { 'content-type': 'application/json' }) =>
      http.send('POST', '/chat/a/say', { as: 'ana', text, headers: { ...headers } })
    expect((await say('x'.repeat(1000))).json).toEqual({ length: 1000 })
    expect((await say('x'.repeat(1001))).json).toMatchObject({ code: 'too_large', limit: 1000 })
    expect((await say('x', { 'content-type': 'text/plain' })).json.code).toBe('wrong_media_type')
    expect((await say(Buffer.from([0xff]))).json.code).toBe('invalid_json')
    expect((await say('')).json).toEqual({ length: 0 })
    const chunked = http.raw()
    chunked.write(`${head('POST')}transfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n`)
    for (let count = 0; count < 5; count++) chunked.write(`100\r\n${'x'.repeat(256)}\r\n`)
    expect(await textUntil(chunked, /\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1.1 413 .*too_large/s)
    chunked.destroy()
  })

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'a=1'],
    ['a form with files', 'multipart/form-data; boundary=x', '--x--'],
    ['plain text', 'text/plain', '{}'],
    ['JSON in another character set', 'application/json; charset=utf-16', '{}'],
    ['no type', '', '{}'],
    ['a form without fields', 'application/x-www-form-urlencoded', ''],
  ])('P6: refuses %s, also where the channel reads no body', async (_, type, text) => {
    const requests = await open(() => json({}))
    const sent = http.raw()
    const size = Buffer.byteLength(text)
    const header = type === '' ? '' : `content-type: ${type}\r\n`
    sent.write(`${head('POST')}${header}content-length: ${size}\r\n\r\n${text}`)
    expect(await textUntil(sent, /\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1.1 415 .*wrong_media_type/s)
    sent.destroy()
    expect(requests).toEqual([])
  })

  it('turns what a channel throws into a problem, and tells no more than it may', async () => {
    await open((request) => {
      if (request.step('room') === 'inside') throw new Error('the secret cause')
      throw new BanksmanError('session_ended', 'this conversation has ended')
    })
    const say = (room: string) => http.send('POST', `/chat/${room}/say`, { as: 'ana', body: {} })
    expect((await say('a')).json).toMatchObject({ status: 409, code: 'session_ended' })
    expect(http.setup.faults).toEqual([])
    const inside = await say('inside')
    expect([inside.status, inside.json.code]).toEqual([500, 'internal'])
    expect(inside.text).not.toContain('secret')
    expect(http.setup.faults).toMatchObject([{ doing: 'POST /chat/inside/say' }])
  })

  it('is over when the client leaves while its body is under way', async () => {
    let rejected: unknown
    const requests = await open(async (request) => {
      await request.text().catch((error) => {
        rejected = error
        throw error
      })
      return json({})
    })
    const slow = http.raw()
    slow.write(`${head('POST')}content-type: application/json\r\ncontent-length: 500\r\n\r\n{"a`)
    await expect.poll(() => requests.length).toBe(1)
    slow.write('bc')
    // Others are served in the meantime.
    expect((await http.send('POST', '/chat/a/say', { as: 'ana', body: {} })).status).toBe(200)
    slow.destroy()
    await expect.poll(() => rejected).toMatchObject({ code: 'invalid' })
    await expect.poll(() => requests[0]!.signal.aborted).toBe(true)
    expect(http.setup.faults).toEqual([])
  })

  it('that never sends more than half a request reaches no channel and is not waited for', async () => {
    const requests = await open(() => json({}), {}, { graceMs: 60_000 })
    const half = http.raw()
    half.on('error', () => {})
    half.write('POST /chat/a/say HTTP/1.1\r\nhost: 127.')
    expect((await http.send('POST', '/chat/a/say', { as: 'ana', body: {} })).status).toBe(200)
    expect(requests).toHaveLength(1)
    const ended = once(half, 'close')
    half.resume()
    await http.server.close()
    await ended
  })

  it('is in the description, and HEAD is not GET', async () => {
    await open(() => json({}), { method: 'GET' })
    const { json: api } = await http.send('GET', '/openapi.json', { as: 'ana' })
    expect(api.paths['/chat/{room}/say'].get).toMatchObject({
      summary: 'Say something.',
      'x-access': 'people',
      parameters: [{ name: 'room', in: 'path' }],
    })
    expect((await http.send('HEAD', '/chat/a/say', { as: 'ana' })).status).toBe(405)
    expect((await http.send('POST', '/chat/a/say', { as: 'ana' })).json.code).toBe('method_not_allowed')
  })
})

describe('a stream', () => {
  it('sends each text in one write of its own, however fast they come', async () => {
    const frames = Array.from({ length: 60 }, (_, n) => `data: ${n} ${'é'.repeat(1 + n * 40)}\n\n`)
    await open(() => stream(listOf(frames)))
    const writes = followWrites()
    const { text } = await http.send('POST', '/chat/a/say', { as: 'ana' })
    expect(text).toBe(frames.join(''))
    expect(writes().filter((write) => write.includes('data: '))).toEqual(
      frames.map((frame) => `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`),
    )
  })

  it('asks for the next when the last was taken: who does not read costs no memory', async () => {
    let asked = 0
    await open(() =>
      stream(
        (async function* () {
          for (;;) {
            asked++
            yield 'x'.repeat(100_000)
          }
        })(),
      ),
    )
    const socket = http.raw()
    socket.pause()
    socket.write(`${head('POST')}content-length: 0\r\n\r\n`)
    let before = -1
    // Until the kernel holds no more.
    await expect
      .poll(() => {
        const isStill = asked > 0 && asked === before
        before = asked
        return isStill
      })
      .toBe(true)
    expect(asked).toBeLessThan(200)
    socket.destroy()
  })

  it('ends for the channel when the client has gone, and frees its place', async () => {
    let returned = 0
    const requests = await open(
      (request) => stream(waiting(request.signal, () => returned++)),
      {},
      { http: { settings: { connectionsPerToken: 1 } } },
    )
    for (let round = 1; round <= 2; round++) {
      const stop = new AbortController()
      const response = await fetch(`http://${http.host}/chat/a/say`, {
        method: 'POST',
        headers: { authorization: `Bearer ${http.tokens.ana}` },
        signal: stop.signal,
      })
      expect(response.status).toBe(200)
      const full = await http.send('POST', '/chat/a/say', { as: 'ana', body: {} })
      expect([full.status, full.json.code]).toEqual([429, 'too_many_connections'])
      expect((await http.send('GET', '/v1/events', { as: 'ana' })).status).toBe(429)
      expect(requests).toHaveLength(round)
      stop.abort()
      await expect.poll(() => returned).toBe(round)
      expect(requests.at(-1)!.signal.aborted).toBe(true)
    }
  })

  it('ends when the channel ends it, and a fault in it is written down', async () => {
    await open((request) =>
      stream(
        (async function* () {
          yield 'one\n\n'
          if (request.step('room') === 'faulty') throw new Error('broken')
        })(),
      ),
    )
    expect((await http.send('POST', '/chat/a/say', { as: 'ana' })).text).toBe('one\n\n')
    await expect(http.send('POST', '/chat/faulty/say', { as: 'ana' })).rejects.toThrow()
    expect(http.setup.faults).toMatchObject([{ doing: 'sending what a channel says' }])
  })

  it('P6: ends when the credential no longer holds, also while the channel waits', async () => {
    let returned = 0
    const requests = await open((request) => stream(waiting(request.signal, () => returned++)))
    const answer = http.send('POST', '/chat/a/say', { as: 'ben', body: {} })
    await expect.poll(() => requests.length).toBe(1)
    await http.setup.clock.advance(15_000)
    expect(returned).toBe(0)
    await revoke('ben')
    await http.setup.clock.advance(15_000)
    expect((await answer).text).toBe('begun\n\n')
    await expect.poll(() => returned).toBe(1)
  })

  it('is told when the server closes, and may say a last word', async () => {
    const requests = await open(
      (request) =>
        stream(
          (async function* () {
            yield 'begun\n\n'
            await new Promise((resolve) => request.signal.addEventListener('abort', resolve, { once: true }))
            yield 'come back\n\n'
          })(),
        ),
      {},
      { graceMs: 60_000 },
    )
    const answer = http.send('POST', '/chat/a/say', { as: 'ana' })
    await expect.poll(() => requests.length).toBe(1)
    const closed = http.server.close()
    expect((await answer).text).toBe('begun\n\ncome back\n\n')
    await closed
  })
})

/** What Node hands to the operating system in one piece each, from here on. */
function followWrites(): () => string[] {
  const writes: string[] = []
  type Chunk = { chunk: Buffer | string; encoding: BufferEncoding }
  const textOf = ({ chunk, encoding }: Chunk) =>
    typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString() : chunk.toString()
  const prototype = Socket.prototype as unknown as {
    _writev(chunks: Chunk[], callback: () => void): void
    _write(chunk: Chunk['chunk'], encoding: BufferEncoding, callback: () => void): void
  }
  const { _writev, _write } = prototype
  vi.spyOn(prototype, '_writev').mockImplementation(function (this: unknown, chunks, callback) {
    writes.push(chunks.map(textOf).join(''))
    return _writev.call(this, chunks, callback)
  })
  vi.spyOn(prototype, '_write').mockImplementation(function (this: unknown, chunk, encoding, callback) {
    writes.push(textOf({ chunk, encoding }))
    return _write.call(this, chunk, encoding, callback)
  })
  return () => writes
}

async function* listOf(list: string[]): AsyncGenerator<string> {
  yield* list
}

async function* waiting(over: AbortSignal, onReturn: () => void): AsyncGenerator<string> {
  try {
    yield 'begun\n\n'
    await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
  } finally {
    onReturn()
  }
}

function head(method: string): string {
  return `${method} /chat/a/say HTTP/1.1\r\nhost: ${http.host}\r\nauthorization: Bearer ${http.tokens.ana}\r\n`
}

async function textUntil(socket: Socket, end: RegExp): Promise<string> {
  let text = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (end.test(text)) break
  }
  return text
}
