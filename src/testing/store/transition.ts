/** `transition`: the compare-and-set on which deciding once and running at most once rest. */
import type { Progress } from '../../core/request.ts'
import { grantDraft, MINUTE, START } from './drafts.ts'
import type { Suite } from './store-test.ts'

export function describeTransition({ describe, it }: Suite): void {
  describe('transition', () => {
    it('P2: moves the request one version up, with its entry, and replaces its progress', async (t) => {
      const request = await t.opened('r1')
      const vote = { by: 'ana', at: START, via: 'inbox', digest: request.digest }
      const voted = await t.moved(request, 'pending', { deadline: 'keep', progress: { votes: [vote] } })
      t.expect(await t.store.get('r1')).toEqual(voted)
      const change = t.change(voted, 'rejected', { progress: { decision: decisionBy('ben') } })
      t.expect(await t.store.transition(change)).toEqual({ won: true, deadline: null })
      t.expect(await t.store.get('r1')).toEqual({
        ...request,
        state: 'rejected',
        version: 3,
        deadline: null,
        progress: { decision: decisionBy('ben') },
      })
    })

    it('P2: with another version or state it loses, writes nothing and is told what there is', async (t) => {
      const request = await t.opened('r1')
      const approved = await t.moved(request, 'approved', { deadline: { inMs: MINUTE } })
      const lost = { won: false, request: approved }
      const entry = t.entry()
      t.expect(await t.store.transition(t.change(request, 'rejected', { entry }))).toEqual(lost)
      t.expect(await t.store.transition(t.change(request, 'rejected', { version: 2, entry }))).toEqual(lost)
      t.expect(await t.store.transition(t.change(approved, 'rejected', { version: 1, entry }))).toEqual(lost)
      t.expect(await t.store.transition(t.change(approved, 'rejected', { version: 3, entry }))).toEqual(lost)
      t.expect(entry.numbers).toEqual([])
      t.expect(await t.store.get('r1')).toEqual(approved)
      t.expect(await t.store.transition(t.change({ ...request, id: 'r2' }, 'rejected'))).toEqual({
        won: false,
        request: undefined,
      })
    })

    it('P2: of many concurrent decisions one wins, and the others are told who', async (t) => {
      const request = await t.opened('r1')
      const people = Array.from({ length: 20 }, (_, index) => `person-${index}`)
      const results = await Promise.all(
        people.map((by) =>
          t.store.transition(t.change(request, 'rejected', { progress: { decision: decisionBy(by) } })),
        ),
      )
      const winners = people.filter((_, index) => results[index]!.won)
      t.expect(winners.length).toBe(1)
      for (const result of results) {
        if (!result.won) t.expect(result.request?.progress.decision?.by).toBe(winners[0])
      }
      t.expect(await t.store.get('r1')).toMatchObject({
        version: 2,
        progress: { decision: decisionBy(winners[0]!) },
      })
    })

    it('P4: of many concurrent claims one runs', async (t) => {
      const approved = await t.moved(await t.opened('r1'), 'approved', { deadline: { inMs: MINUTE } })
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const claim = {
            id: `claim-${index}`,
            key: `key-${index}`,
            by: 'agent-1',
            at: START,
            leaseMs: MINUTE,
          }
          const deadline = { inMs: MINUTE }
          return t.store.transition(t.change(approved, 'running', { progress: { claim }, deadline }))
        }),
      )
      t.expect(results.filter((result) => result.won).length).toBe(1)
    })

    it('P2: concurrent changes of different requests all win', async (t) => {
      const requests = []
      for (let index = 0; index < 20; index++) requests.push(await t.opened(`r${index}`))
      const results = await Promise.all(
        requests.map((request) => t.store.transition(t.change(request, 'rejected'))),
      )
      t.expect(results.every((result) => result.won)).toBe(true)
      t.expect(await t.store.count('rejected')).toBe(20)
    })

    it('the deadline of the new state counts from the moment of the change', async (t) => {
      const request = await t.opened('r1')
      await t.setTime(START + 7)
      const kept = await t.moved(request, 'pending', { deadline: 'keep' })
      t.expect(kept.deadline).toBe(START + MINUTE)
      const approved = await t.moved(kept, 'approved', { deadline: { inMs: 1000 } })
      t.expect(approved.deadline).toBe(START + 7 + 1000)
      const done = await t.moved(approved, 'done', { deadline: 'none' })
      t.expect(done.deadline).toBe(null)
      t.expect(await t.store.get('r1')).toEqual(done)
    })

    it('P5: the deadline may be a moment; one in the past has come', async (t) => {
      const request = await t.opened('r1')
      const later = await t.moved(request, 'approved', { deadline: { at: START + 70 } })
      t.expect(later.deadline).toBe(START + 70)
      t.expect(await t.store.get('r1')).toEqual(later)
      t.expect(await t.store.nextDeadline()).toBe(START + 70)
      t.expect((await t.store.due(9)).length).toBe(0)
      const over = await t.moved(later, 'approved', { deadline: { at: START - 5 } })
      t.expect(over.deadline).toBe(START - 5)
      t.expect((await t.store.due(9)).map((due) => due.id)).toEqual(['r1'])
      t.expect((await t.store.list({ state: 'approved' })).items).toEqual([over])
      const late = t.change(over, 'running', { guard: 'before_deadline' })
      t.expect(await t.store.transition(late)).toEqual({ won: false, request: over })
      const both = [t.change(over, 'lapsed', { guard: 'after_deadline', deadline: { at: START } })]
      t.expect(await t.store.transitionAll(both)).toEqual({ won: true, deadlines: [START] })
    })

    it('changing an object that was handed in or out changes nothing in the store', async (t) => {
      const progress: Progress = { decision: decisionBy('ana') }
      const request = await t.opened('r1')
      await t.moved(request, 'rejected', { progress })
      progress.decision!.by = 'mallory'
      const read = await t.store.get('r1')
      for (const change of [
        () => Object.assign(read!, { state: 'approved', bytes: 'others' }),
        () => Object.assign(read!.progress.decision!, { by: 'mallory' }),
        () => read!.terms.conditions.pop(),
      ]) {
        try {
          change()
        } catch {
          // Frozen, which is as good.
        }
      }
      t.expect(await t.store.get('r1')).toMatchObject({
        state: 'rejected',
        bytes: request.bytes,
        progress: { decision: decisionBy('ana') },
        terms: { conditions: [{ rule: 'deploys' }] },
      })
    })
  })

  describe('guards', () => {
    it('P5: an answer is in time until the millisecond before the deadline', async (t) => {
      const guard = 'before_deadline'
      const first = await t.opened('r1')
      const second = await t.opened('r2')
      await t.setTime(START + MINUTE - 1)
      t.expect(await t.store.transition(t.change(first, 'rejected', { guard }))).toMatchObject({ won: true })
      await t.setTime(START + MINUTE)
      t.expect(await t.store.transition(t.change(second, 'approved', { guard }))).toEqual({
        won: false,
        request: second,
      })
      await t.setTime(START + 10 * MINUTE)
      t.expect(await t.store.transition(t.change(second, 'approved', { guard }))).toEqual({
        won: false,
        request: second,
      })
    })

    it('P5: a deadline has come at its very millisecond, and not before', async (t) => {
      const guard = 'after_deadline'
      const request = await t.opened('r1')
      await t.setTime(START + MINUTE - 1)
      t.expect(await t.store.transition(t.change(request, 'expired', { guard }))).toEqual({
        won: false,
        request,
      })
      await t.setTime(START + MINUTE)
      t.expect(await t.store.transition(t.change(request, 'expired', { guard }))).toMatchObject({ won: true })
    })

    it('P2: an answer and the deadline in the same millisecond have one winner', async (t) => {
      for (const [index, at] of [MINUTE - 1, MINUTE, MINUTE + 1].entries()) {
        await t.setTime(START)
        const request = await t.opened(`r${index}`)
        await t.setTime(START + at)
        const results = await Promise.all([
          t.store.transition(t.change(request, 'rejected', { guard: 'before_deadline' })),
          t.store.transition(t.change(request, 'expired', { guard: 'after_deadline' })),
        ])
        t.expect(results.filter((result) => result.won).length).toBe(1)
        t.expect((await t.store.get(request.id))?.state).toBe(at < MINUTE ? 'rejected' : 'expired')
      }
    })

    it('the guard looks at the deadline of the old state, a lease that was renewed say', async (t) => {
      const approved = await t.moved(await t.opened('r1'), 'approved', { deadline: { inMs: 100 } })
      const running = await t.moved(approved, 'running', { deadline: { inMs: 50 }, guard: 'before_deadline' })
      await t.setTime(START + 49)
      const renewed = await t.moved(running, 'running', { deadline: { inMs: 50 }, guard: 'before_deadline' })
      await t.setTime(START + 50)
      t.expect(
        await t.store.transition(t.change(renewed, 'unknown', { guard: 'after_deadline' })),
      ).toMatchObject({ won: false })
      await t.setTime(START + 99)
      const lost = await t.moved(renewed, 'unknown', { guard: 'after_deadline' })
      t.expect(lost.deadline).toBe(null)
    })

    it('a deadline that there is not never comes', async (t) => {
      const unknown = await t.moved(await t.opened('r1'), 'unknown')
      t.expect(
        await t.store.transition(t.change(unknown, 'done', { guard: 'after_deadline' })),
      ).toMatchObject({ won: false })
      t.expect(
        await t.store.transition(t.change(unknown, 'done', { guard: 'before_deadline' })),
      ).toMatchObject({ won: true })
    })
  })

  describe('a grant with a decision', () => {
    it('P7: is left behind by the change that wins', async (t) => {
      const request = await t.opened('r1')
      const grant = grantDraft('g1', {
        session: 's1',
        usesLeft: 3,
        expiresAt: START + MINUTE,
        includeSubSessions: true,
      })
      await t.moved(request, 'approved', { grant })
      t.expect(await t.store.grants.get('g1')).toEqual(grant)
    })

    it('P5: is not left behind by a change that loses', async (t) => {
      const request = await t.opened('r1')
      const lost = t.change(request, 'approved', { version: 9, grant: grantDraft('g1') })
      t.expect(await t.store.transition(lost)).toMatchObject({ won: false })
      t.expect(await t.store.grants.get('g1')).toBe(undefined)
    })

    it('P5: whose id is taken fails, and the request stays as it was', async (t) => {
      await t.moved(await t.opened('r1'), 'approved', { grant: grantDraft('g1') })
      const request = await t.opened('r2', { deliveries: [{ channel: 'chat' }] })
      const failing = t.store.transition(
        t.change(request, 'approved', { grant: grantDraft('g1', { createdBy: 'eve' }) }),
      )
      t.expect(await t.codeOf(failing)).toBe('store_unavailable')
      t.expect(await t.store.get('r2')).toEqual(request)
      t.expect(await t.store.grants.get('g1')).toMatchObject({ createdBy: 'ana' })
    })
  })
}

function decisionBy(by: string) {
  return { kind: 'reject', by, at: START, via: 'inbox', digest: 'digest-r1' } as const
}
