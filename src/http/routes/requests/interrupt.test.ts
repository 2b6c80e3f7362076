import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  type HttpGateway,
  openHttpGateway,
  type Who,
} from '../../../../test/fixtures/http-gateway.ts'
import { createClient } from '../../../client/create-client.ts'
import { ask, policyFrom } from '../../../gateway/fixtures/test-gateway.ts'
import * as schemas from '../../../wire/interrupt.ts'
import type { WireInterrupt, WireToolApproval } from '../../../wire/types/interrupt.ts'

let http: HttpGateway
const policy = policyFrom(({ tool }) => {
  if (tool === 'hers') return ask('only ana', { approvers: ['ana'] })
  if (tool === 'yes_or_no') return ask('few words', { only: ['approve', 'reject'] })
  const verdict = ask('any')
  return tool === 'soon' ? { ...verdict, terms: { ...verdict.terms, expiresInMs: 1000 } } : verdict
})
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy } })
})
afterAll(() => http.close())

let session = ''
let sessions = 0
beforeEach(() => {
  session = `interrupted/${++sessions}`
})

const path = (verb: string, of = session) => `/v1/sessions/${encodeURIComponent(of)}/${verb}`
const interrupt = (as: Who = 'ana', of = session) => http.send('GET', path('interrupt', of), { as })
const resume = (body: unknown, as: Who = 'ana', of = session) =>
  http.send('POST', path('resume', of), { as, body })
const stateOf = async (id: string) => (await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })).json
const told = ({ status, json }: Answer) => [status, json.code]

const where = { id: 'where', question: 'Where to?', options: [{ label: 'here' }, { label: 'far, far away' }] }
const which = {
  id: 'which',
  question: 'Which?',
  options: [{ label: 'a' }, { label: 'b' }],
  multiSelect: true,
}
const why = { id: 'why', question: 'Why?', header: 'Reason' }
const question = (callId: string, ...questions: object[]) =>
  http.ask({ session, callId, tool: 'ask_user_question', arguments: { questions } as never })

describe('the interrupt of a session', () => {
  it('is nothing while nothing waits, and unknown where there is no session', async () => {
    const { id, digest } = await http.ask({ session })
    await http.send('POST', `/v1/requests/${id}/decisions`, {
      as: 'ana',
      body: { decision: 'reject', digest },
    })
    const { status, text } = await interrupt()
    expect([status, text]).toEqual([204, ''])
    expect(told(await interrupt('ana', 'none'))).toEqual([404, 'unknown_id'])
  })

  it('has all calls that wait, with what the reader may decide, joined by their ids', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const first = await http.ask({ session, callId: 'a', arguments: { token: secret } })
    const sub = `${session}/sub`
    const agent = { name: 'helper', parents: ['main'] }
    const second = await http.ask({ session: sub, parentSession: session, callId: 'a', tool: 'hers', agent })
    const { status, json } = await interrupt('ben')
    expect(status).toBe(200)
    expect(schemas.interrupt.parse(json)).toEqual(json)
    expect(json).toMatchObject({
      actionId: expect.stringMatching(/^act_[0-9a-f]{64}$/),
      sessionId: session,
      createdAt: first.createdAt,
      expiresAt: first.expiresAt,
      interrupt: {
        type: 'tool_approval',
        action_requests: [
          {
            tool_call_id: 'a',
            name: 'deploy',
            request_id: first.id,
            session_id: session,
            description: 'any asks',
          },
          { tool_call_id: `${sub}/a`, name: 'hers', request_id: second.id, session_id: sub, agent },
        ],
        review_configs: [
          {
            tool_call_id: 'a',
            action_name: 'deploy',
            allowed_decisions: ['approve', 'edit', 'reject', 'respond'],
            allowed_scopes: ['once', 'session', 'always'],
          },
          { tool_call_id: `${sub}/a`, action_name: 'hers', allowed_decisions: [] },
        ],
      },
    })
    expect(json.interrupts).toEqual([json.interrupt])
    const [shown] = json.interrupt.action_requests
    expect(shown.arguments).toEqual(first.arguments)
    expect(shown.rendering).toEqual(
      (await http.send('GET', `/v1/requests/${first.id}`, { as: 'ben' })).json.rendering,
    )
    expect(JSON.stringify(json)).not.toContain(secret)
  })

  it('has questions beside the calls, each call that asks by itself', async () => {
    const asked = await question('q1', where, why)
    const alone = (await interrupt()).json
    expect(alone.interrupt).toEqual({
      type: 'ask_user_question',
      tool_call_id: 'q1',
      question: {
        id: 'where',
        question: 'Where to?',
        options: [
          { label: 'here', value: 'here' },
          { label: 'far, far away', value: 'far, far away' },
        ],
      },
      questions: [expect.objectContaining({ id: 'where' }), why],
      allowed_decisions: ['reject', 'answer'],
      request_id: asked.id,
      session_id: session,
    })
    await http.ask({ session, callId: 'a' })
    await question('q2', which)
    const { json } = await interrupt()
    expect(schemas.interrupt.parse(json)).toEqual(json)
    expect(json.interrupt.type).toBe('tool_approval')
    expect(json.interrupts.map((each: { type: string }) => each.type)).toEqual([
      'tool_approval',
      'ask_user_question',
      'ask_user_question',
    ])
    expect(json.actionId).not.toBe(alone.actionId)
  })

  it('of very much cuts long arguments, and says so', async () => {
    const text = 'x'.repeat(900_000)
    for (let index = 0; index < 5; index++) await http.ask({ session, arguments: { text, index } })
    const { json, text: body } = await interrupt()
    for (const shown of json.interrupt.action_requests) expect(shown.shortened).toBe(true)
    expect(body.length).toBeLessThan(1_000_000)
  })

  it("P11: is for people: an agent's credential neither reads nor resumes", async () => {
    const { id } = await http.ask({ session, callId: 'a' })
    const { actionId } = (await interrupt()).json
    const body = { actionId, decisions: [{ tool_call_id: 'a', type: 'approve' }] }
    for (const as of ['agent-1', 'agent-2'] as const) {
      for (const other of [session, 'none']) {
        expect(told(await interrupt(as, other))).toEqual([403, 'forbidden'])
        expect(told(await resume(body, as, other))).toEqual([403, 'forbidden'])
      }
    }
    expect(told(await http.send('POST', path('resume'), { body }))).toEqual([401, 'unauthenticated'])
    expect((await stateOf(id)).state).toBe('pending')
  })
})

describe('resuming', () => {
  it('decides everything in one go, and says what was recorded', async () => {
    const requests = [
      await http.ask({ session, callId: 'a' }),
      await http.ask({ session, callId: 'b' }),
      await http.ask({ session, callId: 'c' }),
      await http.ask({ session, callId: 'd' }),
      await http.ask({ session, callId: 'e' }),
      await question('q', where),
    ]
    const { actionId } = (await interrupt()).json
    const { status, json } = await resume({
      actionId,
      decisions: [
        { tool_call_id: 'a', type: 'approve', scope: 'session' },
        { tool_call_id: 'b', decision: 'edit', editedArguments: { to: 'production' } },
        { tool_call_id: 'c', type: 'reject', reason: 'not now' },
        { tool_call_id: 'd', type: 'respond', decision: 'respond', responseText: 'it is done' },
        { tool_call_id: 'e', type: 'edit', edited_action: { name: 'deploy', args: { to: 'qa' } } },
      ],
      answer: 'far, far away',
    })
    expect(status).toBe(200)
    expect(schemas.resumed.parse(json)).toEqual(json)
    expect(json).toMatchObject({ sessionId: session, status: 'resuming' })
    expect(json.decisions.map((each: { state: string }) => each.state)).toEqual([
      'approved',
      'approved',
      'rejected',
      'answered',
      'approved',
      'answered',
    ])
    expect(json.decisions.map((each: { request_id: string }) => each.request_id)).toEqual(
      requests.map(({ id }) => id),
    )
    const [approved, edited, rejected, responded, editedToo, answered] = await Promise.all(
      requests.map(({ id }) => stateOf(id)),
    )
    expect(approved.decision).toMatchObject({ kind: 'approve', by: 'ana', via: 'http', scope: 'session' })
    expect(edited.arguments).toEqual({ to: 'production' })
    expect(rejected.decision.reason).toBe('not now')
    expect(responded.decision.text).toBe('it is done')
    expect(editedToo.arguments).toEqual({ to: 'qa' })
    expect(answered.decision.answers).toEqual({ where: { choices: ['far, far away'] } })
    expect((await interrupt()).status).toBe(204)
  })

  it('P5: refuses before anything changes, each fault with its status and what it is about', async () => {
    const requests = [
      await http.ask({ session, callId: 'a' }),
      await http.ask({ session, callId: 'b', tool: 'yes_or_no' }),
      await question('q', which, why),
    ]
    const { actionId } = (await interrupt()).json
    const a = { tool_call_id: 'a', type: 'approve' }
    const b = { tool_call_id: 'b', type: 'approve' }
    const q = { tool_call_id: 'q', type: 'answer', answers: { which: 'a', why: 'so' } }
    const cases: [object, number, string, object?][] = [
      [{ decisions: [a, b, q] }, 400, 'invalid_resume'],
      [{ actionId: 'act_0', decisions: [] }, 409, 'stale_action'],
      [{ actionId }, 400, 'invalid_resume', { undecided: ['a', 'b', 'q'] }],
      [{ actionId, decisions: [b] }, 400, 'invalid_resume', { undecided: ['a', 'q'] }],
      [{ actionId, decisions: [a, b, q, a] }, 400, 'invalid_resume', { duplicate: ['a'] }],
      [
        { actionId, decisions: [a, b, q], answers: { which: 'a', why: 'x' } },
        400,
        'invalid_resume',
        { duplicate: ['q'] },
      ],
      [
        { actionId, decisions: [a, b, q, { ...a, tool_call_id: 'x' }] },
        403,
        'disallowed',
        { disallowed: ['x'] },
      ],
      [
        { actionId, decisions: [a, { ...b, type: 'respond', responseText: 'x' }, q] },
        403,
        'disallowed',
        { disallowed: ['b'] },
      ],
      [{ actionId, decisions: [{ ...a, type: 'accept' }, b, q] }, 403, 'disallowed', { disallowed: ['a'] }],
      [
        { actionId, decisions: [{ ...a, type: 'terminate' }, b, q] },
        403,
        'disallowed',
        { disallowed: ['a'] },
      ],
      [{ actionId, decisions: [a, b, { ...q, type: 'approve' }] }, 403, 'disallowed', { disallowed: ['q'] }],
      [
        { actionId, decisions: [{ ...a, type: 'edit', edited_action: { name: 'rm', args: {} } }, b, q] },
        403,
        'disallowed',
        { disallowed: ['a'] },
      ],
      [{ actionId, decisions: [{ tool_call_id: 'a' }, b, q] }, 400, 'invalid_resume', { incomplete: ['a'] }],
      [
        { actionId, decisions: [{ ...a, decision: 'reject' }, b, q] },
        400,
        'invalid_resume',
        { incomplete: ['a'] },
      ],
      [{ actionId, decisions: [{ ...a, type: 'edit' }, b, q] }, 400, 'invalid_resume', { incomplete: ['a'] }],
      [
        { actionId, decisions: [{ ...a, type: 'edit', editedArguments: null }, b, q] },
        400,
        'invalid_resume',
        { incomplete: ['a'] },
      ],
      [
        {
          actionId,
          decisions: [
            { ...a, type: 'edit', editedArguments: {}, edited_action: { name: 'deploy', args: {} } },
            b,
            q,
          ],
        },
        400,
        'invalid_resume',
        { incomplete: ['a'] },
      ],
      [
        { actionId, decisions: [{ ...a, type: 'respond', responseText: '' }, b, q] },
        400,
        'invalid_resume',
        { incomplete: ['a'] },
      ],
      [
        { actionId, decisions: [{ ...a, editedArguments: { to: 'x' } }, b, q] },
        400,
        'invalid_resume',
        { incomplete: ['a'] },
      ],
      [
        { actionId, decisions: [a, b, { ...q, answers: { which: 'a' } }] },
        400,
        'invalid_resume',
        { incomplete: ['q'] },
      ],
      [{ actionId, decisions: [a, b], answer: 'a' }, 400, 'invalid_resume', { incomplete: ['q'] }],
      [{ actionId, decisions: [a, b, { ...q, answers: { which: 'c', why: 'x' } }] }, 422, 'invalid_decision'],
      [
        { actionId, decisions: [{ ...a, scope: 'ever' }, b, q] },
        400,
        'invalid_resume',
        { pointer: '/decisions/0/scope' },
      ],
      [
        { actionId, decisions: [{ ...a, by: 'ben' }, b, q] },
        400,
        'invalid_resume',
        { pointer: '/decisions/0/by' },
      ],
      [{ actionId, decisions: 'all' }, 400, 'invalid_resume', { pointer: '/decisions' }],
      [{ actionId: 5, decisions: [] }, 400, 'invalid_resume', { pointer: '/actionId' }],
      [[], 400, 'invalid_resume'],
    ]
    for (const [body, status, code, details] of cases) {
      const answer = await resume(body)
      expect(told(answer), JSON.stringify(body)).toEqual([status, code])
      if (details !== undefined) expect(answer.json, JSON.stringify(body)).toMatchObject(details)
    }
    for (const { id } of requests) expect(await stateOf(id)).toMatchObject({ state: 'pending', version: 1 })
    expect((await interrupt()).json.actionId).toBe(actionId)
    expect((await resume({ actionId, decisions: [a, b, q] })).status).toBe(200)
  })

  it('P5, P6: is 404, 409 and 403 for a session that is none, where nothing waits, has expired or is not theirs', async () => {
    const body = { actionId: 'act_0', decisions: [] }
    expect(told(await resume(body, 'ana', 'none'))).toEqual([404, 'unknown_id'])
    const { id } = await http.ask({ session, callId: 'a', tool: 'soon' })
    expect(told(await resume(body, 'eve'))).toEqual([403, 'not_yours'])
    http.setup.clock.jump(1000)
    expect(told(await resume(body))).toEqual([409, 'expired'])
    expect((await stateOf(id)).state).toBe('expired')
    expect(told(await resume(body))).toEqual([409, 'not_pending'])
  })

  it('P2: of two at once one wins, and the other gets the recorded decisions', async () => {
    await http.ask({ session, callId: 'a' })
    await http.ask({ session, callId: 'b' })
    const { actionId } = (await interrupt()).json
    const by = (as: Who, type: string) =>
      resume({ actionId, decisions: ['a', 'b'].map((tool_call_id) => ({ tool_call_id, type })) }, as)
    const answers = await Promise.all([by('ana', 'approve'), by('ben', 'reject')])
    const [won, lost] = answers.sort((one, other) => one.status - other.status)
    expect([won!.status, lost!.status]).toEqual([200, 409])
    const { type } = won!.json.decisions[0]
    const winner = type === 'approve' ? 'ana' : 'ben'
    // Whoever comes when all is over finds nothing that waits.
    if (lost!.json.code === 'not_pending') return
    expect(lost!.json.code).toBe('already_decided')
    const recorded = { decision: { by: winner, kind: type, at: expect.stringMatching(/Z$/) } }
    expect(lost!.json.decisions).toMatchObject([recorded, recorded])
  })

  it('P9: an edit keeps the secrets whose masks it left alone', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const { id } = await http.ask({ session, callId: 'a', arguments: { token: secret, to: 'staging' } })
    const { actionId, interrupt: payload } = (await interrupt()).json as WireInterrupt
    const [shown] = (payload as WireToolApproval).action_requests
    const editedArguments = { ...shown!.arguments, to: 'qa' }
    await resume({ actionId, decisions: [{ tool_call_id: 'a', type: 'edit', editedArguments }] })
    const { json } = await http.send('GET', `/v1/requests/${id}/arguments`, { as: 'ana' })
    expect(json.arguments).toEqual({ token: secret, to: 'qa' })
  })

  it('works through the client', async () => {
    const client = createClient({ url: `http://${http.host}`, token: http.tokens.ana })
    const { id } = await http.ask({ session, callId: 'a' })
    const waiting = await client.interrupt(session)
    const decisions = [{ tool_call_id: 'a', type: 'approve' }]
    expect(await client.resume(session, { actionId: waiting!.actionId, decisions })).toMatchObject({
      status: 'resuming',
      decisions: [{ request_id: id, decided: true }],
    })
    expect(await client.interrupt(session)).toBe(undefined)
    await expect(client.resume(session, { actionId: waiting!.actionId, decisions })).rejects.toMatchObject({
      code: 'not_pending',
    })
  })
})
