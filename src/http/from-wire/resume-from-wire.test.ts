import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway()
})
afterAll(() => http.close())

let session = ''
let sessions = 0
beforeEach(() => {
  session = `answered-${++sessions}`
})

const interrupt = () => http.send('GET', `/v1/sessions/${session}/interrupt`, { as: 'ana' })
const resume = (body: unknown) => http.send('POST', `/v1/sessions/${session}/resume`, { as: 'ana', body })
const stateOf = async (id: string) => (await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })).json

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

describe('a resume', () => {
  it.each([
    [[why], { answer: 'because' }, { why: { text: 'because' } }],
    [[where], { answer: 'here' }, { where: { choices: ['here'] } }],
    [[which], { answer: 'a, b' }, { which: { choices: ['a', 'b'] } }],
    [[which], { answer: ['b'] }, { which: { choices: ['b'] } }],
    [[which], { answers: { which: { choices: ['a'] } } }, { which: { choices: ['a'] } }],
    [
      [where, why],
      { answers: { where: 'here', why: 'so' } },
      { where: { choices: ['here'] }, why: { text: 'so' } },
    ],
    [[{ ...where, freeText: true }], { answer: 'home' }, { where: { text: 'home' } }],
  ])('takes the answers to %j as %j', async (questions, given, recorded) => {
    const { id } = await question('q', ...questions)
    const { actionId } = (await interrupt()).json
    expect((await resume({ actionId, ...given })).status).toBe(200)
    expect((await stateOf(id)).decision).toMatchObject({ kind: 'answer', answers: recorded })
  })

  it('answers each of several calls by its id, or declines it', async () => {
    const requests = [await question('q1', why), await question('q2', why)]
    const { actionId } = (await interrupt()).json
    const several = await resume({ actionId, answer: 'x' })
    expect([several.status, several.json.code, several.json.detail]).toEqual([
      400,
      'invalid_resume',
      expect.stringContaining('2 calls'),
    ])
    const decisions = [
      { tool_call_id: 'q1', type: 'answer', answers: { why: 'so' } },
      { tool_call_id: 'q2', type: 'reject', reason: 'no time' },
    ]
    expect((await resume({ actionId, decisions })).status).toBe(200)
    expect((await stateOf(requests[0]!.id)).decision.answers).toEqual({ why: { text: 'so' } })
    expect((await stateOf(requests[1]!.id)).state).toBe('declined')
  })

  it.each([
    [[{ ...which, options: [{ label: 'a' }, { label: 'b' }, { label: 'a, b' }] }], { answer: 'a, b' }],
    [[where, why], { answer: 'here' }],
    [[why], { answer: 'x', answers: { why: 'x' } }],
    [[why], {}],
    [[why], { answers: {} }],
    [[why], { answers: JSON.parse('{"__proto__":"x"}') }],
  ])('P5: makes up no answer to %j out of %j', async (questions, given) => {
    const { id } = await question('q', ...questions)
    const { actionId } = (await interrupt()).json
    const { status, json } = await resume({ actionId, ...given })
    expect([status, json.code]).toEqual([400, 'invalid_resume'])
    expect((await stateOf(id)).state).toBe('pending')
  })

  it('P5: takes no answer where nothing is asked', async () => {
    const { id } = await http.ask({ session, callId: 'a' })
    const { actionId } = (await interrupt()).json
    const decisions = [{ tool_call_id: 'a', type: 'approve' }]
    const { status, json } = await resume({ actionId, decisions, answer: 'yes' })
    expect([status, json.code]).toEqual([400, 'invalid_resume'])
    expect((await stateOf(id)).state).toBe('pending')
  })
})
