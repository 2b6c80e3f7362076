import { once } from 'node:events'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { MAX_BODY_BYTES } from './read-body.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy: { allow: ['read'] } } })
})
afterAll(() => http.close())

const call = { tool: 'deploy', arguments: {}, callId: 'one', session: 'bad-input' }
const post = (text: string | Uint8Array, headers = {}) =>
  http.send('POST', '/v1/calls', {
    as: 'agent-1',
    text,
    headers: { 'content-type': 'application/json', ...headers },
  })

/** Nothing of what was refused is left behind. */
async function expectNothing() {
  await http.setup.gateway.flush()
  expect((await http.send('GET', '/v1/requests?session=bad-input', { as: 'ana' })).json.items).toEqual([])
  expect((await http.send('GET', '/v1/calls?session=bad-input', { as: 'ana' })).json.items).toEqual([])
}

describe('a body that is not what it should be has its own code and leaves nothing behind', () => {
  it.each([
    ['an unknown field', { ...call, colour: 'red' }, '/colour', 'unknown field'],
    [
      'an unknown field further in',
      { ...call, agent: { name: 'a', nick: 'b' } },
      '/agent/nick',
      'unknown field',
    ],
    ['a wrong type', { ...call, tool: 7 }, '/tool', 'expected string'],
    ['a list for arguments', { ...call, arguments: [] }, '/arguments', 'expected object'],
    ['a missing field', { ...call, callId: undefined }, '/callId', 'expected string'],
    ['no object at all', [call], '', 'expected object'],
    ['null', null, '', 'expected object'],
    ['a space in an id', { ...call, callId: 'a b' }, '/callId', 'must not contain spaces'],
    ['an empty tool name', { ...call, tool: '' }, '/tool', 'must not be empty'],
  ])('%s', async (_, body, pointer, detail) => {
    const { status, json } = await post(JSON.stringify(body))
    expect([status, json.code, json.pointer]).toEqual([422, 'invalid_call', pointer])
    expect(json.detail).toContain(detail)
    await expectNothing()
  })

  it('P3: a member named __proto__ is an unknown field like any other, and an argument like any other', async () => {
    const sent = JSON.stringify(call)
    const refused = await post(`${sent.slice(0, -1)},"__proto__":{"a":1}}`)
    expect([refused.status, refused.json.code, refused.json.pointer]).toEqual([
      422,
      'invalid_call',
      '/__proto__',
    ])
    const kept = await post('{"tool":"deploy","arguments":{"__proto__":"x"},"callId":"p","session":"proto"}')
    expect(JSON.stringify(kept.json.request.arguments)).toBe('{"__proto__":"x"}')
  })

  it('names every fault', async () => {
    const { json } = await post(JSON.stringify({ ...call, tool: 7, cwd: 8, x: 9 }))
    expect(json.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual([
      '/cwd',
      '/tool',
      '/x',
    ])
  })

  it.each([
    ['broken JSON', '{"tool":\n "deploy",}', { line: 2, column: 10 }],
    ['duplicate keys', '{"tool":"a",\n"tool":"b"}', { line: 2, column: 1 }],
    ['two values', '{} {}', { line: 1, column: 4 }],
    ['a number that no double holds', '{"a":12345678901234567890}', { line: 1 }],
    ['a byte order mark', '\ufeff{}', { line: 1, column: 1 }],
    ['text that is no JSON', 'hello', { line: 1, column: 1 }],
  ])('P3: %s', async (_, text, where) => {
    const { status, json } = await post(text)
    expect([status, json.code]).toEqual([400, 'invalid_json'])
    expect(json).toMatchObject(where)
    await expectNothing()
  })

  it('P3: what is not UTF-8 is not repaired', async () => {
    const { status, json } = await post(new Uint8Array([0x22, 0xff, 0x22]))
    expect([status, json.code]).toEqual([400, 'invalid_json'])
  })

  it('deep nesting', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    const { status, json } = await post(deep)
    expect([status, json.code]).toEqual([400, 'invalid_json'])
  })

  it('no body', async () => {
    const { status, json } = await http.send('POST', '/v1/calls', { as: 'agent-1' })
    expect([status, json.code]).toEqual([422, 'invalid_call'])
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
    'application/json; charset=latin1',
  ])('another content type: %j', async (type) => {
    const { status, json } = await post(JSON.stringify(call), { 'content-type': type })
    expect([status, json.code]).toEqual([415, 'wrong_media_type'])
    await expectNothing()
  })

  it('a compressed body', async () => {
    const { status, json } = await post(JSON.stringify(call), { 'content-encoding': 'gzip' })
    expect([status, json.code]).toEqual([415, 'wrong_media_type'])
  })

  it('P5: whatever text is sent, the answer is a problem with a code, and never an allowed call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        const { status, json } = await post(text)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(json.code).toMatch(/^(invalid_json|invalid_call|wrong_media_type)$/)
      }),
      { numRuns: 100 },
    )
    expect(http.setup.faults).toEqual([])
  })
})

describe('a body that is too large', () => {
  it('is refused by its length: 10 MB of arguments', async () => {
    const { status, json } = await post(
      JSON.stringify({ ...call, arguments: { text: 'x'.repeat(10_000_000) } }),
    )
    expect([status, json.code, json.limit]).toEqual([413, 'too_large', MAX_BODY_BYTES])
    await expectNothing()
  })

  it('is refused by the gateway when the call alone is too large', async () => {
    const { status, json } = await post(
      JSON.stringify({ ...call, arguments: { text: 'x'.repeat(1_500_000) } }),
    )
    expect([status, json.code]).toEqual([413, 'too_large'])
  })

  it('is refused while it comes when it has no length, and never read to its end', async () => {
    const socket = http.raw()
    socket.write(
      `POST /v1/calls HTTP/1.1\r\nhost: ${http.host}\r\nauthorization: Bearer ${http.tokens['agent-1']}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    // The body never ends: an answer can only come because the limit was passed.
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let sent = 0; sent <= MAX_BODY_BYTES; sent += 0x10000) socket.write(chunk)
    const [answer] = await once(socket.setEncoding('utf8'), 'data')
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })
})

describe('a query', () => {
  it.each([
    ['/v1/requests?state=asleep', '/state'],
    ['/v1/requests?limit=0', '/limit'],
    ['/v1/requests?limit=201', '/limit'],
    ['/v1/requests?limit=ten', '/limit'],
    ['/v1/requests?colour=red', '/colour'],
    ['/v1/requests/x?hold=soon', '/hold'],
    ['/v1/requests/x?hold=-1s', '/hold'],
    ['/v1/journal?after=-1', '/after'],
  ])('that is wrong is told where: %s', async (path, pointer) => {
    const { status, json } = await http.send('GET', path, { as: 'ana' })
    expect([status, json.code, json.pointer]).toEqual([400, 'invalid', pointer])
  })

  it('that says the same thing twice, or has a cursor that is none, is refused', async () => {
    for (const path of ['/v1/requests?state=pending&state=done', '/v1/requests?cursor=nonsense']) {
      const { status, json } = await http.send('GET', path, { as: 'ana' })
      expect([status, json.code]).toEqual([400, 'invalid'])
    }
  })
})

it('an id that is none is unknown, whatever is in it', async () => {
  for (const id of ['x', '%00', '%E0%A4%A', 'a%2Fb', '__proto__', "';--", 'x'.repeat(2000)]) {
    const { status, json } = await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })
    expect([status, json.code]).toEqual([404, 'unknown_id'])
  }
})
