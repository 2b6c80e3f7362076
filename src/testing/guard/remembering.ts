import { aCall, approve, asked, counter, type GuardSuite } from './guard-test.ts'
import { heldOf } from './holding.ts'

export function describeRemembering({ runner, test }: GuardSuite): void {
  const { describe, expect } = runner
  describe('remember', () => {
    test('P4: the same call again gets the result of its one run, allowed or approved', async (under) => {
      for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
        const isAsked = call.tool !== 'read_file'
        const tool = counter()
        const guarding = under.guard.guard(call, tool.run, { remember: true })
        if (isAsked) await approve(under, call)
        const first = await guarding
        expect(first).toMatchObject({ kind: 'ran', ok: true, value: { ran: 1 } })
        const again = await under.another.guard(call, tool.run, { remember: true })
        expect(again).toMatchObject({ kind: 'ran', ok: true, value: { ran: 1 }, replayed: true })
        expect(again.kind === 'ran' && typeof again.ranAt).toBe('number')
        if (isAsked) expect(again).toMatchObject({ by: 'ana' })
        expect(await under.another.hold(call)).toMatchObject({
          kind: 'ran',
          value: { ran: 1 },
          replayed: true,
        })
        expect(tool.runs.length).toBe(1)
      }
    })

    test('an edit and an error come back as they were', async (under) => {
      const call = aCall()
      const guarding = under.guard.guard(
        call,
        () => {
          throw new RangeError('mailbox full')
        },
        { remember: true },
      )
      const { id, digest } = await asked(under, call)
      await under.decide(id, { decision: 'edit', digest, arguments: { to: 'ben' } })
      await guarding
      const again = await under.another.guard(call, () => 1, { remember: true })
      expect(again).toMatchObject({ kind: 'ran', ok: false, replayed: true, edited: { to: 'ben' } })
      const error = again.kind === 'ran' && !again.ok ? (again.error as Error) : undefined
      expect([error?.name, error?.message]).toEqual(['RangeError', 'mailbox full'])
    })

    test('what is too large or no JSON is not kept, and the repeat hears so', async (under) => {
      for (const value of ['x'.repeat(10 * 1024 * 1024), new Date(0), 1n, () => 1]) {
        for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
          const guarding = under.guard.guard(call, () => value, { remember: true })
          if (call.tool !== 'read_file') await approve(under, call)
          expect(await guarding).toMatchObject({ kind: 'ran', ok: true })
          const again = await under.another.guard(call, () => expect('it').toBe('not run'), {
            remember: true,
          })
          expect(again.kind).toBe('refused')
          expect(again.kind === 'refused' && /has already run.*not kept/.test(again.because)).toBe(true)
        }
      }
    })

    test('a function says what to keep; nothing is kept without being asked for', async (under) => {
      const call = aCall({ tool: 'read_file' })
      await under.guard.guard(call, () => ({ big: 1, id: 7 }), {
        remember: (value) => (value as { id: number }).id,
      })
      expect(await under.guard.guard(call, () => 1, { remember: true })).toMatchObject({
        value: 7,
        replayed: true,
      })
      const plain = aCall()
      const guarding = under.guard.guard(plain, () => 'secret')
      await approve(under, plain)
      await guarding
      const again = await under.guard.guard(plain, () => 1, { remember: true })
      expect(again).toMatchObject({ kind: 'refused', state: 'done' })
      expect(JSON.stringify(again).includes('secret')).toBe(false)
    })

    test('P6: it is given to nobody else, and not for another call', async (under) => {
      const call = aCall({ tool: 'read_file' })
      await under.guard.guard(call, () => 'the content', { remember: true })
      const never = () => expect('it').toBe('not run')
      expect((await under.stranger.guard(call, never, { remember: true })).kind).toBe('refused')
      const other = { ...call, arguments: { to: 'eve' } }
      expect(await under.guard.guard(other, never, { remember: true })).toMatchObject({
        code: 'call_conflict',
      })
    })

    test('a hold leaves its result too', async (under) => {
      const call = aCall()
      const holding = under.guard.hold(call, { remember: true })
      await approve(under, call)
      await heldOf(await holding).report({ ok: true, value: { sent: true } })
      expect(await under.another.hold(call)).toMatchObject({
        kind: 'ran',
        ok: true,
        value: { sent: true },
        replayed: true,
      })
    })
  })
}
