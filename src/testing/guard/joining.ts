import { aCall, approve, asked, counter, type GuardSuite } from './guard-test.ts'

export function describeJoining({ runner, test, timed }: GuardSuite): void {
  const { describe, expect } = runner
  describe('join', () => {
    test('a repeated call with a new id joins the request that nobody waits for', async (under) => {
      const tool = counter()
      const call = aCall()
      const stop = new AbortController()
      const first = under.guard.guard(call, tool.run, { join: true, signal: stop.signal })
      const { id } = await asked(under, call)
      stop.abort()
      await first
      const again = { ...call, callId: `${call.callId}-again` }
      const second = under.another.guard(again, tool.run, { join: true })
      await approve(under, call)
      expect(await second).toMatchObject({ kind: 'ran', requestId: id })
      expect(tool.runs.length).toBe(1)
      expect(await under.guard.guard(again, tool.run, { join: true })).toMatchObject({
        kind: 'refused',
        state: 'done',
      })
    })

    test('the same call again, while one runs or after it ran, is asked anew', async (under) => {
      const call = aCall()
      const first = under.guard.guard(call, () => 1, { join: true })
      const { id } = await approve(under, call)
      await first
      const again = { ...call, callId: `${call.callId}-again` }
      const taken = await under.another.hold(again, { holdMs: 0, join: true })
      expect(taken.kind).toBe('pending')
      const next = await asked(under, again)
      expect(next.id === id).toBe(false)
      expect((await under.request(next.id)).sameCall).toMatchObject({ id, state: 'done' })
    })

    test('two identical calls at once are two requests', async (under) => {
      const call = aCall()
      const twin = { ...call, callId: `${call.callId}-twin` }
      const stop = new AbortController()
      const waiting = [call, twin].map((one) =>
        under.guard.guard(one, () => 1, { join: true, signal: stop.signal }),
      )
      const [one, other] = [await asked(under, call), await asked(under, twin)]
      expect(one.id === other.id).toBe(false)
      stop.abort()
      await Promise.all(waiting)
    })

    test('other arguments, agents, sessions and calls that do not join stand alone', async (under) => {
      const stop = new AbortController()
      const call = aCall({ agent: { name: 'main' } })
      const first = under.guard.guard(call, () => 1, { join: true, signal: stop.signal })
      const { id } = await asked(under, call)
      stop.abort()
      await first
      const others = [
        { call: { ...call, callId: 'a', arguments: { to: 'ben' } }, join: true },
        { call: { ...call, callId: 'b', agent: { name: 'helper' } }, join: true },
        { call: { ...call, callId: 'c', session: `${call.session}-other` }, join: true },
        { call: { ...call, callId: 'd' }, join: false },
      ]
      for (const { call: other, join } of others) {
        const taken = await under.guard.hold(other, { holdMs: 0, join })
        expect(taken.kind).toBe('pending')
        expect(taken.kind === 'pending' && taken.requestId === id).toBe(false)
      }
    })

    test('what the policy allows is never joined', async (under) => {
      const call = aCall({ tool: 'read_file' })
      const tool = counter()
      await under.guard.guard(call, tool.run, { join: true })
      await under.guard.guard({ ...call, callId: `${call.callId}-again` }, tool.run, { join: true })
      expect(tool.runs.length).toBe(2)
    })

    test('who has waited long enough leaves its place: the same call again joins at once', async (under) => {
      const call = aCall()
      const first = await under.guard.hold(call, { holdMs: 0, join: true })
      const { id } = await asked(under, call)
      expect(first).toMatchObject({ kind: 'pending', requestId: id })
      for (const round of ['a', 'b', 'c']) {
        const again = { ...call, callId: `${call.callId}-${round}` }
        const taken = await under.another.hold(again, { holdMs: 0, join: true })
        expect(taken).toMatchObject({ kind: 'pending', requestId: id })
      }
      await approve(under, call)
      const last = { ...call, callId: `${call.callId}-last` }
      expect(await under.guard.guard(last, () => 1, { join: true })).toMatchObject({
        kind: 'ran',
        requestId: id,
      })
    })

    timed('when the process that waited died, its place is free after a while', async (under) => {
      const call = aCall()
      // It has a key to come back with, and doesn't.
      const dying = { holdMs: 0, join: true, key: `${call.callId}-key` }
      expect(await under.guard.hold(call, dying)).toMatchObject({ kind: 'pending' })
      const { id } = await asked(under, call)
      const early = { ...call, callId: `${call.callId}-early` }
      const taken = await under.another.hold(early, { ...dying, key: `${early.callId}-key` })
      expect(taken.kind === 'pending' && taken.requestId === id).toBe(false)
      await under.advance(60_000)
      const late = { ...call, callId: `${call.callId}-late` }
      expect(await under.another.hold(late, { holdMs: 0, join: true })).toMatchObject({ kind: 'pending' })
      expect((await under.pending()).length).toBe(2)
    })
  })
}
