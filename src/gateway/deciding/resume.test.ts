import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Verdict } from '../../core/verdict.ts'
import {
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  otherAgent,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'
import type { ResumeDecision } from './resume.ts'

let setup: TestGateway
afterEach(() => setup.close())

const people = new Map(['ana', 'ben'].map((name) => [name, { groups: ['sre', 'approvers'] }]))
const byTool = ({ tool }: { tool: string }): Verdict => {
  if (tool === 'two') return ask('two of sre', { approvers: ['group:sre'], quorum: 2 })
  if (tool === 'bens') return ask('only ben', { approvers: ['ben'] })
  if (tool === 'yes_or_no') return ask('few words', { only: ['approve', 'reject', 'terminate'] })
  return ask('any')
}
const open = () => openTestGateway({ policy: policyFrom(byTool), people })
const waitingNow = async (by = ana, session = 'session-1') => (await setup.gateway.waiting(session, by))!
const approvals = (...callIds: string[]): ResumeDecision[] =>
  callIds.map((callId) => ({ callId, decision: 'approve' }))

async function untouched(...requests: Request[]): Promise<void> {
  for (const request of requests) expect(await setup.store.get(request.id)).toEqual(request)
}

describe('what waits', () => {
  it('is all that is pending in the session and in what it started, in order', async () => {
    setup = await open()
    const first = await askedRequest(setup, { callId: 'a' })
    const gone = await askedRequest(setup, { callId: 'b' })
    await askedRequest(setup, { callId: 'a', session: 'elsewhere' })
    const deep = await askedRequest(setup, { callId: 'a', session: 'sub', parentSession: 'session-1' })
    const deeper = await askedRequest(setup, { callId: 'a', session: 'sub/sub', parentSession: 'sub' })
    await approve(setup, gone)
    const { items, session } = await waitingNow()
    expect(session).toBe('session-1')
    expect(items.map(({ request }) => request.id)).toEqual([first.id, deep.id, deeper.id])
    expect(items.map(({ callId }) => callId)).toEqual(['a', 'sub/a', 'sub/sub/a'])
    expect((await waitingNow(ana, 'sub')).items.map(({ callId }) => callId)).toEqual(['a', 'sub/sub/a'])
  })

  it('P3: no two calls have one name, whatever ids an agent makes up', async () => {
    setup = await open()
    await askedRequest(setup, { callId: 'sub/a' })
    await askedRequest(setup, { callId: 'sub/a#2' })
    await askedRequest(setup, { callId: 'a', session: 'sub', parentSession: 'session-1' })
    const { items } = await waitingNow()
    expect(items.map(({ callId }) => callId)).toEqual(['sub/a', 'sub/a#2', 'sub/a#3'])
  })

  it('has a name that changes with every request, vote and edit, and with nothing else', async () => {
    setup = await open()
    await askedRequest(setup, { callId: 'a' })
    const names = new Set<string>()
    const note = async () => names.add((await waitingNow()).actionId)
    await note()
    await note()
    expect((await waitingNow(eve)).actionId).toBe([...names][0])
    await askedRequest(setup, { session: 'elsewhere' })
    await note()
    expect(names.size).toBe(1)
    const two = await askedRequest(setup, { tool: 'two', callId: 'b' })
    await note()
    await approve(setup, two, ana)
    await note()
    await setup.gateway.decide(two.id, { decision: 'edit', digest: two.digest, arguments: { x: 1 } }, ben)
    await note()
    expect(names.size).toBe(4)
  })

  it('says what is whose, and is nothing when nothing waits, or only what is past its deadline', async () => {
    setup = await open()
    const mine = await askedRequest(setup)
    await askedRequest(setup, { tool: 'bens' })
    expect((await waitingNow(ana)).items.map(({ yours }) => yours)).toEqual([true, false])
    expect((await waitingNow(ben)).items.map(({ yours }) => yours)).toEqual([true, true])
    expect((await waitingNow(eve)).items.map(({ yours }) => yours)).toEqual([false, false])
    expect((await waitingNow(agent)).items.map(({ yours }) => yours)).toEqual([false, false])
    setup.clock.jump(mine.expiresInMs)
    expect(await setup.gateway.waiting('session-1', ana)).toBe(undefined)
    await askedRequest(setup, { session: 'over' })
    await setup.gateway.endSession('over', {}, ana)
    expect(await setup.gateway.waiting('over', ana)).toBe(undefined)
  })

  it("P6: there is no session that is another agent's, or nobody's", async () => {
    setup = await open()
    await askedRequest(setup)
    await expect(setup.gateway.waiting('session-1', otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(setup.gateway.waiting('none', ana)).rejects.toMatchObject({ code: 'unknown_id' })
  })
})

describe('resuming', () => {
  it('decides all that waits in one go', async () => {
    setup = await open()
    await askedRequest(setup, { callId: 'a' })
    await askedRequest(setup, { callId: 'b', session: 'sub', parentSession: 'session-1' })
    await askedRequest(setup, { callId: 'c' })
    const { actionId } = await waitingNow()
    const decisions: ResumeDecision[] = [
      { callId: 'c', decision: 'respond', text: 'here' },
      { callId: 'a', decision: 'edit', arguments: { x: 1 }, scope: 'session' },
      { callId: 'sub/b', decision: 'reject', reason: 'no' },
    ]
    const resumed = await setup.gateway.resume('session-1', { actionId, decisions }, ana)
    expect(resumed).toMatchObject({
      session: 'session-1',
      status: 'resuming',
      decisions: [
        { callId: 'c', decision: 'respond', request: { state: 'answered' } },
        { callId: 'a', decision: 'edit', request: { state: 'approved' } },
        { callId: 'sub/b', decision: 'reject', request: { state: 'rejected' } },
      ],
    })
    expect((await setup.gateway.grants({}, ana)).items).toHaveLength(1)
    await expect(setup.gateway.resume('session-1', { actionId, decisions }, ana)).rejects.toMatchObject({
      code: 'not_pending',
    })
  })

  it('each decides what is theirs; it says when something still waits', async () => {
    setup = await open()
    await askedRequest(setup, { callId: 'a' })
    await askedRequest(setup, { callId: 'b', tool: 'bens' })
    await askedRequest(setup, { callId: 'c', tool: 'two' })
    const first = await waitingNow()
    const { status, decisions } = await setup.gateway.resume(
      'session-1',
      { actionId: first.actionId, decisions: approvals('a', 'c') },
      ana,
    )
    expect(status).toBe('waiting')
    expect(decisions.map(({ decided }) => decided)).toEqual([true, false])
    const second = await waitingNow(ben)
    expect(second.items.map(({ callId }) => callId)).toEqual(['b', 'c'])
    expect(
      await setup.gateway.resume(
        'session-1',
        { actionId: second.actionId, decisions: approvals('b', 'c') },
        ben,
      ),
    ).toMatchObject({ status: 'resuming', decisions: [{ decided: true }, { decided: true }] })
  })

  it('P5: refuses in this order what is wrong, and nothing changes', async () => {
    setup = await open()
    const requests = [
      await askedRequest(setup, { callId: 'a' }),
      await askedRequest(setup, { callId: 'b', tool: 'yes_or_no' }),
    ]
    const { actionId } = await waitingNow()
    const [a, b] = approvals('a', 'b') as [ResumeDecision, ResumeDecision]
    const unknown = { callId: 'x', decision: 'maybe' }
    const cases: [string | undefined, ResumeDecision[], string, object][] = [
      [undefined, [], 'invalid_resume', {}],
      ['act_other', [], 'stale_action', {}],
      [actionId, [unknown, unknown], 'invalid_resume', { undecided: ['a', 'b'] }],
      [actionId, [a, a, unknown], 'invalid_resume', { undecided: ['b'] }],
      [actionId, [a, a, b, unknown], 'invalid_resume', { duplicate: ['a'] }],
      [actionId, [{ ...a, decision: 'edit' }, b, unknown], 'disallowed', { disallowed: ['x'] }],
      [actionId, [a, { ...b, decision: 'respond' }], 'disallowed', { disallowed: ['b'] }],
      [actionId, [a, { ...b, decision: 'terminate' }], 'disallowed', { disallowed: ['b'] }],
      [actionId, [{ ...a, decision: 'aproved' }, b], 'disallowed', { disallowed: ['a'] }],
      [actionId, [{ ...a, decision: '__proto__' }, b], 'disallowed', { disallowed: ['a'] }],
      [
        actionId,
        [{ ...a, decision: 'edit', arguments: {}, tool: 'rm' }, b],
        'disallowed',
        { disallowed: ['a'] },
      ],
      [actionId, [{ ...a, decision: 'edit' }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, decision: 'edit', arguments: [] }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, decision: 'edit', arguments: null }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, decision: 'respond' }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, decision: 'respond', text: ' ' }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, decision: 'respond', text: 5 }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, arguments: { x: 1 } }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, text: 'x' }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [{ ...a, answers: {} }, b], 'invalid_resume', { incomplete: ['a'] }],
      [actionId, [a, { ...b, scope: 'ever' as never }], 'invalid_decision', { request: requests[1]!.id }],
      [actionId, Array(1001).fill(a), 'invalid_resume', {}],
    ]
    for (const [action, decisions, code, details] of cases) {
      const input = { ...defined({ actionId: action }), decisions }
      const refused = setup.gateway.resume('session-1', input, ana)
      await expect(refused, JSON.stringify(decisions)).rejects.toMatchObject({ code, details })
      await untouched(...requests)
    }
    expect(await waitingNow()).toMatchObject({ actionId })
  })

  it('P5: a stale name never touches what waits now', async () => {
    setup = await open()
    const first = await askedRequest(setup, { callId: 'a' })
    const { actionId } = await waitingNow()
    await approve(setup, first)
    const later = await askedRequest(setup, { callId: 'b' })
    const resume = () => setup.gateway.resume('session-1', { actionId, decisions: approvals('b') }, ana)
    await expect(resume()).rejects.toMatchObject({ code: 'stale_action' })
    await untouched(later)
  })

  it('P5: what expired is recorded at once; what is left keeps its own name', async () => {
    setup = await openTestGateway({
      policy: policyFrom(({ tool }) => {
        const verdict = ask('any')
        return tool === 'soon' ? { ...verdict, terms: { ...verdict.terms, expiresInMs: 1000 } } : verdict
      }),
    })
    const soon = await askedRequest(setup, { tool: 'soon', callId: 'a' })
    const before = await waitingNow()
    setup.clock.jump(1000)
    const resume = (actionId: string, ...callIds: string[]) =>
      setup.gateway.resume('session-1', { actionId, decisions: approvals(...callIds) }, ana)
    await expect(resume(before.actionId, 'a')).rejects.toMatchObject({ code: 'expired' })
    expect((await setup.store.get(soon.id))?.state).toBe('expired')
    await expect(resume(before.actionId, 'a')).rejects.toMatchObject({ code: 'not_pending' })

    await askedRequest(setup, { tool: 'soon', callId: 'b' })
    const kept = await askedRequest(setup, { callId: 'c' })
    const both = await waitingNow()
    setup.clock.jump(1000)
    await expect(resume(both.actionId, 'b', 'c')).rejects.toMatchObject({ code: 'stale_action' })
    await untouched(kept)
    expect(await resume((await waitingNow()).actionId, 'c')).toMatchObject({ status: 'resuming' })
  })

  it('P6, P11: who may decide none of it, or tries what is not theirs, is told so and is on the record', async () => {
    setup = await open()
    const mine = await askedRequest(setup, { callId: 'a' })
    const bens = await askedRequest(setup, { callId: 'b', tool: 'bens' })
    const { actionId } = await waitingNow()
    const resume = (by: typeof ana, ...callIds: string[]) =>
      setup.gateway.resume('session-1', { actionId, decisions: approvals(...callIds) }, by)
    await expect(resume(eve, 'a', 'b')).rejects.toMatchObject({ code: 'not_yours' })
    await expect(resume(ana, 'a', 'b')).rejects.toMatchObject({
      code: 'disallowed',
      details: { disallowed: ['b'] },
    })
    await expect(resume(agent, 'a', 'b')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(resume(otherAgent, 'a', 'b')).rejects.toMatchObject({ code: 'unknown_id' })
    await untouched(mine, bens)
    const { events } = await setup.store.journal.feed(undefined, 1000)
    const attempts = events.filter(({ entry }) => entry.type === 'attempt.refused')
    expect(attempts.map(({ entry }) => JSON.parse(entry.body).by)).toEqual(['eve', 'ana'])
  })

  it('P2: of concurrent ones exactly one wins, and the others get what is recorded', async () => {
    setup = await open()
    for (let round = 0; round < 5; round++) {
      const session = `round-${round}`
      for (const callId of ['a', 'b', 'c']) await askedRequest(setup, { callId, session })
      const { actionId } = await waitingNow(ana, session)
      const answers = await Promise.allSettled(
        [ana, ben, ana, ben].map((by, index) => {
          const decision = index < 2 ? 'approve' : 'reject'
          const decisions = ['a', 'b', 'c'].map((callId) => ({ callId, decision }))
          return setup.gateway.resume(session, { actionId, decisions }, by)
        }),
      )
      const won = answers.filter((answer) => answer.status === 'fulfilled')
      expect(won).toHaveLength(1)
      const { by, kind } = won[0]!.value.decisions[0]!.request.progress.decision!
      for (const answer of answers) {
        if (answer.status === 'fulfilled') continue
        const recorded = { decision: { by, kind } }
        expect(answer.reason).toMatchObject({
          code: 'already_decided',
          details: { decisions: [recorded, recorded, recorded] },
        })
      }
    }
  })

  it('P2: the same twice at once wins once, whoever sends it', async () => {
    setup = await open()
    await askedRequest(setup, { callId: 'a' })
    const { actionId } = await waitingNow()
    const resume = () => setup.gateway.resume('session-1', { actionId, decisions: approvals('a') }, ana)
    const answers = await Promise.allSettled([resume(), resume()])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'already_decided', details: { decisions: [{ decision: { by: 'ana' } }] } },
    })
  })

  it('P5: what changed between the look and the commit is not decided under the old name', async () => {
    let meddle: (() => Promise<unknown>) | undefined
    setup = await openTestGateway({
      policy: policyFrom(byTool),
      people,
      wrap: (store) => ({
        ...store,
        async transitionAll(changes) {
          const meddling = meddle
          meddle = undefined
          await meddling?.()
          return store.transitionAll(changes)
        },
      }),
    })
    const mine = await askedRequest(setup, { callId: 'a' })
    const two = await askedRequest(setup, { callId: 'b', tool: 'two' })
    const { actionId } = await waitingNow()
    meddle = () => approve(setup, two, ben)
    const resume = setup.gateway.resume('session-1', { actionId, decisions: approvals('a', 'b') }, ana)
    await expect(resume).rejects.toMatchObject({ code: 'stale_action', details: { request: two.id } })
    await untouched(mine)
  })

  it('P2, P5: whatever is sent, either all that waits is decided as said, or nothing has changed', async () => {
    setup = await open()
    const questions = [{ id: 'q', question: 'Which?', options: [{ label: 'x' }, { label: 'y' }] }]
    const callId = fc.constantFrom('a', 'b', 'c', 'sub/d', 'e', 'zzz')
    const parts = {
      decision: fc.constantFrom('approve', 'edit', 'reject', 'respond', 'answer', 'terminate', 'x', ''),
      arguments: fc.constantFrom({ x: 1 }, [], null, 'x'),
      text: fc.constantFrom('text', '', 5),
      answers: fc.constantFrom({ q: { choices: ['x'] } }, { q: { choices: ['z'] } }, {}, 5),
      tool: fc.constantFrom('deploy', 'other'),
      scope: fc.constantFrom('once' as const, 'session' as const, 'ever' as never),
    }
    const whole: fc.Arbitrary<ResumeDecision[]> = fc.shuffledSubarray(
      [
        { callId: 'a', decision: 'approve' },
        { callId: 'b', decision: 'edit', arguments: { y: 2 } },
        { callId: 'c', decision: 'respond', text: 'done' },
        { callId: 'sub/d', decision: 'reject' },
        { callId: 'e', decision: 'answer', answers: { q: { choices: ['y'] } } },
      ],
      { minLength: 4, maxLength: 5 },
    )
    const garbage = fc.array(fc.record({ callId, ...parts }, { requiredKeys: ['callId', 'decision'] }), {
      maxLength: 2,
    }) as fc.Arbitrary<ResumeDecision[]>
    let round = 0
    let wins = 0
    await fc.assert(
      fc.asyncProperty(whole, garbage, fc.boolean(), async (some, more, replacing) => {
        const session = `s${round++}`
        const requests = [
          await askedRequest(setup, { callId: 'a', session }),
          await askedRequest(setup, { callId: 'b', session }),
          await askedRequest(setup, { callId: 'c', session }),
          await askedRequest(setup, { callId: 'd', session: `sub${round}`, parentSession: session }),
          await askedRequest(setup, {
            callId: 'e',
            session,
            tool: 'ask_user_question',
            arguments: { questions },
          }),
        ]
        const { actionId, items } = await waitingNow(ana, session)
        const named = new Set(more.map((each) => each.callId))
        const kept = replacing ? some.filter((each) => !named.has(each.callId)) : some
        // The sub-session's name differs from round to round.
        const decisions = [...kept, ...more].map((each) => {
          return { ...each, callId: each.callId === 'sub/d' ? items[3]!.callId : each.callId }
        })
        const cursor = await setup.store.journal.cursor()
        const outcome = await setup.gateway
          .resume(session, { actionId, decisions }, ana)
          .catch((error: unknown) => error)
        const now = await Promise.all(requests.map(async ({ id }) => (await setup.store.get(id))!))
        if (isBanksmanError(outcome)) {
          expect(now).toEqual(requests)
          expect((await setup.store.journal.feed(cursor, 9)).events).toEqual([])
          return
        }
        wins++
        for (const [index, request] of now.entries()) {
          const said = decisions.filter((each) => each.callId === items[index]!.callId)
          expect(said.map((each) => each.decision)).toEqual([request.progress.decision?.kind])
        }
      }),
      { numRuns: runs(80) },
    )
    expect(wins).toBeGreaterThan(0)
  })
})
