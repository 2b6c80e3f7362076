import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../../test/fixtures/http-gateway.ts'
import { judgeByEnvironment } from '../../../gateway/fixtures/grant-fixtures.ts'
import * as answers from '../../../wire/answers.ts'
import * as grantWire from '../../../wire/grant.ts'
import * as pageWire from '../../../wire/page.ts'
import type { WireRequest } from '../../../wire/types/request.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy: judgeByEnvironment() } })
})
afterAll(() => http.close())

const to = (environment: string, session: string) => ({ arguments: { environment }, session })
const decide = ({ id, digest }: WireRequest, body: object, as: Who = 'ben') =>
  http.send('POST', `/v1/requests/${id}/decisions`, { as, body: { decision: 'approve', digest, ...body } })
const suggestions = (id: string, as: Who) => http.send('GET', `/v1/requests/${id}/suggestions`, { as })
const submit = async (callId: string, call: object) => {
  const body = { tool: 'deploy', callId, ...call }
  return (await http.send('POST', '/v1/calls', { as: 'agent-1', body })).json.verdict
}

async function grantOf(request: WireRequest) {
  const { json } = await http.send('GET', '/v1/grants?limit=200', { as: 'eve' })
  expect(pageWire.pageOf(grantWire.grant).parse(json)).toEqual(json)
  return json.items.find((grant: { requestId: string }) => grant.requestId === request.id)
}

describe('the ledger', () => {
  it('shows a grant for exactly one call with that call, and people revoke it', async () => {
    const request = await http.ask(to('staging', 'exact'))
    await decide(request, { scope: 'session' })
    const grant = await grantOf(request)
    expect(grant).toMatchObject({
      tool: 'deploy',
      session: 'exact',
      scope: 'session',
      digest: request.digest,
      rules: ['deploys'],
      createdBy: 'ben',
      uses: 0,
    })
    expect(grant.words).toMatch(/^exactly this call: .*staging/)
    expect((await submit('covered', to('staging', 'exact'))).kind).toBe('allow')
    const path = `/v1/grants/${grant.id}`
    expect((await http.send('DELETE', path, { as: 'agent-1' })).status).toBe(403)
    expect((await http.send('DELETE', path, { as: 'ben' })).status).toBe(204)
    expect((await submit('asked', to('staging', 'exact'))).kind).toBe('ask')
    expect((await grantOf(request)).revoked).toMatchObject({ by: 'ben' })
    expect((await http.send('DELETE', '/v1/grants/none', { as: 'ben' })).json.code).toBe('unknown_id')
    expect((await http.send('GET', '/v1/grants', { as: 'agent-1' })).status).toBe(403)
  })

  it('shows a wide one with its words, its bounds and what is left', async () => {
    const request = await http.ask(to('test', 'wide'))
    const terms = { suggestion: 'shape', expiresIn: '90m', uses: 3, includeSubSessions: true }
    const { json, status } = await decide(request, { scope: 'session', grant: terms })
    expect(status).toBe(200)
    expect(json.request.decision).toMatchObject({ scope: 'session', grant: terms })
    expect(json.request.votes).toMatchObject([{ by: 'ben', grant: terms }])
    expect(answers.decided.parse(json)).toEqual(json)
    const verdict = await submit('wide-1', {
      ...to('test', 'wide'),
      arguments: { environment: 'test', n: 1 },
    })
    const grant = await grantOf(request)
    expect(verdict).toMatchObject({ kind: 'allow', rule: `grant ${grant.id}` })
    expect(grant).toMatchObject({ words: 'deploy to test', includeSubSessions: true, uses: 1, usesLeft: 2 })
    expect(Date.parse(grant.expiresAt) - Date.parse(grant.createdAt)).toBe(90 * 60_000)
    expect(grant.digest).toBeUndefined()
  })

  it('says so where the arguments of its one call were erased', async () => {
    const request = await http.ask(to('old', 'old'))
    await decide(request, { scope: 'always', grant: { uses: 1 } })
    await http.setup.gateway.cancel(request.id, {}, { subject: 'agent-1', role: 'agent', via: 'test' })
    http.setup.clock.jump(1000)
    await http.setup.gateway.history.eraseOlderThan(0)
    expect((await grantOf(request)).words).toContain('were erased')
  })
})

describe('a decision with a grant', () => {
  it.each<[string, object, string]>([
    ['no time at all', { expiresIn: '0s' }, '/grant/expiresIn'],
    ['a time that is none', { expiresIn: 'soon' }, '/grant/expiresIn'],
    ['a time that is over', { expiresIn: '-1h' }, '/grant/expiresIn'],
    ['more than a year', { expiresIn: '366d' }, '/grant/expiresIn'],
    ['more than any number', { expiresIn: `${'9'.repeat(400)}d` }, '/grant/expiresIn'],
    ['milliseconds', { expiresInMs: 1000 }, '/grant/expiresInMs'],
    ['a text for a number', { uses: '5' }, '/grant/uses'],
  ])('P5: %s is refused where it stands', async (_, grant, pointer) => {
    const request = await http.ask(to('staging', 'bad'))
    const { status, json } = await decide(request, { scope: 'always', grant })
    expect([status, json.code, json.pointer]).toEqual([422, 'invalid_decision', pointer])
    if (pointer === '/grant/expiresIn') expect(json.detail).toContain('as in 15m, 8h or 30d')
  })

  it.each<[string, object, string, string]>([
    ['without a scope', { grant: {} }, 'invalid_decision', 'grant needs scope session or always'],
    ['without a use', { scope: 'always', grant: { uses: 0 } }, 'invalid_decision', 'from 1 to'],
    [
      'that is not offered',
      { scope: 'always', grant: { suggestion: 'x' } },
      'scope_not_allowed',
      'it takes call, shape, tool',
    ],
  ])('P5: one %s is refused, and told what would be right', async (_, body, code, detail) => {
    const request = await http.ask(to('staging', 'bad'))
    const answer = await decide(request, body)
    expect([answer.status, answer.json.code]).toEqual([422, code])
    expect(answer.json.detail).toContain(detail)
    expect((await http.send('GET', `/v1/requests/${request.id}`, { as: 'ben' })).json.state).toBe('pending')
  })

  it('P2: who comes second is told the first one’s, as it was written', async () => {
    const request = await http.ask(to('staging', 'second'))
    const grant = { expiresIn: '2d' }
    await decide(request, { scope: 'session', grant })
    const late = await decide(request, {}, 'ana')
    expect([late.status, late.json.decision.grant]).toEqual([409, grant])
  })

  it('goes over the socket, too', async () => {
    const request = await http.ask(to('staging', 'socket'))
    const socket = http.socket()
    await socket.opened
    socket.send({ type: 'hello', token: http.tokens.ben })
    const decision = { decision: 'approve', digest: request.digest, scope: 'session' }
    socket.send({ type: 'decide', ref: '1', id: request.id, ...decision, grant: { expiresIn: 'soon' } })
    socket.send({
      type: 'decide',
      ref: '2',
      id: request.id,
      ...decision,
      grant: { expiresIn: '1h', uses: 1 },
    })
    const results = []
    while (results.length < 2) {
      const frame = await socket.next()
      if (frame.type === 'result') results.push(frame)
    }
    socket.socket.close()
    expect(results[0].problem).toMatchObject({ code: 'invalid_decision', pointer: '/grant/expiresIn' })
    expect(results[1]).toMatchObject({ decided: true, request: { decision: { grant: { expiresIn: '1h' } } } })
    expect(await grantOf(request)).toMatchObject({ usesLeft: 1 })
  })
})

describe('GET /v1/requests/{id}/suggestions', () => {
  it('says what could be granted, and what it would have matched', async () => {
    const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`
    const before = await http.ask({ arguments: { environment: 'asia', token: secret }, session: 'suggested' })
    await decide(before, { decision: 'reject' })
    const { id } = await http.ask(to('asia', 'suggested'))
    const { json, text } = await suggestions(id, 'ben')
    expect(grantWire.suggestions.parse(json)).toEqual(json)
    expect(json.suggestions.map((each: { id: string }) => each.id)).toEqual(['call', 'shape', 'tool'])
    expect(json.suggestions[1]).toMatchObject({
      width: 'shape',
      words: 'deploy to asia',
      matched: { calls: 1, days: 30, asked: 1, rejected: 1, denied: 0 },
    })
    expect(json.suggestions[1].matched.examples).toEqual([expect.stringContaining('asia')])
    expect(text).not.toContain(secret)
  })

  it('P6: is for who may decide, while it waits', async () => {
    const request = await http.ask(to('staging', 'seen'))
    const told = async (as: Who, id = request.id) => {
      const { status, json } = await suggestions(id, as)
      return [status, json.code]
    }
    expect(await told('eve')).toEqual([403, 'not_yours'])
    expect(await told('agent-1')).toEqual([403, 'forbidden'])
    expect(await told('agent-1', 'req_none')).toEqual([403, 'forbidden'])
    expect(await told('ana', 'req_none')).toEqual([404, 'unknown_id'])
    await decide(request, {})
    expect(await told('ana')).toEqual([409, 'not_pending'])
  })
})
