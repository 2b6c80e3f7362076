import { afterEach, describe, expect, it } from 'vitest'
import type { DecisionInput } from '../../core/decision.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { Store } from '../../stores/store.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  ben,
  eve,
  newestRequest,
  openTestGateway,
  otherAgent,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const byAmount = (call: { arguments: Record<string, unknown> }): Verdict => {
  const amount = Number(call.arguments.amount)
  if (amount > 1000) return { kind: 'deny', because: 'over the limit' }
  if (amount > 100) return ask('large', { approvers: ['group:sre'], quorum: 2 })
  return ask('any')
}
const people = new Map(['ana', 'ben', 'dan'].map((name) => [name, { groups: ['sre', 'approvers'] }]))

const one = (request: Request, input: Partial<DecisionInput> = {}) => ({
  id: request.id,
  input: { decision: 'approve' as const, digest: request.digest, ...input },
})
const questions = [{ id: 'where', question: 'Where to?', options: [{ label: 'here' }, { label: 'there' }] }]
const askQuestion = (session = 'session-1') =>
  askedRequest(setup, { session, tool: 'ask_user_question', arguments: { questions } })

async function untouched(...requests: Request[]): Promise<void> {
  for (const request of requests) expect(await setup.store.get(request.id)).toEqual(request)
}

async function entries(type: string): Promise<{ by: string; on?: string; request?: string }[]> {
  const { events } = await setup.store.journal.feed(undefined, 1000)
  return events.filter(({ entry }) => entry.type === type).map(({ entry }) => JSON.parse(entry.body))
}

describe('deciding several at once', () => {
  it('P2, P7: takes every kind of answer, in one step', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount), people })
    const approved = await askedRequest(setup, { arguments: { amount: 1 } })
    const edited = await askedRequest(setup, { arguments: { amount: 2 } })
    const rejected = await askedRequest(setup, { arguments: { amount: 3 } })
    const responded = await askedRequest(setup, { arguments: { amount: 4 } })
    const voted = await askedRequest(setup, { arguments: { amount: 200 } })
    const granted = await askedRequest(setup, { arguments: { amount: 5 } })
    const answered = await askQuestion()
    let commits = 0
    const leave = setup.store.watch(() => commits++)
    const results = await setup.gateway.decideAll(
      [
        one(approved),
        one(edited, { decision: 'edit', arguments: { amount: 20 } }),
        one(rejected, { decision: 'reject', reason: 'no' }),
        one(responded, { decision: 'respond', text: 'take this' }),
        one(voted),
        one(granted, { scope: 'session' }),
        one(answered, { decision: 'answer', answers: { where: { choices: ['here'] } } }),
      ],
      ana,
    )
    leave()
    expect(commits).toBe(1)
    expect(results.map(({ request }) => request.state)).toEqual([
      'approved',
      'approved',
      'rejected',
      'answered',
      'pending',
      'approved',
      'answered',
    ])
    expect(results.map(({ decided }) => decided)).toEqual([true, true, true, true, false, true, true])
    for (const { request, repeated } of results) {
      expect(repeated).toBe(false)
      expect(await setup.store.get(request.id)).toEqual(request)
    }
    expect(results[4]!.request.progress.votes).toMatchObject([{ by: 'ana' }])
    expect((await setup.gateway.grants({}, ana)).items).toMatchObject([
      { requestId: granted.id, createdBy: 'ana', session: 'session-1' },
    ])
    expect((await entries('request.decided')).map(({ request }) => request)).toEqual(
      [approved, edited, rejected, responded, granted, answered].map(({ id }) => id),
    )
    expect((await entries('request.voted')).map(({ request }) => request)).toEqual([voted.id])
  })

  it('P7: wakes each call with its own answer', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount) })
    const seen: unknown[] = []
    const guard = (callId: string, amount: number) =>
      setup.gateway.guard(aCall({ session: callId, callId, arguments: { amount } }), (args) => {
        seen.push(args)
      })
    const first = guard('a', 1)
    const second = guard('b', 2)
    const requests = [await newestRequest(setup, 'pending', 'a'), await newestRequest(setup, 'pending', 'b')]
    await setup.gateway.decideAll(
      [
        one(requests[0]!, { decision: 'edit', arguments: { amount: 9 } }),
        one(requests[1]!, { decision: 'reject' }),
      ],
      ana,
    )
    expect(await first).toMatchObject({ kind: 'ran' })
    expect(await second).toMatchObject({ kind: 'refused', state: 'rejected' })
    expect(seen).toEqual([{ amount: 9 }])
  })

  it('P3, P5: one that can not be given refuses all, and says which', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount), people })
    const good = await askedRequest(setup, { arguments: { amount: 1 } })
    const bad = await askedRequest(setup, { arguments: { amount: 2 } })
    const question = await askQuestion()
    const wrong: [Request, Partial<DecisionInput>, string][] = [
      [bad, { digest: 'f'.repeat(64) }, 'digest_mismatch'],
      [bad, { decision: 'edit', arguments: { amount: 5000 } }, 'edit_denied'],
      [bad, { decision: 'edit', arguments: { note: '⟨masked: token, 8 characters⟩' } }, 'arguments_invalid'],
      [bad, { decision: 'edit' }, 'invalid_decision'],
      [bad, { decision: 'respond' }, 'invalid_decision'],
      [bad, { decision: 'aprove' as never }, 'invalid_decision'],
      [bad, { scope: 'session', grant: { suggestion: 'tool' } }, 'scope_not_allowed'],
      [bad, { decision: 'answer', answers: {} }, 'decision_not_allowed'],
      [question, { decision: 'answer', answers: { where: { choices: ['moon'] } } }, 'invalid_decision'],
      [question, { decision: 'approve' }, 'decision_not_allowed'],
    ]
    for (const [request, input, code] of wrong) {
      for (const batch of [
        [one(good), one(request, input)],
        [one(request, input), one(good)],
      ]) {
        const refused = setup.gateway.decideAll(batch, ana)
        await expect(refused).rejects.toMatchObject({ code, details: { request: request.id } })
      }
      await untouched(good, bad, question)
    }
    expect(await entries('request.decided')).toEqual([])
    expect((await setup.gateway.grants({}, ana)).items).toEqual([])
  })

  it('a list that is none, that is empty or that names a request twice is refused', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    const terminate = { ...one(request, { decision: 'terminate' }), version: 1 }
    for (const bad of [
      [],
      'x',
      [null],
      [{ id: request.id }],
      [{ input: one(request).input }],
      [one(request), one(request)],
      Array(1001).fill(one(request)),
      [terminate],
    ]) {
      await expect(setup.gateway.decideAll(bad as never, ana)).rejects.toMatchObject({
        code: 'invalid_decision',
      })
    }
    await untouched(request)
  })

  it('P5: terminate is decided alone', async () => {
    setup = await openTestGateway()
    const [first, second] = [await askedRequest(setup), await askedRequest(setup)]
    await expect(
      setup.gateway.decideAll([one(first), one(second, { decision: 'terminate' })], ana),
    ).rejects.toMatchObject({ code: 'invalid_decision', message: expect.stringContaining('alone') })
    await untouched(first, second)
    expect(await setup.gateway.decideAll([one(first, { decision: 'terminate' })], ana)).toMatchObject([
      { decided: true, request: { state: 'terminated' } },
    ])
    expect((await setup.store.get(second.id))?.state).toBe('cancelled')
  })

  it('P6, P11: one that is not theirs refuses all; what they may not see is unknown; it is on the record', async () => {
    setup = await openTestGateway({
      policy: policyFrom((call) => ask('rule', call.tool === 'hers' ? { approvers: ['ana'] } : {})),
    })
    const bens = await askedRequest(setup)
    const hers = await askedRequest(setup, { tool: 'hers' })
    await expect(setup.gateway.decideAll([one(bens), one(hers)], ben)).rejects.toMatchObject({
      code: 'not_yours',
      details: { request: hers.id },
    })
    await expect(setup.gateway.decideAll([one(bens)], eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(setup.gateway.decideAll([one(bens)], agent)).rejects.toMatchObject({ code: 'forbidden' })
    const none = { id: 'req_none', input: { decision: 'approve' as const, digest: bens.digest } }
    const told = async (batch: { id: string; input: DecisionInput }[], by = otherAgent) => {
      const error = await setup.gateway.decideAll(batch, by).catch((each: BanksmanError) => each)
      const { code, message, details } = error as BanksmanError
      const text = JSON.stringify({ code, message, details })
      return JSON.parse(text.replaceAll(bens.id, 'X').replaceAll('req_none', 'X'))
    }
    const unknown = {
      code: 'unknown_id',
      message: 'there is no request `X`',
      details: { reason: { code: 'problem.no-request', values: { id: 'X' } } },
    }
    expect(await told([one(bens), none])).toEqual(unknown)
    expect(await told([none, one(bens)])).toEqual(unknown)
    await untouched(bens, hers)
    expect((await entries('attempt.refused')).map(({ by, on }) => [by, on])).toEqual([
      ['ben', hers.id],
      ['eve', bens.id],
      ['agent-1', bens.id],
      ['agent-2', bens.id],
    ])
  })

  it('P2: of concurrent ones that meet one wins whole, and the others get what is recorded', async () => {
    setup = await openTestGateway({ people })
    for (let round = 0; round < 5; round++) {
      const requests = [await askedRequest(setup), await askedRequest(setup), await askedRequest(setup)]
      const actors = [ana, ben, { ...ben, subject: 'dan' }]
      const answers = await Promise.allSettled(
        actors.map((actor, index) => {
          // Each leaves one out and goes another way round.
          const mine = [requests[index]!, requests[(index + 1) % 3]!]
          return setup.gateway.decideAll(
            mine.map((request) => one(request, { decision: index === 0 ? 'approve' : 'reject' })),
            actor,
          )
        }),
      )
      const won = answers.flatMap((answer, index) => (answer.status === 'fulfilled' ? [index] : []))
      expect(won).toHaveLength(1)
      const winner = actors[won[0]!]!.subject
      const now = await Promise.all(requests.map(({ id }) => setup.store.get(id)))
      expect(now.filter((request) => request?.progress.decision?.by === winner)).toHaveLength(2)
      expect(now.filter((request) => request?.state === 'pending')).toHaveLength(1)
      for (const answer of answers) {
        if (answer.status === 'fulfilled') continue
        expect(answer.reason).toMatchObject({
          code: 'already_decided',
          details: { decision: { by: winner }, decisions: [{ decision: { by: winner } }] },
        })
      }
    }
  })

  it("P2: repeating one's own is a success, alone and beside something new", async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount), people })
    const first = await askedRequest(setup, { arguments: { amount: 1 } })
    const second = await askedRequest(setup, { arguments: { amount: 2 } })
    const voted = await askedRequest(setup, { arguments: { amount: 200 } })
    await approve(setup, first)
    const results = () => setup.gateway.decideAll([one(first), one(second), one(voted)], ana)
    expect((await results()).map(({ repeated }) => repeated)).toEqual([true, false, false])
    expect((await results()).map(({ repeated }) => repeated)).toEqual([true, true, true])
    await expect(
      setup.gateway.decideAll([one(first, { decision: 'reject' }), one(second)], ana),
    ).rejects.toMatchObject({ code: 'already_decided', details: { decisions: [{}, {}] } })
  })

  it('P2: a vote that comes between is no loss: it is counted', async () => {
    setup = await openTestGateway({
      policy: policyFrom(byAmount),
      people,
      wrap: (store) => meddling(store, () => meddle()),
    })
    let meddle = async () => {}
    const voted = await askedRequest(setup, { arguments: { amount: 200 } })
    const other = await askedRequest(setup, { arguments: { amount: 1 } })
    meddle = async () => void (await approve(setup, voted, ben))
    const results = await setup.gateway.decideAll([one(voted), one(other)], ana)
    expect(results.map(({ request }) => request.state)).toEqual(['approved', 'approved'])
    expect(results[0]!.request.progress.votes?.map(({ by }) => by)).toEqual(['ben', 'ana'])
  })

  it('P2, P3: with a version it holds for that version alone', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount), people })
    const voted = await askedRequest(setup, { arguments: { amount: 200 } })
    const other = await askedRequest(setup, { arguments: { amount: 1 } })
    await approve(setup, voted, ben)
    const batch = [
      { ...one(voted), version: 1 },
      { ...one(other), version: 1 },
    ]
    await expect(setup.gateway.decideAll(batch, ana)).rejects.toMatchObject({ code: 'stale_action' })
    await untouched(other)
    await setup.gateway.decide(voted.id, one(voted, { decision: 'reject' }).input, ben)
    await expect(setup.gateway.decideAll(batch, ana)).rejects.toMatchObject({
      code: 'already_decided',
      details: { decision: { by: 'ben' } },
    })
    await untouched(other)
  })

  it('P5: one whose deadline has come refuses all, and its expiry is recorded at once', async () => {
    setup = await openTestGateway({
      policy: policyFrom((call) => {
        const verdict = ask('rule')
        return call.tool === 'soon' ? { ...verdict, terms: { ...verdict.terms, expiresInMs: 1000 } } : verdict
      }),
    })
    const soon = await askedRequest(setup, { tool: 'soon' })
    const later = await askedRequest(setup)
    setup.clock.jump(1000)
    await expect(setup.gateway.decideAll([one(later), one(soon)], ana)).rejects.toMatchObject({
      code: 'expired',
      details: { request: soon.id },
    })
    expect((await setup.store.get(soon.id))?.state).toBe('expired')
    await untouched(later)
    await expect(setup.gateway.decideAll([one(soon), one(later)], ana)).rejects.toMatchObject({
      code: 'expired',
    })
  })

  it('P5, P7: a store that fails decides nothing, or decides all and says that it can not tell', async () => {
    let kind: 'none' | 'refused' | 'lost' = 'none'
    setup = await openTestGateway({
      wrap: (store) => ({
        ...store,
        async transitionAll(changes) {
          if (kind === 'refused') throw new BanksmanError('store_unavailable', 'injected')
          const result = await store.transitionAll(changes)
          if (kind === 'lost') throw new BanksmanError('store_unavailable', 'injected')
          return result
        },
      }),
    })
    const batch = [await askedRequest(setup), await askedRequest(setup)]
    const decide = () =>
      setup.gateway.decideAll(
        batch.map((request) => one(request)),
        ana,
      )
    kind = 'refused'
    await expect(decide()).rejects.toMatchObject({ code: 'store_unavailable' })
    await untouched(...batch)
    kind = 'lost'
    const waiting = setup.gateway.wait(batch[0]!.id)
    await expect(decide()).rejects.toMatchObject({ code: 'store_unavailable' })
    kind = 'none'
    setup.clock.advance(1000)
    expect((await waiting).state).toBe('approved')
    expect((await decide()).map(({ repeated }) => repeated)).toEqual([true, true])
  })
})

/** Something happens between the look and the commit, once. */
function meddling(store: Store, meddle: () => Promise<void>): Store {
  let done = false
  return {
    ...store,
    async transitionAll(changes) {
      if (!done) {
        done = true
        await meddle()
      }
      return store.transitionAll(changes)
    },
  }
}
