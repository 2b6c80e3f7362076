/** Requests and calls that follow a final request of the same call id. */
import type { Request } from '../../core/request.ts'
import type { OpenResult, Store } from '../../stores/store.ts'
import { callRecord, grantDraft, MINUTE, requestDraft, START, sessionDraft } from './drafts.ts'
import type { OpeningOver, StoreTest, Suite } from './store-test.ts'

const CALL = { callId: 'c1', digest: 'd1' }

export function describeSuccession({ describe, it, itShared }: Suite): void {
  describe('a request that follows another', () => {
    it('P1: takes its place as the newest, and the one before stays as it is', async (t) => {
      const first = await expired(t, 'r1')
      await t.setTime(START + 2 * MINUTE)
      const entry = t.entry({ request: 'r2', version: 1 })
      const result = await follow(t, 'r2', 'r1', { entry, deliveries: [{ channel: 'chat' }] })
      t.expect(result).toMatchObject({
        kind: 'opened',
        request: { id: 'r2', callId: 'c1', state: 'pending', version: 1 },
      })
      t.expect(entry.numbers.length).toBe(1)
      const second = (await t.store.get('r2'))!
      t.expect(await t.store.get('r1')).toEqual(first)
      t.expect((await t.store.list({ state: 'expired' })).items).toEqual([first])
      t.expect((await t.store.list({ state: 'expired', session: 's1' })).items).toEqual([first])
      t.expect((await t.store.list({ state: 'pending', session: 's1' })).items).toEqual([second])
      t.expect((await t.store.lookup('s1', 'c1', 'deploy')).known).toEqual({
        digest: 'd1',
        verdict: 'ask',
        because: second.because,
        request: 'r2',
      })
      const past = (await t.store.calls.history({})).items
      t.expect(past.map((call) => [call.callId, call.request])).toEqual([
        ['c1', { id: 'r2', state: 'pending' }],
        ['c1', { id: 'r1', state: 'expired' }],
      ])
      t.expect((await t.store.deliveries.take(['chat'], 9, 9)).map((delivery) => delivery.request)).toEqual([
        'r2',
      ])
    })

    it('goes on from one to the next, with texts of any kind', async (t) => {
      const callId = 'c\n1\u0000😀'
      const ids = ['r1', 'r2', 'r3', 'r4']
      for (const [index, id] of ids.entries()) {
        const over = index === 0 ? {} : { succeeds: ids[index - 1]! }
        const request = await t.opened(id, { request: { callId, digest: 'd1' }, ...over })
        await t.moved(request, 'expired')
      }
      const requests = await Promise.all(ids.map((id) => t.store.get(id)))
      t.expect(requests.map((request) => request?.callId)).toEqual(ids.map(() => callId))
      t.expect((await t.store.calls.history({})).items.map((call) => call.request?.id)).toEqual(
        ids.toReversed(),
      )
      t.expect((await t.store.list({ state: 'expired' })).items).toEqual(requests)
      t.expect((await t.store.lookup('s1', callId, 'deploy')).known?.request).toBe('r4')
    })

    it('P3: is not opened where another is the newest, or the digest is another', async (t) => {
      const first = await expired(t, 'r1')
      const second = await opened(t, 'r2', 'r1')
      const entry = t.entry()
      const existing = { kind: 'existing', request: second }
      t.expect(await follow(t, 'r3', 'r1', { entry })).toEqual(existing)
      t.expect(await follow(t, 'r3', 'no such', { entry })).toEqual(existing)
      t.expect(await follow(t, 'r3', 'r2', { entry })).toEqual(existing)
      const other = { request: { ...CALL, digest: 'd2' }, entry }
      t.expect(await follow(t, 'r3', 'r1', other)).toEqual({ kind: 'conflict', digest: 'd1' })
      const over = await t.moved(second, 'expired')
      t.expect(await follow(t, 'r3', 'r2', other)).toEqual({ kind: 'conflict', digest: 'd1' })
      t.expect(await follow(t, 'r3', 'r1', { entry })).toEqual({ kind: 'existing', request: over })
      t.expect(entry.numbers).toEqual([])
      t.expect(await t.store.get('r3')).toBe(undefined)
      t.expect(await t.store.get('r1')).toEqual(first)
    })

    it('P4: follows what is final, and nothing that can still run or be settled', async (t) => {
      for (const [index, state] of (['pending', 'approved', 'running', 'unknown'] as const).entries()) {
        const call = { callId: `c${index}`, digest: `d${index}` }
        const request = await t.opened(`r${index}`, { request: call })
        const moved = await t.moved(request, state, { deadline: { inMs: MINUTE } })
        t.expect(await follow(t, 'next', request.id, { request: call })).toEqual({
          kind: 'existing',
          request: moved,
        })
        t.expect(await t.record(call.callId, { call, succeeds: request.id })).toMatchObject({
          kind: 'existing',
        })
      }
      t.expect(await t.store.get('next')).toBe(undefined)
      t.expect((await t.store.calls.list({})).items).toEqual([])
    })

    it('P5: fails where the call id is not in use, or its own id is', async (t) => {
      const first = await expired(t, 'r1')
      const entry = t.entry()
      const unused = { request: { callId: 'c2', digest: 'd2' }, entry }
      t.expect(await t.codeOf(follow(t, 'r2', 'r1', unused))).toBe('store_unavailable')
      const elsewhere = { request: { ...CALL, session: 's2' }, entry }
      t.expect(await t.codeOf(follow(t, 'r2', 'r1', elsewhere))).toBe('store_unavailable')
      t.expect(await t.codeOf(t.record('c2', { succeeds: 'r1', entry }))).toBe('store_unavailable')
      t.expect(await t.codeOf(follow(t, 'r1', 'r1', { entry }))).toBe('store_unavailable')
      t.expect(entry.numbers).toEqual([])
      t.expect(await t.store.get('r1')).toEqual(first)
      t.expect(await t.store.sessions.get('s2')).toBe(undefined)
      t.expect((await t.store.lookup('s1', 'c1', 'deploy')).known?.request).toBe('r1')
      t.expect((await t.store.calls.history({})).items.length).toBe(1)
    })

    it('P6: is refused as any other is, and then nothing steps aside', async (t) => {
      const first = await expired(t, 'r1')
      const waiting = await t.opened('r0')
      t.expect(await follow(t, 'r2', 'r1', { session: { owner: 'agent-2' } })).toEqual(refused('not_yours'))
      t.expect(await follow(t, 'r2', 'r1', { maxPending: 1 })).toEqual(refused('too_many_pending'))
      await t.moved(waiting, 'rejected')
      const ending = { sessions: ['s1'], by: 'ana', changes: [], entry: t.entry({ type: 'session.ended' }) }
      t.expect(await t.store.endSessions(ending)).toEqual({ won: true })
      t.expect(await follow(t, 'r2', 'r1')).toEqual(refused('session_ended'))
      t.expect(await t.record('c1', { call: CALL, succeeds: 'r1' })).toEqual(refused('session_ended'))
      t.expect(await t.record('c1', { call: CALL, succeeds: 'other' })).toMatchObject({
        kind: 'existing',
        request: 'r1',
      })
      t.expect((await t.store.lookup('s1', 'c1', 'deploy')).known?.request).toBe('r1')
      t.expect(await t.store.get('r1')).toEqual(first)
    })

    it('counts as pending in its session, and is ended with it', async (t) => {
      await expired(t, 'r1')
      const second = await opened(t, 'r2', 'r1', { maxPending: 1 })
      t.expect(await t.open('r3', { maxPending: 1 })).toEqual(refused('too_many_pending'))
      const ending = { sessions: ['s1'], by: 'ana', changes: [], entry: t.entry({ type: 'session.ended' }) }
      t.expect(await t.store.endSessions(ending)).toEqual({ won: false })
      const changes = [t.change(second, 'cancelled')]
      t.expect(await t.store.endSessions({ ...ending, changes })).toEqual({ won: true })
    })

    it('P2: of many openings that follow one request, one opens and the others get it', async (t) => {
      await expired(t, 'r0')
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => follow(t, `n${index}`, 'r0')),
      )
      const winners = results.filter((result) => result.kind === 'opened')
      t.expect(winners.length).toBe(1)
      for (const result of results) {
        if (result !== winners[0])
          t.expect(result).toEqual({ kind: 'existing', request: winners[0]!.request })
      }
      t.expect(await t.store.count('pending')).toBe(1)
    })

    itShared('P2: of openings and records through several store objects one follows', async (t) => {
      const stores: Store[] = [t.store, await t.another(), await t.another()]
      for (let round = 0; round < 5; round++) {
        const call = { callId: `c${round}`, digest: `d${round}` }
        const before = await t.moved(await t.opened(`r${round}`, { request: call }), 'expired')
        const results = await Promise.all(
          stores.map((store, index) => followIn(t, store, index, round, before)),
        )
        const winner = results.findIndex((kind) => kind === 'opened' || kind === 'recorded')
        t.expect(results.filter((kind) => kind === 'opened' || kind === 'recorded').length).toBe(1)
        const past = (await t.store.calls.history({})).items.filter(({ callId }) => callId === call.callId)
        t.expect(past.length).toBe(2)
        for (const store of stores) {
          const known = (await store.lookup('s1', call.callId, 'deploy')).known
          t.expect(known?.request).toBe(winner === 2 ? undefined : `next-${round}-${winner}`)
        }
      }
      for (const store of stores.slice(1)) await store.close()
    })
  })

  describe('a call that follows a request', () => {
    it('is the newest of its id from then on, with its hold and its result', async (t) => {
      const first = await expired(t, 'r1', { result: '"of the request"' })
      t.expect(await t.store.calls.result('s1', 'c1')).toBe('"of the request"')
      const hold = { version: 1, state: 'reviewed', by: 'agent-1', at: START } as const
      await t.record('c0')
      t.expect(await t.record('c1', { call: { digest: 'd1', hold }, succeeds: 'r1' })).toEqual({
        kind: 'recorded',
      })
      await t.record('c2')
      t.expect(await t.store.calls.result('s1', 'c1')).toBe(undefined)
      const known = { digest: 'd1', verdict: 'allow', because: 'read_* is allowed' }
      t.expect((await t.store.lookup('s1', 'c1', 'deploy')).known).toEqual({ ...known, hold })
      const taken = { session: 's1', ...CALL, version: 1, hold, result: '"of the call"' }
      t.expect(await t.store.calls.changeHold(taken)).toEqual({ won: true })
      t.expect(await t.store.calls.result('s1', 'c1')).toBe('"of the call"')
      t.expect(await t.store.get('r1')).toEqual(first)
      const followed = callRecord('c1', { digest: 'd1' })
      t.expect((await t.store.calls.list({ session: 's1' })).items).toEqual([
        callRecord('c2'),
        followed,
        callRecord('c0'),
      ])
      t.expect((await t.store.calls.list({})).items[1]).toEqual(followed)
      t.expect(await follow(t, 'r2', 'r1')).toEqual({ kind: 'known', ...known })
      t.expect(await t.record('c1', { call: CALL, succeeds: 'r1' })).toEqual({ kind: 'existing', ...known })
    })

    it('P5: takes its grants with it, or steps back where one is spent', async (t) => {
      const first = await expired(t, 'r1', { grant: grantDraft('g1', { usesLeft: 1 }) })
      const spent = { call: CALL, succeeds: 'r1', consume: ['g1', 'none'] }
      t.expect(await t.record('c1', spent)).toEqual(refused('grant_spent'))
      t.expect((await t.store.lookup('s1', 'c1', 'deploy')).known?.request).toBe('r1')
      t.expect(await t.store.get('r1')).toEqual(first)
      t.expect(await t.record('c1', { ...spent, consume: ['g1'] })).toEqual({ kind: 'recorded' })
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 1, usesLeft: 0 })
    })

    it('the request before is erased and moved on as any other', async (t) => {
      const first = await expired(t, 'r1', { result: '1' })
      await opened(t, 'r2', 'r1')
      const moved = await t.moved(first, 'expired', { result: '"of the first"' })
      t.expect(moved.version).toBe(first.version + 1)
      t.expect(await t.store.calls.result('s1', 'c1')).toBe(undefined)
      const erased = await t.store.calls.erase(START + 1, 9, () => t.entry({ type: 'arguments.erased' }))
      t.expect(erased).toBe(1)
      t.expect(await t.store.get('r1')).toEqual({ ...moved, bytes: '', commitmentKey: '' })
      t.expect((await t.store.get('r2'))?.bytes).toBe(requestDraft('r2').bytes)
    })
  })
}

function refused(code: string) {
  return { kind: 'refused', code }
}

function follow(t: StoreTest, id: string, succeeds: string, over: OpeningOver = {}): Promise<OpenResult> {
  return t.open(id, { request: CALL, ...over, succeeds })
}

async function opened(t: StoreTest, id: string, succeeds: string, over: OpeningOver = {}): Promise<Request> {
  return t.opened(id, { request: CALL, ...over, succeeds })
}

async function expired(
  t: StoreTest,
  id: string,
  over: Parameters<StoreTest['moved']>[2] = {},
): Promise<Request> {
  return t.moved(await t.opened(id, { request: CALL }), 'expired', over)
}

/** The first two store objects open a request, the third records a call. */
async function followIn(
  t: StoreTest,
  store: Store,
  index: number,
  round: number,
  before: Request,
): Promise<string> {
  const { id: succeeds, callId, digest } = before
  const entry = t.entry({ chain: `chain-of-${index}` })
  const session = sessionDraft('s1')
  if (index === 2) {
    return (await store.record({ call: callRecord(callId, { digest }), session, succeeds, entry })).kind
  }
  const request = requestDraft(`next-${round}-${index}`, { callId, digest })
  const opening = {
    request,
    session,
    state: 'pending',
    deliveries: [],
    maxPending: 99,
    succeeds,
    entry,
  } as const
  return (await store.open({ ...opening, deliveries: [] })).kind
}
