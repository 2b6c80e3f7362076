import { aCall, approve, asked, codeOf, counter, type GuardSuite } from './guard-test.ts'

export function describeJudging({ runner, test }: GuardSuite): void {
  const { describe, expect } = runner
  describe('judge', () => {
    test('says what would happen and why, and asks nobody', async ({ guard, pending }) => {
      expect(await guard.judge(aCall({ tool: 'read_file' }))).toMatchObject({ kind: 'allow' })
      expect(await guard.judge(aCall({ tool: 'db_delete' }))).toMatchObject({ kind: 'deny' })
      const judged = await guard.judge(aCall())
      expect(Object.keys(judged).sort()).toEqual(['because', 'kind'])
      expect(judged.kind).toBe('ask')
      expect(await pending()).toEqual([])
    })

    test('a guard of the same call goes on from it, allowed or asked', async (under) => {
      const { guard } = under
      const tool = counter()
      const allowed = aCall({ tool: 'read_file' })
      await guard.judge(allowed)
      expect(await guard.guard(allowed, tool.run)).toMatchObject({ kind: 'ran', ok: true })
      const call = aCall()
      await guard.judge(call)
      const guarding = guard.guard(call, tool.run)
      await approve(under, call)
      expect(await guarding).toMatchObject({ kind: 'ran', ok: true })
      expect(tool.runs.length).toBe(2)
    })

    test('tells what became of a call that is on record', async (under) => {
      const { guard } = under
      const call = aCall()
      expect(await guard.hold(call, { holdMs: 0 })).toMatchObject({ kind: 'pending' })
      expect(await guard.judge(call)).toMatchObject({ kind: 'ask' })
      await approve(under, call)
      expect(await guard.judge(call)).toMatchObject({ kind: 'allow' })
      const other = aCall()
      await guard.hold(other, { holdMs: 0 })
      const { id, digest } = await asked(under, other)
      await under.decide(id, { decision: 'reject', digest, reason: 'too late' })
      const judged = await guard.judge(other)
      expect(judged.kind).toBe('deny')
      expect(judged.because.includes('too late')).toBe(true)
    })

    test('rejects a call that is none, and an id that means another call', async ({ guard }) => {
      expect(await codeOf(guard.judge(aCall({ tool: '' })))).toBe('invalid_call')
      const call = aCall()
      await guard.hold(call, { holdMs: 0 })
      expect(await codeOf(guard.judge({ ...call, arguments: { to: 'eve' } }))).toBe('call_conflict')
    })
  })
}
