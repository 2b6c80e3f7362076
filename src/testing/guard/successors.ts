import { aCall, approve, asked, codeOf, counter, type GuardSuite } from './guard-test.ts'
import { heldOf } from './holding.ts'

const DAY_MS = 24 * 60 * 60_000

export function describeSuccessors({ runner, timed, test }: GuardSuite): void {
  const { describe, expect } = runner
  describe('a call whose request ended without anybody’s no', () => {
    timed('expired: who waited is told, and a new guard asks anew', async (under) => {
      const tool = counter()
      const call = aCall()
      const waiting = under.guard.guard(call, tool.run)
      const first = await asked(under, call)
      await under.advance(DAY_MS + 1)
      expect(await waiting).toMatchObject({
        kind: 'refused',
        state: 'expired',
        mayRetry: true,
        requestId: first.id,
      })
      expect(await under.pending()).toEqual([])
      const again = under.another.guard(call, tool.run)
      const second = await approve(under, call)
      expect(second.id === first.id).toBe(false)
      expect((await under.request(second.id)).predecessor).toBe(first.id)
      expect(await again).toMatchObject({ kind: 'ran', requestId: second.id })
      expect((await under.request(first.id)).state).toBe('expired')
      expect(tool.runs.length).toBe(1)
    })

    timed('lapsed: it was approved, and not run in time', async (under) => {
      const call = aCall()
      await under.guard.hold(call, { holdMs: 0 })
      const first = await approve(under, call)
      await under.advance(10 * 60_000 + 1)
      const lapsed = await under.guard.hold(call, { holdMs: 0 })
      // Either this hold hears of the end, or it had ended before and this one asks anew.
      if (lapsed.kind === 'refused') expect(lapsed).toMatchObject({ state: 'lapsed', mayRetry: true })
      if (lapsed.kind === 'refused') await under.guard.hold(call, { holdMs: 0 })
      const second = await asked(under, call)
      expect((await under.request(second.id)).predecessor).toBe(first.id)
      // What was said of the old one decides nothing.
      const old = { decision: 'approve' as const, digest: first.digest }
      await under.decide(first.id, old).catch(() => {})
      expect((await under.request(second.id)).state).toBe('pending')
      expect((await under.request(first.id)).state).toBe('lapsed')
    })

    timed('of many processes that ask anew, one opens it and all wait for the same', async (under) => {
      const call = aCall()
      await under.guard.hold(call, { holdMs: 0 })
      await under.advance(DAY_MS + 1)
      const guards = [under.guard, under.another, under.guard, under.another]
      const taken = await Promise.all(guards.map((guard) => guard.hold(call, { holdMs: 0 })))
      const ids = new Set(taken.map((one) => (one.kind === 'pending' ? one.requestId : one.kind)))
      expect(ids.size).toBe(1)
      expect((await under.pending()).length).toBe(1)
      await approve(under, call)
      const claimed = await Promise.all(guards.map((guard) => guard.hold(call)))
      expect(claimed.filter(({ kind }) => kind === 'held').length).toBe(1)
    })

    timed('it is asked five times more, and then no longer', async (under) => {
      const call = aCall()
      const seen = new Set<string>()
      for (let time = 0; time < 6; time++) {
        await under.guard.hold(call, { holdMs: 0 })
        seen.add((await asked(under, call)).id)
        await under.advance(DAY_MS + 1)
      }
      expect(seen.size).toBe(6)
      expect(await under.guard.hold(call)).toMatchObject({
        kind: 'refused',
        state: 'expired',
        mayRetry: false,
      })
      expect(await under.pending()).toEqual([])
    })

    test('never after a no, and never after it ran', async (under) => {
      const rejected = aCall()
      await under.guard.hold(rejected, { holdMs: 0 })
      const { id, digest } = await asked(under, rejected)
      await under.decide(id, { decision: 'reject', digest })
      expect(await under.guard.hold(rejected)).toMatchObject({
        kind: 'refused',
        state: 'rejected',
        mayRetry: false,
      })
      const ran = aCall()
      const holding = under.guard.hold(ran)
      await approve(under, ran)
      const held = heldOf(await holding)
      expect(await under.another.hold(ran)).toMatchObject({ state: 'running' })
      await held.report({ ok: true })
      expect(await under.another.hold(ran)).toMatchObject({ state: 'done', mayRetry: false })
      expect(await under.pending()).toEqual([])
      expect(await codeOf(held.release('again'))).toBe('not_running')
    })
  })
}
