/** `open` and `lookup`: a request is on the record before anyone sees it, once, and in a session of its owner. */
import { grantDraft, MINUTE, requestDraft, START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeOpening({ describe, it }: Suite): void {
  describe('open', () => {
    it('P1: commits request, session, deliveries and entry in one step', async (t) => {
      const entry = t.entry({ request: 'r1', version: 1 })
      const result = await t.open('r1', {
        request: { context: 'for the release', origin: { channel: 'inbox', conversation: 'c1' } },
        session: { ownerRole: 'approver', parent: 's0' },
        deliveries: [{ channel: 'chat' }, { channel: 'inbox' }],
        entry,
      })
      t.expect(result.kind).toBe('opened')
      const request = await t.store.get('r1')
      t.expect(result).toEqual({ kind: 'opened', request })
      t.expect(request).toMatchObject({
        id: 'r1',
        state: 'pending',
        version: 1,
        createdAt: START,
        deadline: START + MINUTE,
        progress: {},
        context: 'for the release',
        origin: { channel: 'inbox', conversation: 'c1' },
      })
      t.expect(await t.store.sessions.get('s1')).toEqual({
        id: 's1',
        owner: 'agent-1',
        ownerRole: 'approver',
        parent: 's0',
        createdAt: START,
      })
      t.expect(await t.store.deliveries.list('r1')).toMatchObject([
        { request: 'r1', channel: 'chat', shownVersion: 0, attempts: 0 },
        { request: 'r1', channel: 'inbox', shownVersion: 0, attempts: 0 },
      ])
      t.expect(entry.numbers).toEqual([1])
    })

    it('P8: what nobody can answer is final at once, without a deadline', async (t) => {
      const request = await t.opened('r1', { state: 'unreachable' })
      t.expect(request).toMatchObject({ state: 'unreachable', version: 1, deadline: null })
      await t.setTime(START + 10 * MINUTE)
      t.expect(await t.store.due(10)).toEqual([])
      t.expect(await t.store.nextDeadline()).toBe(undefined)
      t.expect(await t.store.get('r1')).toEqual(request)
    })

    it('the same call id and digest is the same request, as it is now', async (t) => {
      const request = await t.opened('r1', { deliveries: [{ channel: 'chat' }] })
      const rejected = await t.moved(request, 'rejected')
      const again = await t.open('r2', {
        request: { callId: request.callId, digest: request.digest },
        deliveries: [{ channel: 'inbox' }],
      })
      t.expect(again).toEqual({ kind: 'existing', request: rejected })
      t.expect(await t.store.get('r2')).toBe(undefined)
      t.expect(await t.store.deliveries.list('r2')).toEqual([])
    })

    it('P3: a call id that was used for another digest is a conflict', async (t) => {
      const request = await t.opened('r1')
      const other = await t.open('r2', { request: { callId: request.callId } })
      t.expect(other).toEqual({ kind: 'conflict', digest: 'digest-r1' })
      t.expect(await t.store.get('r2')).toBe(undefined)
      t.expect(await t.open('r3', { request: { callId: request.callId, session: 's2' } })).toMatchObject({
        kind: 'opened',
      })
    })

    it('a call id of an allowed or denied call is known, with what was said of it', async (t) => {
      await t.record('c1', { call: { verdict: 'deny', because: 'never' } })
      t.expect(await t.open('r1', { request: { callId: 'c1', digest: 'digest-c1' } })).toEqual({
        kind: 'known',
        digest: 'digest-c1',
        verdict: 'deny',
        because: 'never',
      })
      t.expect(await t.open('r1', { request: { callId: 'c1' } })).toEqual({
        kind: 'conflict',
        digest: 'digest-c1',
      })
    })

    it('P2: of many concurrent openings of one call, one opens and the others get it', async (t) => {
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          t.open(`r${index}`, { request: { callId: 'c1', digest: 'd1' }, deliveries: [{ channel: 'chat' }] }),
        ),
      )
      const opened = results.filter((result) => result.kind === 'opened')
      t.expect(opened.length).toBe(1)
      const request = opened[0]!.request
      for (const result of results) {
        if (result !== opened[0]) t.expect(result).toEqual({ kind: 'existing', request })
      }
      t.expect(await t.store.count('pending')).toBe(1)
    })

    it('an id that is taken fails, and leaves nothing behind', async (t) => {
      const request = await t.opened('r1')
      const entry = t.entry()
      const again = t.open('r1', {
        request: { callId: 'c2', session: 's2' },
        deliveries: [{ channel: 'chat' }],
        entry,
      })
      t.expect(await t.codeOf(again)).toBe('store_unavailable')
      t.expect(entry.numbers).toEqual([])
      t.expect(await t.store.get('r1')).toEqual(request)
      t.expect(await t.store.lookup('s2', 'c2', 'deploy')).toEqual({
        granted: false,
        session: undefined,
        known: undefined,
      })
      t.expect(await t.store.deliveries.list('r1')).toEqual([])
    })
  })

  describe('sessions at the door', () => {
    it('a session is made once and keeps its owner, parent and birthday', async (t) => {
      await t.opened('r1', { session: { parent: 's0' } })
      await t.setTime(START + 5)
      await t.opened('r2', { session: { parent: 'other', ownerRole: 'admin' } })
      t.expect(await t.store.sessions.get('s1')).toEqual({
        id: 's1',
        owner: 'agent-1',
        ownerRole: 'agent',
        parent: 's0',
        createdAt: START,
      })
    })

    it("P6: another's session is not yours, whatever the call id is", async (t) => {
      const request = await t.opened('r1')
      const thief = { owner: 'agent-2' }
      await refused(t, 'not_yours', { session: thief })
      await refused(t, 'not_yours', {
        session: thief,
        request: { callId: request.callId, digest: request.digest },
      })
      await refused(t, 'not_yours', { session: thief, request: { callId: request.callId } })
      t.expect(await t.store.sessions.get('s1')).toMatchObject({ owner: 'agent-1' })
    })

    it('a session that has ended takes no new call, and still knows the old ones', async (t) => {
      const request = await t.moved(await t.opened('r1'), 'rejected')
      await end(t, 's1')
      await refused(t, 'session_ended', {})
      t.expect(await t.open('r2', { request: { callId: request.callId, digest: request.digest } })).toEqual({
        kind: 'existing',
        request,
      })
    })

    it('a sub-session of an ended session, or of another owner, is not begun', async (t) => {
      await t.record('c1')
      await refused(t, 'not_yours', {
        request: { session: 's2' },
        session: { parent: 's1', owner: 'agent-2' },
      })
      await end(t, 's1')
      await refused(t, 'session_ended', { request: { session: 's2' }, session: { parent: 's1' } })
      t.expect(await t.store.sessions.get('s2')).toBe(undefined)
    })

    it('too many pending: only those that wait count, and only in this session', async (t) => {
      const first = await t.opened('r1', { maxPending: 2 })
      await t.opened('r2', { maxPending: 2 })
      await refused(t, 'too_many_pending', { maxPending: 2 })
      await refused(t, 'too_many_pending', { maxPending: 0, request: { session: 's3' } })
      t.expect(await t.store.sessions.get('s3')).toBe(undefined)
      await t.opened('r3', { maxPending: 2, request: { session: 's2' } })
      await t.moved(first, 'approved', { deadline: { inMs: MINUTE } })
      await t.opened('r4', { maxPending: 2 })
    })

    it('too many pending holds for openings in the same moment', async (t) => {
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) => t.open(`r${index}`, { maxPending: 5 })),
      )
      t.expect(results.filter((result) => result.kind === 'opened').length).toBe(5)
      t.expect(await t.store.count('pending')).toBe(5)
    })
  })

  describe('lookup', () => {
    it('tells what is known of a session and of a call id in it', async (t) => {
      t.expect(await t.store.lookup('s1', 'c1', 'deploy')).toEqual({
        granted: false,
        session: undefined,
        known: undefined,
      })
      const request = await t.opened('r1')
      await t.record('c1', { call: { because: 'fine' } })
      const session = await t.store.sessions.get('s1')
      t.expect(await t.store.lookup('s1', 'c2', 'deploy')).toEqual({
        granted: false,
        session,
        known: undefined,
      })
      t.expect(await t.store.lookup('s1', 'c1', 'deploy')).toEqual({
        granted: false,
        session,
        known: { digest: 'digest-c1', verdict: 'allow', because: 'fine' },
      })
      t.expect(await t.store.lookup('s1', request.callId, 'deploy')).toEqual({
        granted: false,
        session,
        known: { digest: 'digest-r1', verdict: 'ask', because: request.because, request: 'r1' },
      })
      t.expect(await t.store.lookup('s2', 'c1', 'deploy')).toEqual({
        granted: false,
        session: undefined,
        known: undefined,
      })
    })

    it('tells whether there may be a grant for the tool', async (t) => {
      const request = await t.opened('r1')
      await t.moved(request, 'approved', { grant: grantDraft('g1', { tool: 'deploy' }) })
      t.expect((await t.store.lookup('s1', 'c2', 'deploy')).granted).toBe(true)
      t.expect((await t.store.lookup('s2', 'c2', 'deploy')).granted).toBe(true)
      t.expect((await t.store.lookup('s1', 'c2', 'other')).granted).toBe(false)
    })
  })
}

async function refused(
  t: StoreTest,
  code: string,
  over: NonNullable<Parameters<StoreTest['open']>[1]>,
): Promise<void> {
  const { session, callId } = requestDraft('refused', over.request)
  const state = async () => [await t.store.count('pending'), await t.store.lookup(session, callId, 'deploy')]
  const before = await state()
  const entry = t.entry()
  t.expect(await t.open('refused', { ...over, entry })).toEqual({ kind: 'refused', code })
  t.expect(entry.numbers).toEqual([])
  t.expect(await t.store.get('refused')).toBe(undefined)
  t.expect(await state()).toEqual(before)
}

async function end(t: StoreTest, session: string): Promise<void> {
  const entry = t.entry({ type: 'session.ended' })
  t.expect(await t.store.endSessions({ sessions: [session], by: 'ana', changes: [], entry })).toEqual({
    won: true,
  })
}
