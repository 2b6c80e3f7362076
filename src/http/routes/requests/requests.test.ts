import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../../test/fixtures/http-gateway.ts'
import { defined } from '../../../core/defined.ts'
import * as answers from '../../../wire/answers.ts'
import * as callWire from '../../../wire/call.ts'
import * as pageWire from '../../../wire/page.ts'
import * as requestWire from '../../../wire/request.ts'
import type { WireRequest } from '../../../wire/types/request.ts'

let http: HttpGateway
let request: WireRequest
let sessions = 0
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy: { deny: ['drop'] } } })
})
afterAll(() => http.close())
beforeEach(async () => {
  request = await http.ask({ session: `s-${++sessions}` })
})

const decide = (as: Who, body: object, id = request.id) =>
  http.send('POST', `/v1/requests/${id}/decisions`, { as, body: { digest: request.digest, ...body } })
const get = async (as: Who, id = request.id) => http.send('GET', `/v1/requests/${id}`, { as })
const act = (verb: string, body: object | undefined, as: Who = 'agent-1') =>
  http.send('POST', `/v1/requests/${request.id}/${verb}`, { as, body })

describe('a decision', () => {
  it('is recorded with who made it, and repeating it is a success', async () => {
    const first = await decide('ben', { decision: 'approve' })
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({
      decided: true,
      repeated: false,
      request: { state: 'approved', version: 2 },
    })
    expect(first.json.request.decision).toMatchObject({ kind: 'approve', by: 'ben', via: 'http' })
    expect(answers.decided.parse(first.json)).toEqual(first.json)
    expect((await decide('ben', { decision: 'approve' })).json).toMatchObject({
      decided: true,
      repeated: true,
    })
  })

  it('P2: of two that race one is recorded, and the other is told which and whose', async () => {
    const results = await Promise.all([
      decide('ana', { decision: 'approve' }),
      decide('ben', { decision: 'reject', reason: 'not today' }),
    ])
    const [won, lost] = results.sort((one, other) => one.status - other.status)
    expect([won?.status, lost?.status]).toEqual([200, 409])
    const recorded = won?.json.request.decision
    expect(lost?.json).toMatchObject({
      code: 'already_decided',
      state: won?.json.request.state,
      decision: recorded,
    })
  })

  it("P6, P11: an agent's is refused, whatever it says, and is on the record", async () => {
    for (const decision of ['approve', 'reject', 'terminate']) {
      const { status, json } = await decide('agent-1', { decision })
      expect([status, json.code]).toEqual([403, 'forbidden'])
    }
    expect((await get('ana')).json.state).toBe('pending')
    const chain = (await http.send('GET', '/v1/journal', { as: 'ana' })).json.items.at(-1).chain
    const entries = (await http.send('GET', `/v1/journal?chain=${chain}&limit=1000`, { as: 'ana' })).json
      .items
    const attempts = entries.filter((entry: { type: string; body: string }) => {
      return entry.type === 'attempt.refused' && entry.body.includes(request.id)
    })
    expect(attempts).toHaveLength(1)
  })

  it('P6: who may not see a request is told that there is none, on every route', async () => {
    const missing = (await get('agent-2', 'req_none')).json
    const answersOf = [
      await get('agent-2'),
      await decide('agent-2', { decision: 'approve' }),
      await act('claim', { digest: request.digest, key: 'k' }, 'agent-2'),
      await act('claim/renew', { claimId: 'c' }, 'agent-2'),
      await act('outcome', { claimId: 'c', outcome: 'ok' }, 'agent-2'),
      await act('cancel', {}, 'agent-2'),
      await act('settle', { outcome: 'ok' }, 'agent-2'),
      await act('reveal', undefined, 'agent-2'),
      await http.send('GET', `/v1/requests/${request.id}/arguments`, { as: 'agent-2' }),
    ]
    for (const { status, json } of answersOf) {
      expect(status).toBe(404)
      expect(json).toEqual(JSON.parse(JSON.stringify(missing).replaceAll('req_none', request.id)))
    }
    expect((await http.send('GET', '/v1/requests', { as: 'agent-2' })).json.items).toEqual([])
    expect((await get('agent-1')).json.state).toBe('pending')
  })

  it('P6: who may see but not decide is told so, and it stays pending', async () => {
    expect((await get('eve')).json).toMatchObject({ id: request.id, yours: false })
    for (const body of [{ decision: 'approve' }, { decision: 'terminate' }]) {
      const { status, json } = await decide('eve', body)
      expect([status, json.code]).toEqual([403, 'not_yours'])
    }
    expect((await act('cancel', {}, 'eve')).json.code).toBe('not_yours')
    expect((await get('ben')).json).toMatchObject({ state: 'pending', yours: true })
  })

  it('P6: who it is comes from the credential, not from the body', async () => {
    const { status, json } = await decide('eve', { decision: 'approve', by: 'ana' })
    expect([status, json.code, json.pointer]).toEqual([422, 'invalid_decision', '/by'])
  })

  it('P3: on something else than what was shown is refused', async () => {
    const { status, json } = await decide('ben', { decision: 'approve', digest: 'f'.repeat(64) })
    expect([status, json.code]).toEqual([409, 'digest_mismatch'])
  })

  it.each([
    [{ decision: 'maybe' }, 'invalid_decision'],
    [{ decision: 'respond' }, 'invalid_decision'],
    [{ decision: 'approve', arguments: {} }, 'invalid_decision'],
    [{ decision: 'answer', answers: {} }, 'decision_not_allowed'],
    [{ decision: 'approve', scope: 'forever' }, 'invalid_decision'],
    [{ decision: 'reject', reason: 7 }, 'invalid_decision'],
  ])('that makes no sense is refused: %j', async (body, code) => {
    const { status, json } = await decide('ben', body)
    expect([status, json.code]).toEqual([422, code])
    expect((await get('ben')).json.state).toBe('pending')
  })

  it('after the deadline is told that it expired', async () => {
    const { clock } = http.setup
    clock.jump(25 * 60 * 60_000)
    const { status, json } = await decide('ben', { decision: 'approve' })
    expect([status, json.code]).toEqual([409, 'expired'])
    expect((await get('ben')).json).toMatchObject({ state: 'expired', expiresAt: null })
  })
})

describe('from the approval to the outcome', () => {
  it('P3, P4: an edit is claimed once, as it was edited, and reported', async () => {
    const edited = await decide('ana', { decision: 'edit', arguments: { to: 'canary' } })
    const { digest } = edited.json.request
    expect(edited.json.request.edited).toEqual({ by: 'ana', digest })
    expect((await act('claim', { digest: request.digest, key: 'k' })).json.code).toBe('digest_mismatch')

    const claim = await act('claim', { digest, key: 'k' })
    expect(claim.json).toMatchObject({ arguments: { to: 'canary' }, digest })
    expect(callWire.claim.parse(claim.json)).toEqual(claim.json)
    expect((await act('claim', { digest, key: 'k' })).json.claimId).toBe(claim.json.claimId)
    expect((await act('claim', { digest, key: 'other' })).json.code).toBe('already_claimed')

    const { claimId } = claim.json
    expect((await act('claim/renew', { claimId })).json).toMatchObject({ stop: false })
    await act('cancel', { reason: 'enough' }, 'ana')
    const renewed = await act('claim/renew', { claimId })
    expect(renewed.json).toMatchObject({ stop: true })
    expect(callWire.renewal.parse(renewed.json)).toEqual(renewed.json)

    const done = await act('outcome', { claimId, outcome: 'error', summary: 'stopped \u001b[31mhalfway' })
    expect(done.json).toMatchObject({
      state: 'done',
      outcome: { kind: 'error', by: 'agent-1' },
      stop: { by: 'ana' },
    })
    expect(done.json.outcome.summary).toContain('⟨ESC⟩')
  })

  it('P4: another outcome than the recorded one is refused with that one; the same is a success again', async () => {
    await decide('ben', { decision: 'approve' })
    const { claimId } = (await act('claim', { digest: request.digest, key: 'k' })).json
    const report = (outcome: string, summary?: string) =>
      act('outcome', { claimId, outcome, ...defined({ summary }) })
    expect((await report('ok', 'deployed')).status).toBe(200)
    const again = await report('ok', 'deployed')
    expect([again.status, again.json.outcome]).toMatchObject([200, { kind: 'ok', summary: 'deployed' }])
    for (const other of [
      await report('ok'),
      await report('error', 'deployed'),
      await report('error'),
      await report('ok', 'half'),
    ]) {
      expect([other.status, other.json.code]).toEqual([409, 'already_reported'])
      expect(other.json.outcome).toMatchObject({ kind: 'ok', summary: 'deployed', by: 'agent-1' })
    }
    expect((await get('ben')).json.outcome).toMatchObject({ kind: 'ok', summary: 'deployed' })
    expect(Object.keys((await get('ben')).json.outcome).sort()).toEqual(['at', 'by', 'kind', 'summary'])
  })

  it('P4: a long summary is compared as a whole, though only its beginning is kept', async () => {
    await decide('ben', { decision: 'approve' })
    const { claimId } = (await act('claim', { digest: request.digest, key: 'k' })).json
    const report = (summary?: string) => act('outcome', { claimId, outcome: 'ok', summary })
    const long = 'x'.repeat(5000)
    for (const summary of [long, long]) expect((await report(summary)).status).toBe(200)
    for (const summary of [`${long}y`, long.slice(0, 4096), long.slice(0, 4999), '', undefined]) {
      const other = await report(summary)
      expect([other.status, other.json.code]).toEqual([409, 'already_reported'])
    }
  })

  it('P4: a summary after none is another report, and none again is the same', async () => {
    await decide('ben', { decision: 'approve' })
    const { claimId } = (await act('claim', { digest: request.digest, key: 'k' })).json
    const report = (summary?: string) => act('outcome', { claimId, outcome: 'ok', summary })
    expect((await report()).status).toBe(200)
    expect((await report()).status).toBe(200)
    expect((await report('done')).status).toBe(409)
  })

  it('P4: what a person settled is not overturned by a late report', async () => {
    await decide('ben', { decision: 'approve' })
    const { claimId } = (await act('claim', { digest: request.digest, key: 'k' })).json
    await http.setup.clock.advance(31_000)
    await act('settle', { outcome: 'error', summary: 'I looked' }, 'ben')
    expect((await act('outcome', { claimId, outcome: 'error', summary: 'failed' })).status).toBe(200)
    const late = await act('outcome', { claimId, outcome: 'ok' })
    expect([late.status, late.json.outcome.kind, late.json.outcome.by]).toEqual([409, 'error', 'ben'])
  })

  it('P9: the reason of a decision is told like all that is shown', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const secret = await http.ask({ arguments: { token } })
    const reason = `no \u001b[2K\u202e ${token}\nsecond line`
    const body = { decision: 'reject', digest: secret.digest, reason }
    const rejected = await http.send('POST', `/v1/requests/${secret.id}/decisions`, { as: 'ben', body })
    const raced = await http.send('POST', `/v1/requests/${secret.id}/decisions`, {
      as: 'ana',
      body: { ...body, decision: 'approve', reason: undefined },
    })
    const read = await http.send('GET', `/v1/requests/${secret.id}`, { as: 'agent-1' })
    for (const { decision } of [rejected.json.request, raced.json, read.json]) {
      expect(decision.reason).toContain('no ⟨ESC⟩[2K')
      expect(decision.reason).toContain('\nsecond line')
      expect(decision.reason).not.toMatch(/[\u001b\u202e]/)
    }
    expect(read.text + rejected.text + raced.text).not.toContain(token)
  })

  it('P4: an unknown outcome is settled by a person, not by the agent', async () => {
    await decide('ben', { decision: 'approve' })
    await act('claim', { digest: request.digest, key: 'k' })
    await http.setup.clock.advance(31_000)
    expect((await get('ben')).json.state).toBe('unknown')
    expect((await act('settle', { outcome: 'ok' })).status).toBe(403)
    expect((await act('settle', { outcome: 'maybe' }, 'ben')).status).toBe(400)
    const settled = await act('settle', { outcome: 'ok', summary: 'I looked' }, 'ben')
    expect(settled.json).toMatchObject({ state: 'done', outcome: { kind: 'ok', by: 'ben' } })
  })

  it('the agent withdraws its request', async () => {
    const { json } = await act('cancel', undefined)
    expect(json).toMatchObject({
      recorded: true,
      request: { state: 'cancelled', cancelled: { cause: 'withdrawn' } },
    })
    expect(answers.cancelled.parse(json)).toEqual(json)
    expect((await decide('ben', { decision: 'approve' })).json.code).toBe('cancelled')
  })

  it('an answered call has the answer, and a question its answers', async () => {
    const responded = await decide('ben', { decision: 'respond', text: 'use staging' })
    expect(responded.json.request).toMatchObject({ state: 'answered', decision: { text: 'use staging' } })

    const questions = [{ id: 'q', question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }]
    const asked = await http.ask({
      session: request.session,
      tool: 'ask_user_question',
      arguments: { questions },
    })
    expect(asked).toMatchObject({ kind: 'question', questions })
    const body = { decision: 'answer', digest: asked.digest, answers: { q: { choices: ['b'] } } }
    const answered = await decide('ben', body, asked.id)
    expect(answered.json.request).toMatchObject({ state: 'answered', decision: { answers: body.answers } })
    expect(answers.decided.parse(answered.json)).toEqual(answered.json)
  })
})

describe('a list', () => {
  it('is by state and session, in pages, and each sees what is theirs to see', async () => {
    const session = request.session
    const second = await http.ask({ session })
    const path = `/v1/requests?session=${session}&limit=1`
    const first = await http.send('GET', path, { as: 'ben' })
    expect(first.json.items.map((item: WireRequest) => [item.id, item.yours])).toEqual([[request.id, true]])
    const next = await http.send('GET', `${path}&cursor=${encodeURIComponent(first.json.cursor)}`, {
      as: 'agent-1',
    })
    expect(next.json.items.map((item: WireRequest) => [item.id, item.yours])).toEqual([[second.id, false]])
    expect(pageWire.pageOf(requestWire.request).parse(first.json)).toEqual(first.json)
    await decide('ben', { decision: 'reject' })
    const rejected = await http.send('GET', `/v1/requests?session=${session}&state=rejected`, { as: 'ben' })
    expect(rejected.json.items.map((item: WireRequest) => item.id)).toEqual([request.id])
  })

  it('P9: cuts long arguments and says so; the request alone has them whole', async () => {
    const text = 'x'.repeat(200_000)
    const { id, session } = await http.ask({ session: `long-${sessions}`, arguments: { text } })
    const { json, text: page } = await http.send('GET', `/v1/requests?session=${session}`, { as: 'ben' })
    expect(page.length).toBeLessThan(50_000)
    expect(json.items[0]).toMatchObject({ id, shortened: true })
    expect(JSON.stringify(json.items[0].arguments)).toContain('left out')
    const whole = await get('ben', id)
    expect(whole.json.arguments.text).toBe(text)
    expect(whole.json.shortened).toBeUndefined()
  })
})
