/** Doors without a credential: for servers that sign what they send, and for anybody. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import type {
  Door,
  PublicDoor,
  SentBytes,
  SignedAnswer,
  SignedFormDoor,
  SignedJsonDoor,
  SignedRequest,
} from '../../people/door.ts'

let http: HttpGateway
afterEach(() => http.close())

const KEY = 'the secret of the service'
const PATH = '/hooks/relay'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const FIVE_MINUTES_MS = 300_000

const sign = (at: number, text: string) => createHmac('sha256', KEY).update(`${at}:${text}`).digest('hex')

function verify({ bytes, header, now }: SentBytes): boolean {
  const at = Number(header('x-at'))
  if (!(Math.abs(now - at) <= FIVE_MINUTES_MS)) return false
  const wanted = createHmac('sha256', KEY).update(`${at}:`).update(bytes).digest()
  const found = Buffer.from(header('x-signature') ?? '', 'hex')
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}

interface Heard {
  bodies: unknown[]
  verified: number
}

const TERMS = {
  kind: 'signed',
  channel: 'relay',
  path: PATH,
  summary: 'What the relay sends.',
  maxBodyBytes: 1000,
  places: 2,
} as const

type Answer = (request: SignedRequest<unknown>) => Promise<SignedAnswer> | SignedAnswer

const done: Answer = () => ({ kind: 'json', status: 200, body: { ok: true } })

async function open(
  answer: Answer = done,
  options: { body?: 'json' | 'form'; verify?: SignedJsonDoor['verify']; others?: Door[] } = {},
): Promise<Heard> {
  const heard: Heard = { bodies: [], verified: 0 }
  const check = options.verify ?? verify
  const terms = {
    ...TERMS,
    verify(sent: SentBytes) {
      heard.verified++
      return check(sent)
    },
    async answer(request: SignedRequest<unknown>) {
      heard.bodies.push(request.body)
      return answer(request)
    },
  }
  const door: SignedJsonDoor | SignedFormDoor =
    options.body === 'form' ? { ...terms, body: 'form' } : { ...terms, body: 'json' }
  http = await openHttpGateway({ http: { doors: [door, ...(options.others ?? [])] } })
  return heard
}

function send(text: string | Uint8Array, headers: Record<string, string> = {}, type = JSON_TYPE) {
  const at = http.setup.clock.now()
  const signature = sign(at, Buffer.from(text as string).toString('latin1'))
  return http.send('POST', PATH, {
    text,
    headers: { 'content-type': type, 'x-at': String(at), 'x-signature': signature, ...headers },
  })
}

describe('a signed door', () => {
  it('hands over what was signed, and the bytes as they came', async () => {
    let bytes = ''
    const heard = await open((request) => {
      bytes = Buffer.from(request.bytes).toString()
      return { kind: 'json', status: 200, body: { challenge: 'c' }, headers: { 'x-answer': 'yes' } }
    })
    const { status, json, headers } = await send('{"b" :1,  "a":[true]}')
    expect([status, json, headers.get('x-answer')]).toEqual([200, { challenge: 'c' }, 'yes'])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(heard.bodies).toEqual([{ b: 1, a: [true] }])
    expect(bytes).toBe('{"b" :1,  "a":[true]}')
  })

  it('takes a form where it says so, each name once', async () => {
    const heard = await open(done, { body: 'form' })
    expect((await send('payload=%7B%22a%22%3A1%7D&b=x+y', {}, FORM_TYPE)).status).toBe(200)
    expect(heard.bodies).toEqual([
      new Map([
        ['payload', '{"a":1}'],
        ['b', 'x y'],
      ]),
    ])
    expect((await send('a=1&a=2', {}, FORM_TYPE)).json).toMatchObject({ status: 400, code: 'invalid' })
    expect((await send('{"a":1}')).status).toBe(415)
    expect(heard.bodies).toHaveLength(1)
  })

  it('answers with text that no browser takes for a page, or with nothing', async () => {
    const answers: SignedAnswer[] = [
      { kind: 'text', status: 200, body: '<script>echo</script>' },
      { kind: 'empty', status: 200 },
      { kind: 'empty', status: 204 },
    ]
    await open(() => answers.shift()!)
    const text = await send('{}')
    expect([text.status, text.text]).toEqual([200, '<script>echo</script>'])
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text.headers.get('x-content-type-options')).toBe('nosniff')
    for (const status of [200, 204]) {
      const empty = await send('{}')
      expect([empty.status, empty.text, empty.headers.get('content-type')]).toEqual([status, '', null])
      expect(empty.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it.each([
    ['no signature', { 'x-signature': '' }],
    ['one of other bytes', { 'x-signature': sign(0, '{}') }],
    ['no time', { 'x-at': '' }],
  ])('P6: hears nothing of what has %s, and nothing of it is parsed', async (_, headers) => {
    const heard = await open()
    // It would be refused as no JSON if anybody had looked into it.
    const { status, json } = await send('{not json', headers)
    expect([status, json.code, json.detail]).toEqual([
      401,
      'unauthenticated',
      'the signature is missing, wrong or too old',
    ])
    expect(heard).toEqual({ bodies: [], verified: 1 })
  })

  it('P6: parses strictly what was signed, and only then', async () => {
    const heard = await open()
    expect((await send('{not json')).json).toMatchObject({ status: 400, code: 'invalid_json' })
    expect((await send('{"a":1,"a":2}')).json).toMatchObject({ status: 400 })
    expect((await send('')).json).toMatchObject({ status: 400, code: 'invalid_json' })
    expect(heard).toEqual({ bodies: [], verified: 3 })
  })

  it('P6: an old signature is one of another day', async () => {
    await open()
    const at = http.setup.clock.now()
    const headers = { 'x-at': String(at), 'x-signature': sign(at, '{}') }
    expect((await send('{}', headers)).status).toBe(200)
    http.setup.clock.jump(FIVE_MINUTES_MS + 1)
    expect((await send('{}', headers)).status).toBe(401)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no key')
      },
    ],
    ['promises', (async () => true) as unknown as () => boolean],
    ['says something like yes', (() => 'yes') as unknown as () => boolean],
    ['says nothing', (() => undefined) as unknown as () => boolean],
  ])('P5: a verify that %s says no', async (_, lax) => {
    const heard = await open(done, { verify: lax })
    const { status, text } = await send('{}')
    expect(status).toBe(401)
    expect(text).not.toContain('no key')
    expect(heard.bodies).toEqual([])
  })

  it('takes no credential for a signature, and no page', async () => {
    const heard = await open()
    const authorization = `Bearer ${http.tokens.ana}`
    expect((await send('{}', { authorization, 'x-signature': '' })).status).toBe(401)
    const own = `http://${http.host}`
    for (const headers of [{ origin: own }, { 'sec-fetch-site': 'same-origin' }]) {
      expect((await send('{}', headers as unknown as Record<string, string>)).json).toMatchObject({
        status: 403,
        code: 'foreign_origin',
      })
    }
    expect((await http.send('GET', PATH, { as: 'ana' })).status).toBe(405)
    expect(heard.bodies).toEqual([])
  })

  it('takes only its own type, not compressed', async () => {
    const heard = await open()
    for (const type of ['text/plain', FORM_TYPE, 'application/json; charset=latin1']) {
      expect((await send('{}', {}, type)).json).toMatchObject({ status: 415, code: 'wrong_media_type' })
    }
    expect((await send('{}', { 'content-encoding': 'gzip' })).status).toBe(415)
    expect(heard).toEqual({ bodies: [], verified: 0 })
  })

  it('reads no more than its limit, announced or not, and verifies nothing of it', async () => {
    const heard = await open()
    expect((await send('x'.repeat(1001))).json).toMatchObject({ status: 413, code: 'too_large', limit: 1000 })
    const chunked = http.raw()
    chunked.write(`${head()}transfer-encoding: chunked\r\n\r\n`)
    for (let count = 0; count < 5; count++) chunked.write(`100\r\n${'x'.repeat(256)}\r\n`)
    expect(await answerOf(chunked)).toMatch(/^HTTP\/1.1 413 /)
    expect(heard).toEqual({ bodies: [], verified: 0 })
  })

  it('waits ten seconds for a body, and gives the place to another', async () => {
    await open()
    const slow = [http.raw(), http.raw()]
    for (const socket of slow) socket.write(`${head()}content-length: 100\r\n\r\n{`)
    await expect.poll(async () => (await send('{}')).status).toBe(429)
    await http.setup.clock.advance(10_000)
    for (const socket of slow) expect(await answerOf(socket)).toMatch(/^HTTP\/1.1 400 .*in time/s)
    expect((await send('{}')).status).toBe(200)
  })
})

describe('places', () => {
  const hello = (): PublicDoor & { release(): void } => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return {
      kind: 'public',
      channel: 'relay',
      path: '/relay/hello',
      summary: 'Says hello.',
      places: 2,
      async answer({ query }) {
        if (query('wait') !== undefined) await promise
        return { kind: 'json', status: 200, body: {} }
      },
      release: resolve,
    }
  }

  it('a flood at a signed door takes none away from other doors, people and sockets', async () => {
    const { release: _, ...other } = hello()
    await open(done, { others: [other] })
    for (const socket of [http.raw(), http.raw()]) socket.write(`${head()}content-length: 100\r\n\r\n{`)
    await expect.poll(async () => (await send('{}')).json?.code).toBe('too_many_connections')
    expect((await http.send('GET', '/relay/hello')).status).toBe(200)
    expect((await http.send('GET', '/v1/requests', { as: 'ana' })).status).toBe(200)
    const socket = http.socket()
    await socket.opened
    socket.socket.close()
  })

  it('and no flood elsewhere takes one of its', async () => {
    const { release, ...other } = hello()
    await open(done, { others: [other] })
    const waiting = [1, 2].map(() => http.send('GET', '/relay/hello?wait=1'))
    await expect.poll(async () => (await http.send('GET', '/relay/hello')).status).toBe(429)
    expect((await send('{}')).status).toBe(200)
    release()
    for (const answer of waiting) expect((await answer).status).toBe(200)
    expect((await http.send('GET', '/relay/hello')).status).toBe(200)
  })

  it('nor does one at a public door at the same path, as services have it that ask before they send', async () => {
    const { release, ...other } = hello()
    await open(done, { others: [{ ...other, path: PATH }] })
    const waiting = [1, 2].map(() => http.send('GET', `${PATH}?wait=1`))
    await expect.poll(async () => (await http.send('GET', PATH)).status).toBe(429)
    expect((await send('{}')).status).toBe(200)
    release()
    for (const answer of waiting) expect((await answer).status).toBe(200)
  })

  it('a public door takes GET, and is nobody’s whatever is sent along', async () => {
    const { release: _, ...other } = hello()
    await open(done, { others: [other] })
    expect((await http.send('GET', '/relay/hello', { as: 'ana' })).json).toEqual({})
    expect((await http.send('HEAD', '/relay/hello')).status).toBe(405)
    expect((await http.send('POST', '/relay/hello', { as: 'ana', body: {} })).status).toBe(405)
  })
})

function head(): string {
  return `POST ${PATH} HTTP/1.1\r\nhost: ${http.host}\r\ncontent-type: ${JSON_TYPE}\r\n`
}

async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (/\r\n\r\n.*\}/s.test(text)) break
  }
  socket.destroy()
  return text
}
