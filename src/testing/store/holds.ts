/** Holds of calls that nobody was asked about, and the results that are kept with calls. */
import type { CallHold } from '../../core/call-hold.ts'
import type { HoldChange, Store } from '../../stores/store.ts'
import { callRecord, START, sessionDraft } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

const REVIEWED: CallHold = { version: 1, state: 'reviewed', by: 'agent-1', at: START }

export function describeHolds({ describe, it, itShared }: Suite): void {
  describe('holds', () => {
    it('P6: are told by `lookup` alone', async (t) => {
      t.expect(await t.record('c1', { call: { hold: REVIEWED } })).toEqual({ kind: 'recorded' })
      const batch = [
        {
          call: callRecord('c2', { hold: { ...REVIEWED, state: 'running', key: 'k' } }),
          session: sessionDraft('s1'),
        },
        { call: callRecord('c3'), session: sessionDraft('s1') },
      ]
      await t.store.recordAll({ calls: batch, entry: t.entry({ type: 'calls.judged' }) })
      t.expect(await holdOf(t, 'c1')).toEqual(REVIEWED)
      t.expect(await holdOf(t, 'c2')).toEqual({ ...REVIEWED, state: 'running', key: 'k' })
      t.expect(await holdOf(t, 'c3')).toBe(undefined)
      const known = { digest: 'digest-c1', verdict: 'allow', because: 'read_* is allowed' }
      t.expect((await t.store.lookup('s1', 'c1', 'deploy')).known).toEqual({ ...known, hold: REVIEWED })
      t.expect(await t.record('c1')).toEqual({ kind: 'existing', ...known })
      t.expect(await t.open('r1', { request: { callId: 'c1', digest: 'digest-c1' } })).toEqual({
        kind: 'known',
        ...known,
      })
      t.expect((await t.store.calls.list({})).items).toEqual(['c3', 'c2', 'c1'].map((id) => callRecord(id)))
      const past = (await t.store.calls.history({})).items
      t.expect(past.some((call) => 'hold' in call)).toBe(false)
    })

    it('P4: of a call that is there stays, whatever a second record of it says', async (t) => {
      const hold: CallHold = { ...REVIEWED, version: 3, state: 'running', key: 'first' }
      const other: CallHold = { ...REVIEWED, key: 'second' }
      const judged = (callId: string, own: CallHold) => ({
        call: callRecord(callId, { hold: own }),
        session: sessionDraft('s1'),
      })
      await t.record('c1', { call: { hold } })
      await t.record('c2')
      const request = await t.opened('r1')
      t.expect(await t.record('c1', { call: { hold: other } })).toMatchObject({ kind: 'existing' })
      const calls = ['c1', 'c2', request.callId].map((callId) => judged(callId, other))
      const batch = [...calls, judged('c3', hold), judged('c3', other)]
      const results = await t.store.recordAll({ calls: batch, entry: t.entry({ type: 'calls.judged' }) })
      t.expect(results.map(({ kind }) => kind)).toEqual([
        'existing',
        'existing',
        'existing',
        'recorded',
        'existing',
      ])
      t.expect(await holdOf(t, 'c1')).toEqual(hold)
      t.expect(await holdOf(t, 'c2')).toBe(undefined)
      t.expect(await holdOf(t, 'c3')).toEqual(hold)
      t.expect(await holdOf(t, request.callId)).toBe(undefined)
    })

    it('P4: are changed by whoever names their version, and by nobody else', async (t) => {
      await t.record('c1')
      const entry = t.entry({ type: 'calls.judged' })
      t.expect(await change(t.store, 'c1', 0, 'reviewed', { entry })).toEqual({ won: true })
      t.expect(entry.numbers.length).toBe(1)
      t.expect(await holdOf(t, 'c1')).toEqual(held('reviewed', 1))
      t.expect(await change(t.store, 'c1', 1, 'running')).toEqual({ won: true })
      const running = held('running', 2)
      const refused = t.entry()
      for (const version of [0, 1, 3]) {
        t.expect(
          await change(t.store, 'c1', version, 'running', { entry: refused, result: '"mine"' }),
        ).toEqual({
          won: false,
          hold: running,
        })
      }
      t.expect(refused.numbers).toEqual([])
      t.expect(await holdOf(t, 'c1')).toEqual(running)
      t.expect(await t.store.calls.result('s1', 'c1')).toBe(undefined)
      const released = [{ key: 'k', cause: 'it "paused"\u0000', by: 'agent-1', at: START, claim: 'x' }]
      const hold: CallHold = { version: 99, state: 'released', by: 'agent-1', at: START, released }
      t.expect(await change(t.store, 'c1', 2, 'released', { hold })).toEqual({ won: true })
      released[0]!.by = 'mallory'
      t.expect(await holdOf(t, 'c1')).toEqual({
        ...hold,
        version: 3,
        released: [{ key: 'k', cause: 'it "paused"\u0000', by: 'agent-1', at: START, claim: 'x' }],
      })
    })

    it('P5: lose where there is no such call, where it has another digest, and where people were asked', async (t) => {
      const request = await t.opened('r1')
      await t.record('c1', { call: { hold: REVIEWED } })
      const lost = { won: false }
      const entry = t.entry()
      for (const version of [0, 1]) {
        t.expect(await change(t.store, 'c2', version, 'running', { entry })).toEqual(lost)
        t.expect(await change(t.store, 'c1', version, 'running', { entry, session: 's2' })).toEqual(lost)
        t.expect(await change(t.store, 'c1', version, 'running', { entry, digest: 'other' })).toEqual(lost)
        const { callId, digest } = request
        t.expect(await change(t.store, callId, version, 'running', { entry, digest, result: '1' })).toEqual(
          lost,
        )
      }
      t.expect(entry.numbers).toEqual([])
      t.expect(await holdOf(t, 'c1')).toEqual(REVIEWED)
      t.expect((await t.store.lookup('s1', request.callId, 'deploy')).known?.hold).toBe(undefined)
      t.expect(await t.store.calls.result('s1', request.callId)).toBe(undefined)
    })

    it('P4: of many concurrent takers one has the call, and the others are told who', async (t) => {
      await t.record('c1', { call: { hold: REVIEWED } })
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          change(t.store, 'c1', 1, 'running', { hold: heldBy(`k${index}`) }),
        ),
      )
      const winner = results.findIndex((result) => result.won)
      t.expect(results.filter((result) => result.won).length).toBe(1)
      for (const result of results) if (!result.won) t.expect(result.hold?.key).toBe(`k${winner}`)
      t.expect((await holdOf(t, 'c1'))?.key).toBe(`k${winner}`)
    })

    itShared('P4: of takers through several store objects one has the call', async (t) => {
      const stores: Store[] = [t.store, await t.another(), await t.another()]
      for (let round = 0; round < 5; round++) {
        const callId = `c${round}`
        const isFree = round % 2 === 0
        await t.record(callId, isFree ? {} : { call: { hold: REVIEWED } })
        const results = await Promise.all(
          stores.map((store, index) => {
            const entry = t.entry({ chain: `chain-of-${index}` })
            return change(store, callId, isFree ? 0 : 1, 'running', { hold: heldBy(`k${index}`), entry })
          }),
        )
        const winner = results.findIndex((result) => result.won)
        t.expect(results.filter((result) => result.won).length).toBe(1)
        for (const store of stores) {
          t.expect((await store.lookup('s1', callId, 'deploy')).known?.hold?.key).toBe(`k${winner}`)
        }
      }
      for (const store of stores.slice(1)) await store.close()
    })

    it('P4: stay where the bytes of the call are erased', async (t) => {
      await t.record('c1', { call: { hold: { ...REVIEWED, state: 'running', key: 'k' } } })
      t.expect(await eraseAll(t)).toBe(1)
      t.expect(await holdOf(t, 'c1')).toEqual({ ...REVIEWED, state: 'running', key: 'k' })
      t.expect(await change(t.store, 'c1', 1, 'done', { result: '"late"' })).toEqual({ won: true })
      t.expect((await holdOf(t, 'c1'))?.state).toBe('done')
      t.expect(await t.store.calls.result('s1', 'c1')).toBe(undefined)
    })
  })

  describe('results', () => {
    it('P3: are kept word for word with the call of a request', async (t) => {
      const text = '{"b": 1.0, "a":"\\u0000 \u2028😀","z":[ ]}'
      const one = await t.opened('r1')
      const two = await t.opened('r2')
      const three = await t.opened('r3')
      await t.moved(one, 'done', { result: text })
      const all = await t.store.transitionAll([
        t.change(two, 'done', { result: '"two"' }),
        t.change(three, 'done'),
      ])
      t.expect(all.won).toBe(true)
      const four = await t.opened('r4', { request: { session: 's4' } })
      const last = t.change(four, 'approved', { result: '4', deadline: { at: START + 9 } })
      const ending = {
        sessions: ['s4'],
        by: 'ana',
        changes: [last],
        entry: t.entry({ type: 'session.ended' }),
      }
      t.expect(await t.store.endSessions(ending)).toEqual({ won: true })
      t.expect(await t.store.calls.result('s4', 'call-r4')).toBe('4')
      t.expect((await t.store.get('r4'))?.deadline).toBe(START + 9)
      t.expect(await resultOf(t, 'call-r1')).toBe(text)
      t.expect(await resultOf(t, 'call-r2')).toBe('"two"')
      t.expect(await resultOf(t, 'call-r3')).toBe(undefined)
      t.expect(await resultOf(t, 'no such')).toBe(undefined)
      t.expect(await t.store.calls.result('s2', 'call-r1')).toBe(undefined)
      const long = JSON.stringify('x'.repeat(300_000))
      await t.moved((await t.store.get('r3'))!, 'done', { result: long })
      t.expect(await resultOf(t, 'call-r3')).toBe(long)
      t.expect(await t.store.get('r1')).toEqual({ ...one, state: 'done', version: 2, deadline: null })
    })

    it('P6: are in no other answer', async (t) => {
      const mark = 'result-of-the-tool'
      await t.moved(await t.opened('r1'), 'done', { result: `"${mark}"` })
      await t.record('c1', { call: { hold: REVIEWED } })
      await change(t.store, 'c1', 1, 'done', { result: `"${mark}"` })
      const answers = [
        await t.store.get('r1'),
        await t.store.list({ state: 'done' }),
        await t.store.list({ session: 's1' }),
        await t.store.calls.list({}),
        await t.store.calls.history({}),
        await t.store.lookup('s1', 'c1', 'deploy'),
        await t.store.lookup('s1', 'call-r1', 'deploy'),
        await t.record('c1'),
      ]
      t.expect(JSON.stringify(answers).includes(mark)).toBe(false)
    })

    it('P5: a change that loses keeps none, and a later one takes the place of the first', async (t) => {
      const request = await t.opened('r1')
      t.expect((await t.store.transition(t.change(request, 'done', { version: 9, result: '1' }))).won).toBe(
        false,
      )
      const batch = [t.change(request, 'done', { result: '1' }), t.change({ ...request, id: 'none' }, 'done')]
      t.expect((await t.store.transitionAll(batch)).won).toBe(false)
      t.expect(await resultOf(t, 'call-r1')).toBe(undefined)
      const unknown = await t.moved(request, 'unknown', { result: '{"first":1}' })
      const done = await t.moved(unknown, 'done', { result: '"second"' })
      t.expect(await resultOf(t, 'call-r1')).toBe('"second"')
      await t.moved(done, 'done')
      t.expect(await resultOf(t, 'call-r1')).toBe('"second"')
    })

    it('are kept with a change of a hold', async (t) => {
      await t.record('c1', { call: { hold: REVIEWED } })
      await change(t.store, 'c1', 1, 'running')
      t.expect(await resultOf(t, 'c1')).toBe(undefined)
      await change(t.store, 'c1', 2, 'done', { result: '"first"' })
      t.expect(await resultOf(t, 'c1')).toBe('"first"')
      await change(t.store, 'c1', 3, 'done', { result: 'null' })
      t.expect(await resultOf(t, 'c1')).toBe('null')
    })

    it('P6: are erased with the bytes, and not kept after that', async (t) => {
      await t.moved(await t.opened('r1'), 'done', { result: '1' })
      const kept = await t.moved(await t.opened('r2'), 'unknown', { result: '2' })
      await t.record('c1', { call: { hold: REVIEWED } })
      await change(t.store, 'c1', 1, 'done', { result: '3' })
      t.expect(await eraseAll(t)).toBe(2)
      t.expect(await resultOf(t, 'call-r1')).toBe(undefined)
      t.expect(await resultOf(t, 'c1')).toBe(undefined)
      t.expect(await resultOf(t, 'call-r2')).toBe('2')
      await t.moved((await t.store.get('r1'))!, 'done', { result: '"late"' })
      t.expect(await resultOf(t, 'call-r1')).toBe(undefined)
      await t.moved(kept, 'done')
      t.expect(await eraseAll(t)).toBe(1)
      t.expect(await resultOf(t, 'call-r2')).toBe(undefined)
    })
  })
}

function held(state: CallHold['state'], version: number, key = 'k'): CallHold {
  return { version, state, key, by: 'agent-1', at: START }
}

function heldBy(key: string): CallHold {
  return held('running', 0, key)
}

function change(
  store: Store,
  callId: string,
  version: number,
  state: CallHold['state'],
  over: Partial<HoldChange> = {},
): ReturnType<Store['calls']['changeHold']> {
  const digest = `digest-${callId}`
  return store.calls.changeHold({ session: 's1', callId, digest, version, hold: held(state, 0), ...over })
}

async function holdOf(t: StoreTest, callId: string): Promise<CallHold | undefined> {
  return (await t.store.lookup('s1', callId, 'deploy')).known?.hold
}

function resultOf(t: StoreTest, callId: string): Promise<string | undefined> {
  return t.store.calls.result('s1', callId)
}

function eraseAll(t: StoreTest): Promise<number> {
  return t.store.calls.erase(START + 1, 100, () => t.entry({ type: 'arguments.erased' }))
}
