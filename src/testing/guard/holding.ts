import type { Held, NotRun, Replayed } from '../../guard/contract.ts'
import { aCall, approve, asked, codeOf, counter, type GuardSuite } from './guard-test.ts'

/** Fails where it is not held. */
export function heldOf(taken: Held | Replayed | NotRun): Held {
  if (taken.kind !== 'held') throw new Error(`expected a hold, got ${JSON.stringify(taken)}`)
  return taken
}

export function describeHolding({ runner, test, timed }: GuardSuite): void {
  const { describe, expect } = runner
  describe('hold', () => {
    test('P3 P4: gives the approved bytes to one caller, who runs them and says so', async (under) => {
      const call = aCall()
      const holding = under.guard.hold(call)
      const { id, digest } = await asked(under, call)
      await under.decide(id, { decision: 'edit', digest, arguments: { to: 'ben' } })
      const held = heldOf(await holding)
      expect(held).toMatchObject({
        arguments: { to: 'ben' },
        edited: { to: 'ben' },
        by: 'ana',
        requestId: id,
      })
      expect((await under.request(id)).state).toBe('running')
      await held.ready()
      expect(await held.report({ ok: true, summary: 'sent' })).toBe(true)
      expect((await under.request(id)).state).toBe('done')
    })

    test('P4: an allowed call is on the record before it is held; another key gets nothing', async (under) => {
      const call = aCall({ tool: 'read_file' })
      const held = heldOf(await under.guard.hold(call, { key: 'mine' }))
      expect(held.arguments).toEqual(call.arguments)
      expect(await under.another.hold(call)).toMatchObject({ kind: 'refused', code: 'already_claimed' })
      expect(await under.another.guard(call, () => expect('it').toBe('not run'))).toMatchObject({
        kind: 'refused',
      })
      expect(await held.report({ ok: true })).toBe(true)
      expect(await under.another.hold(call)).toMatchObject({ kind: 'refused', code: 'already_claimed' })
    })

    test('the same key is the same hold, for an answer that was lost', async (under) => {
      for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
        const isAsked = call.tool !== 'read_file'
        if (isAsked) {
          await under.guard.hold(call, { holdMs: 0, key: 'mine' })
          await approve(under, call)
        }
        const first = heldOf(await under.guard.hold(call, { key: 'mine' }))
        const again = heldOf(await under.another.hold(call, { key: 'mine' }))
        expect(again.arguments).toEqual(first.arguments)
        expect(again.requestId).toBe(first.requestId)
        expect((await under.another.hold(call, { key: 'other' })).kind).toBe('refused')
        expect(await again.report({ ok: true })).toBe(true)
      }
    })

    test('P4: of many who hold the same call at once, one gets it', async (under) => {
      for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
        if (call.tool !== 'read_file') {
          await under.guard.hold(call, { holdMs: 0 })
          await approve(under, call)
        }
        const guards = [under.guard, under.another, under.guard, under.another, under.guard, under.another]
        const taken = await Promise.all(guards.map((guard) => guard.hold(call)))
        expect(taken.filter(({ kind }) => kind === 'held').length).toBe(1)
        expect(taken.filter(({ kind }) => kind === 'refused').length).toBe(guards.length - 1)
      }
    })

    test('a release gives it back as it was: a new key gets it, the old one never again', async (under) => {
      for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
        const isAsked = call.tool !== 'read_file'
        if (isAsked) {
          await under.guard.hold(call, { holdMs: 0 })
          await approve(under, call)
        }
        const held = heldOf(await under.guard.hold(call, { key: 'first' }))
        await held.release('the tool paused itself')
        await held.release('the tool paused itself')
        if (isAsked) expect((await under.request(held.requestId!)).state).toBe('approved')
        expect(await under.guard.hold(call, { key: 'first' })).toMatchObject({
          kind: 'refused',
          code: 'already_claimed',
        })
        const again = heldOf(await under.another.hold(call, { key: 'second' }))
        expect(again.arguments).toEqual(call.arguments)
        expect(await again.report({ ok: true })).toBe(true)
        expect(await codeOf(again.release('too late'))).toBe('not_running')
      }
    })

    test('it can be given back ten times, and no more', async (under) => {
      for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
        if (call.tool !== 'read_file') {
          await under.guard.hold(call, { holdMs: 0 })
          await approve(under, call)
        }
        for (let time = 0; time < 10; time++) await heldOf(await under.guard.hold(call)).release('again')
        const last = heldOf(await under.guard.hold(call))
        expect(await codeOf(last.release('again'))).toBe('not_running')
        expect(await last.report({ ok: false, error: 'gave up' })).toBe(true)
      }
    })

    test('a tool that pauses itself is given back by guard, and runs when the call is made again', async (under) => {
      for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
        const pause = { pause: 'until tomorrow' }
        const guarding = under.guard.guard(call, (_, context) => {
          throw context.release('it waits for a file', { error: pause })
        })
        if (call.tool !== 'read_file') await approve(under, call)
        const released = await guarding
        expect(released).toMatchObject({ kind: 'released', cause: 'it waits for a file', error: pause })
        const tool = counter()
        expect(await under.another.guard(call, tool.run)).toMatchObject({ kind: 'ran', ok: true })
        expect(tool.runs.length).toBe(1)
      }
    })

    timed('P4: after the lease a claim can not be given back, and nobody else gets it', async (under) => {
      const call = aCall()
      await under.guard.hold(call, { holdMs: 0 })
      const { id } = await approve(under, call)
      // A holder that fell asleep: its renewals are not sent.
      const held = heldOf(await under.guard.hold(call, { key: 'mine' }))
      await under.decide(id, { decision: 'approve', digest: '' }).catch(() => {})
      await under.advance(10 * 60_000)
      const { state } = await under.request(id)
      if (state === 'running') return
      expect(state).toBe('unknown')
      expect(await codeOf(held.release('asleep'))).toBe('lease_lapsed')
      expect(await under.another.hold(call)).toMatchObject({ kind: 'refused', state: 'unknown' })
    })

    test('P3: people are not offered what the caller can not carry', async (under) => {
      const call = aCall()
      const can = { edit: false, respond: false, terminate: false, reason: false }
      await under.guard.hold(call, { holdMs: 0, can })
      const { id, digest } = await asked(under, call)
      expect([...(await under.request(id)).allowedDecisions].sort()).toEqual(['approve', 'reject'])
      const edit = { decision: 'edit' as const, digest, arguments: { to: 'ben' } }
      expect(await codeOf(under.decide(id, edit))).toBe('decision_not_allowed')
    })

    test('P3: a caller that can not carry an edit that was made before is refused, and told what was approved', async (under) => {
      const call = aCall()
      await under.guard.hold(call, { holdMs: 0 })
      const { id, digest } = await asked(under, call)
      await under.decide(id, { decision: 'edit', digest, arguments: { to: 'ben' } })
      const refused = await under.guard.hold(call, { can: { edit: false } })
      expect(refused).toMatchObject({ kind: 'refused', code: 'digest_mismatch', requestId: id })
      expect(refused.kind === 'refused' && refused.because.includes('"to":"ben"')).toBe(true)
      heldOf(await under.guard.hold(call))
    })

    test('a key must be one', async ({ guard }) => {
      expect(await guard.hold(aCall(), { key: '' })).toMatchObject({ kind: 'refused', code: 'invalid' })
      expect(await guard.hold(aCall(), { key: 'x'.repeat(257) })).toMatchObject({
        kind: 'refused',
        code: 'invalid',
      })
    })
  })
}
