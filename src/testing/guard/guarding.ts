import { aCall, approve, asked, counter, type GuardSuite } from './guard-test.ts'

export function describeGuarding({ runner, test }: GuardSuite): void {
  const { describe, expect } = runner
  describe('guard', () => {
    test('P3 P4: an approved call runs once, on what was approved, and is on the record when it returns', async (under) => {
      const tool = counter()
      const call = aCall()
      const asking: string[] = []
      const guarding = under.guard.guard(call, tool.run, {
        onAsked: ({ requestId }) => asking.push(requestId),
      })
      const { id } = await approve(under, call)
      expect(await guarding).toEqual({
        kind: 'ran',
        ok: true,
        value: { ran: 1 },
        requestId: id,
        by: 'ana',
      })
      expect((await under.request(id)).state).toBe('done')
      expect(tool.runs).toEqual([{ to: 'ana@example.com' }])
      expect(asking).toEqual([id])
      expect(await under.another.guard(call, tool.run)).toMatchObject({
        kind: 'refused',
        state: 'done',
        mayRetry: false,
      })
      expect(tool.runs.length).toBe(1)
    })

    test('P5: allowed and denied calls, and what a person says instead of yes', async (under) => {
      const { guard, decide } = under
      const tool = counter()
      expect(await guard.guard(aCall({ tool: 'read_file' }), tool.run)).toMatchObject({
        kind: 'ran',
        ok: true,
      })
      expect(await guard.guard(aCall({ tool: 'db_delete' }), tool.run)).toMatchObject({
        kind: 'refused',
        state: 'denied',
        code: 'denied',
        mayRetry: false,
      })
      const decided = async (input: object) => {
        const call = aCall()
        const guarding = guard.guard(call, tool.run)
        const { id, digest } = await asked(under, call)
        await decide(id, { digest, ...input } as Parameters<typeof decide>[1])
        return { id, result: await guarding }
      }
      const rejected = await decided({ decision: 'reject', reason: 'not today' })
      expect(rejected.result).toMatchObject({
        kind: 'refused',
        state: 'rejected',
        by: 'ana',
        requestId: rejected.id,
      })
      const answered = await decided({ decision: 'respond', text: 'it is sunny' })
      expect(answered.result).toEqual({
        kind: 'answered',
        text: 'it is sunny',
        by: 'ana',
        requestId: answered.id,
      })
      const edited = await decided({ decision: 'edit', arguments: { to: 'ben@example.com' } })
      expect(edited.result).toMatchObject({ kind: 'ran', by: 'ana', edited: { to: 'ben@example.com' } })
      const ended = await decided({ decision: 'terminate', reason: 'enough' })
      expect(ended.result).toMatchObject({ kind: 'refused', state: 'terminated', mayRetry: false })
      expect(tool.runs).toEqual([{ to: 'ana@example.com' }, { to: 'ben@example.com' }])
    })

    test('results are plain data, without keys and without rows of the store', async (under) => {
      const call = aCall()
      const results = [
        await under.guard.guard(call, () => 1, { holdMs: 0 }),
        await under.guard.guard(aCall({ tool: 'db_delete' }), () => 1),
        await under.guard.guard(aCall({ tool: 'read_file' }), () => 1),
      ]
      await approve(under, call)
      results.push(await under.guard.guard(call, () => 1), await under.guard.guard(call, () => 1))
      for (const result of results) {
        expect(JSON.parse(JSON.stringify(result))).toEqual(result)
        expect(/commitment|"bytes"|"progress"|"key"/.test(JSON.stringify(result))).toBe(false)
      }
    })

    test('P7: who stops waiting is told so, and the same call goes on later', async (under) => {
      const { guard } = under
      const tool = counter()
      const call = aCall()
      expect(await guard.guard(call, tool.run, { holdMs: 0 })).toMatchObject({
        kind: 'pending',
        because: 'hold_over',
      })
      const stop = new AbortController()
      const waiting = guard.guard(call, tool.run, { signal: stop.signal })
      const { id, digest } = await asked(under, call)
      stop.abort()
      expect(await waiting).toEqual({ kind: 'pending', because: 'aborted', requestId: id })
      await under.decide(id, { decision: 'approve', digest })
      expect(await under.another.guard(call, tool.run)).toMatchObject({ kind: 'ran', requestId: id })
      expect(tool.runs.length).toBe(1)
    })

    test('a caller who is gone before it begins leaves nothing behind', async (under) => {
      const tool = counter()
      const call = aCall({ tool: 'read_file' })
      const signal = AbortSignal.abort()
      expect(await under.guard.guard(call, tool.run, { signal })).toEqual({
        kind: 'pending',
        because: 'aborted',
      })
      expect(await under.guard.guard(call, tool.run)).toMatchObject({ kind: 'ran' })
      expect(tool.runs.length).toBe(1)
    })

    test('P4: who comes while it runs is told so, and may come back', async (under) => {
      const call = aCall()
      let finish = () => {}
      const begun = new Promise<void>((resolve) => {
        const first = under.guard.guard(call, () => {
          resolve()
          return new Promise<void>((done) => (finish = done))
        })
        void first
      })
      await approve(under, call)
      await begun
      const second = await under.another.guard(call, () => expect('it').toBe('not run'))
      expect(second).toMatchObject({ kind: 'refused', state: 'running', mayRetry: true })
      finish()
    })

    test('a tool that throws has run, and its outcome is an error', async (under) => {
      const call = aCall()
      const broken = new Error('no such mailbox')
      const guarding = under.guard.guard(call, () => {
        throw broken
      })
      const { id } = await approve(under, call)
      const result = await guarding
      expect(result).toMatchObject({ kind: 'ran', ok: false })
      expect(result.kind === 'ran' && !result.ok && result.error === broken).toBe(true)
      expect((await under.request(id)).state).toBe('done')
    })

    test('P5: what is no call is refused, and so is an id that means another one', async ({ guard }) => {
      const never = () => expect('it').toBe('not run')
      expect(await guard.guard(aCall({ session: 'with space' }), never)).toMatchObject({
        kind: 'refused',
        code: 'invalid_call',
      })
      const call = aCall()
      await guard.guard(call, never, { holdMs: 0 })
      const changed = { ...call, arguments: { to: 'eve@example.com' } }
      expect(await guard.guard(changed, never)).toMatchObject({ kind: 'refused', code: 'call_conflict' })
    })

    test("P6: a session is its owner's alone", async (under) => {
      const call = aCall()
      await under.guard.guard(call, () => 1, { holdMs: 0 })
      await approve(under, call)
      const never = () => expect('it').toBe('not run')
      expect(await under.stranger.guard(call, never)).toMatchObject({ kind: 'refused', code: 'not_yours' })
    })
  })
}
