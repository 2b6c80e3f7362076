import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../../test/fixtures/http-gateway.ts'
import { createClient } from '../../../client/index.ts'
import { ask, policyFrom } from '../../../gateway/fixtures/test-gateway.ts'
import * as schemas from '../../../wire/history.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`

const policy = policyFrom(({ tool }) =>
  tool.startsWith('read_') ? { kind: 'allow', because: 'fine', rule: 'reads' } : ask('default'),
)

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy } })
  await settle('read_file', 'settled', { path: 'src/main.ts', token: SECRET })
  const request = await http.ask({ callId: 'approved', arguments: { token: SECRET, to: 'staging' } })
  const body = { decision: 'approve', digest: request.digest }
  await http.send('POST', `/v1/requests/${request.id}/decisions`, { as: 'ben', body })
  await http.ask({ callId: 'pending', session: 's2' })
})
afterAll(() => http.close())

async function settle(tool: string, callId: string, args: object): Promise<void> {
  const body = { tool, callId, session: 's1', arguments: args }
  await http.send('POST', '/v1/calls', { as: 'agent-1', body })
  await http.setup.gateway.flush()
}

const get = (path: string, as: Who = 'eve', headers = {}) => http.send('GET', path, { as, headers })
// biome-ignore lint/suspicious/noExplicitAny: items of both kinds.
const nameOf = (item: any) => item.request?.callId ?? item.call.callId

describe('GET /v1/history', () => {
  it('has what was asked and what was settled, in the shapes that are described', async () => {
    const { json } = await get('/v1/history')
    expect(schemas.history.parse(json)).toEqual(json)
    expect(json.items.map(nameOf)).toEqual(['pending', 'approved', 'settled'])
    expect(json).toMatchObject({ looked: 3, back: expect.stringMatching(/Z$/) })
    expect(json).not.toHaveProperty('cursor')
    expect(json.items[1]).toMatchObject({
      kind: 'asked',
      request: { state: 'approved', decision: { by: 'ben' }, yours: false },
    })
    expect(json.items[2]).toMatchObject({
      kind: 'settled',
      call: { tool: 'read_file', verdict: 'allow', summary: expect.stringMatching(/^read_file: /) },
    })
  })

  it('leaves the arguments of what was asked out: who wants to read one opens it', async () => {
    const { json } = await get('/v1/history?verdict=ask')
    for (const { request } of json.items) expect(request).toMatchObject({ arguments: {}, shortened: true })
  })

  it('P9: has no secret anywhere, no key of a commitment, and finds none by searching for it', async () => {
    const { text } = await get('/v1/history')
    expect(text).not.toContain(SECRET.slice(4, 12))
    expect(text).not.toMatch(/commitment/i)
    for (const part of [SECRET, 'ghp_', SECRET.slice(-10).toLowerCase()]) {
      const { json } = await get(`/v1/history?text=${part}`)
      expect([json.items, json.looked]).toEqual([[], 3])
    }
    const { json } = await get('/v1/history?text=TOKEN')
    expect(json.items.map(nameOf)).toEqual(['approved', 'settled'])
  })

  it("P6, P11: an agent's token is refused, for its own calls too", async () => {
    for (const path of ['/v1/history', '/v1/history?session=s1', '/v1/oversight', '/v1/oversight?days=7']) {
      const { status, json } = await get(path, 'agent-1')
      expect([status, json.code]).toEqual([403, 'forbidden'])
    }
    expect((await http.send('GET', '/v1/history')).status).toBe(401)
  })

  it('filters and goes on, through the client', async () => {
    const client = createClient({ url: `http://${http.host}`, token: http.tokens.ana })
    const first = await client.history({ limit: 1, session: 's1' })
    expect(first.items.map(nameOf)).toEqual(['approved'])
    const second = await client.history({ limit: 1, session: 's1', cursor: first.cursor! })
    expect(second.items.map(nameOf)).toEqual(['settled'])
    const filters = { state: 'approved', tool: 'dep*', by: 'ben', rule: 'default', text: 'STAGING' } as const
    expect((await client.history(filters)).items.map(nameOf)).toEqual(['approved'])
    const now = new Date(http.setup.clock.now()).toISOString()
    expect((await client.history({ until: now })).items).toEqual([])
    expect((await client.history({ since: now })).items).toHaveLength(3)
    expect((await client.history({ since: '2020-01-01' })).items).toHaveLength(3)
  })

  it.each([
    ['verdict=maybe', '/verdict'],
    ['state=asleep', '/state'],
    ['limit=0', '/limit'],
    ['limit=201', '/limit'],
    ['since=yesterday', '/since'],
    ['since=2026-02-31', '/since'],
    ['until=2026-01-01T00:00:00', '/until'],
    ['since=2026-01-02&until=2026-01-01', '/since'],
    ['tool=', '/tool'],
    [`text=${'x'.repeat(257)}`, '/text'],
    ['who=ana', '/who'],
  ])('refuses %s by name', async (query, pointer) => {
    const { status, json } = await get(`/v1/history?${query}`)
    expect([status, json.code, json.pointer]).toEqual([400, 'invalid', pointer])
  })

  it('refuses what is no cursor', async () => {
    expect((await get('/v1/history?cursor=nonsense')).json.code).toBe('invalid')
  })
})

describe('GET /v1/oversight', () => {
  it('has the figures, in the shape that is described', async () => {
    const { json } = await get('/v1/oversight?days=3&offset=480')
    expect(schemas.oversight.parse(json)).toEqual(json)
    expect(json).toMatchObject({
      days: 3,
      calls: 3,
      states: { approved: 1, pending: 1 },
      timeToDecide: { decided: 1, medianMs: 0 },
      quick: { decisions: 1, streaks: [] },
      rules: [{ rule: 'default', asked: 2, approved: 1 }],
      people: [{ by: 'ben', decided: 1, approved: 1 }],
    })
    expect(json.perDay).toHaveLength(3)
    expect(json.from).toMatch(/T16:00:00\.000Z$/)
    expect(json).not.toHaveProperty('cut')
  })

  it('is asked for by the client, with what is meant without a word', async () => {
    const client = createClient({ url: `http://${http.host}`, token: http.tokens.ben })
    expect((await client.oversight()).perDay).toHaveLength(14)
    expect((await client.oversight({ days: 1, offset: -300 })).from).toMatch(/T05:00:00\.000Z$/)
  })

  it.each([
    ['days=0', '/days'],
    ['days=91', '/days'],
    ['days=many', '/days'],
    ['days=1.5', '/days'],
    ['offset=841', '/offset'],
    ['offset=-721', '/offset'],
    ['week=1', '/week'],
  ])('refuses %s by name', async (query, pointer) => {
    const { status, json } = await get(`/v1/oversight?${query}`)
    expect([status, json.code, json.pointer]).toEqual([400, 'invalid', pointer])
  })
})
