/** `record`: calls that nobody was asked about, and the uses of grants. */
import { defined } from '../../core/defined.ts'
import { callRecord, grantDraft, MINUTE, START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeRecording({ describe, it }: Suite): void {
  describe('record', () => {
    it('P10: commits the call, its session and its entry', async (t) => {
      const entry = t.entry({ type: 'calls.judged' })
      const call = { verdict: 'deny', rule: '*_delete', tool: 'files_delete' } as const
      t.expect(await t.record('c1', { call, entry })).toEqual({ kind: 'recorded' })
      t.expect((await t.store.calls.list({})).items).toEqual([callRecord('c1', call)])
      t.expect(await t.store.sessions.get('s1')).toMatchObject({ owner: 'agent-1', createdAt: START })
      t.expect(entry.numbers).toEqual([1])
    })

    it('keeps why, with its values, and tells it where the call is listed or looked up', async (t) => {
      const why = { code: 'why.unlisted', values: { what: 'git push', list: ['a', 2, { code: 'b' }] } }
      const call = { verdict: 'deny', reason: { code: 'deny', values: { why } } } as const
      await t.record('c1', { call })
      t.expect((await t.store.calls.list({})).items).toEqual([callRecord('c1', call)])
      const { known } = await t.store.lookup('s1', 'c1', 'deploy')
      t.expect(known).toEqual({
        digest: 'digest-c1',
        verdict: 'deny',
        because: 'read_* is allowed',
        reason: call.reason,
      })
      const request = await t.opened('r1', { request: { reason: call.reason } })
      t.expect((await t.store.get(request.id))?.reason).toEqual(call.reason)
    })

    it('the same id again is told what there is, and changes nothing', async (t) => {
      await t.record('c1')
      t.expect(await t.record('c1', { call: { digest: 'other', verdict: 'deny' } })).toEqual({
        kind: 'existing',
        digest: 'digest-c1',
        verdict: 'allow',
        because: 'read_* is allowed',
      })
      const request = await t.opened('r1')
      t.expect(await t.record(request.callId)).toEqual({
        kind: 'existing',
        digest: 'digest-r1',
        verdict: 'ask',
        because: request.because,
        request: 'r1',
      })
      t.expect((await t.store.calls.list({})).items.length).toBe(1)
    })

    it('P2: of many concurrent records of one call id, one is recorded', async (t) => {
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => t.record('c1', { call: { digest: `d${index}` } })),
      )
      t.expect(results.filter((result) => result.kind === 'recorded').length).toBe(1)
      t.expect(results.filter((result) => result.kind === 'existing').length).toBe(9)
    })

    it("P6: another's session is not yours, an ended one has ended", async (t) => {
      await t.record('c1')
      t.expect(await t.record('c2', { session: { owner: 'agent-2' } })).toEqual({
        kind: 'refused',
        code: 'not_yours',
      })
      t.expect(await t.record('c1', { session: { owner: 'agent-2' } })).toEqual({
        kind: 'refused',
        code: 'not_yours',
      })
      await t.store.endSessions({ sessions: ['s1'], by: 'ana', changes: [], entry: t.entry() })
      t.expect(await t.record('c2')).toEqual({ kind: 'refused', code: 'session_ended' })
      t.expect(await t.record('c1')).toMatchObject({ kind: 'existing' })
      const child = { call: { session: 's2' }, session: { parent: 's1' } }
      t.expect(await t.record('c2', child)).toEqual({ kind: 'refused', code: 'session_ended' })
      t.expect(await t.store.sessions.get('s2')).toBe(undefined)
      t.expect((await t.store.calls.list({})).items.length).toBe(1)
    })
  })

  describe('record with a grant', () => {
    it('takes one use with the record', async (t) => {
      await leaveGrant(t, { usesLeft: 2 })
      t.expect(await t.record('c1', { consume: ['g1'] })).toEqual({ kind: 'recorded' })
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 1, usesLeft: 1 })
      t.expect(await t.record('c1', { consume: ['g1'] })).toMatchObject({ kind: 'existing' })
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 1, usesLeft: 1 })
    })

    it('P5: a grant without a bound counts its uses, and has no end', async (t) => {
      await leaveGrant(t, {})
      for (const id of ['c1', 'c2', 'c3'])
        t.expect(await t.record(id, { consume: ['g1'] })).toEqual({ kind: 'recorded' })
      const grant = await t.store.grants.get('g1')
      t.expect(grant?.uses).toBe(3)
      t.expect(grant?.usesLeft).toBe(undefined)
    })

    it('P5: an unknown, revoked or used-up grant records nothing, not even the session', async (t) => {
      await leaveGrant(t, { usesLeft: 1 })
      await spent(t, 'no such grant')
      t.expect(await t.record('c1', { consume: ['g1'] })).toEqual({ kind: 'recorded' })
      await spent(t, 'g1')
      await leaveGrant(t, {}, 'g2')
      await t.store.grants.revoke('g2', 'ana', t.entry({ type: 'grant.revoked' }))
      await spent(t, 'g2')
    })

    it('P5: a grant has expired at the very millisecond that it names', async (t) => {
      await leaveGrant(t, { expiresAt: START + MINUTE })
      await t.setTime(START + MINUTE - 1)
      t.expect(await t.record('c1', { consume: ['g1'] })).toEqual({ kind: 'recorded' })
      await t.setTime(START + MINUTE)
      await spent(t, 'g1')
    })

    it('P5: of several grants each gives one use, or none gives any', async (t) => {
      await leaveGrant(t, { usesLeft: 2 })
      await leaveGrant(t, {}, 'g2')
      await leaveGrant(t, { usesLeft: 1 }, 'g3')
      t.expect(await t.record('c1', { consume: ['g1', 'g2', 'g3'] })).toEqual({ kind: 'recorded' })
      await spent(t, 'g1', 'g2', 'g3')
      await spent(t, 'g3', 'g1')
      await spent(t, 'g1', 'no such grant')
      await t.store.grants.revoke('g2', 'ana', t.entry({ type: 'grant.revoked' }))
      await spent(t, 'g1', 'g2')
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 1, usesLeft: 1 })
      t.expect((await t.store.grants.get('g2'))?.uses).toBe(1)
      t.expect(await t.store.grants.get('g3')).toMatchObject({ uses: 1, usesLeft: 0 })
    })

    it('P5: one that is named twice gives two uses', async (t) => {
      await leaveGrant(t, { usesLeft: 3 })
      t.expect(await t.record('c1', { consume: ['g1', 'g1'] })).toEqual({ kind: 'recorded' })
      await spent(t, 'g1', 'g1')
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 2, usesLeft: 1 })
    })

    it('a refused session takes no use', async (t) => {
      await leaveGrant(t, { usesLeft: 1 })
      t.expect(await t.record('c1', { session: { owner: 'agent-2' }, consume: ['g1'] })).toMatchObject({
        kind: 'refused',
      })
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 0, usesLeft: 1 })
    })

    it('P4: of many that need two grants at once, as many get them as the scarcer has uses', async (t) => {
      await leaveGrant(t, { usesLeft: 7 })
      await leaveGrant(t, { usesLeft: 3 }, 'g2')
      const results = await Promise.all(
        Array.from({ length: 9 }, (_, index) => {
          return t.record(`c${index}`, { consume: index % 2 === 0 ? ['g1', 'g2'] : ['g2', 'g1'] })
        }),
      )
      t.expect(results.filter((result) => result.kind === 'recorded').length).toBe(3)
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 3, usesLeft: 4 })
      t.expect(await t.store.grants.get('g2')).toMatchObject({ uses: 3, usesLeft: 0 })
    })

    it('P4: of many concurrent takers only as many get a use as there are', async (t) => {
      await leaveGrant(t, { usesLeft: 4 })
      const results = await Promise.all(
        Array.from({ length: 11 }, (_, index) => t.record(`c${index}`, { consume: ['g1'] })),
      )
      t.expect(results.filter((result) => result.kind === 'recorded').length).toBe(4)
      t.expect(
        results.filter((result) => result.kind === 'refused' && result.code === 'grant_spent').length,
      ).toBe(7)
      t.expect(await t.store.grants.get('g1')).toMatchObject({ uses: 4, usesLeft: 0 })
      t.expect((await t.store.calls.list({})).items.length).toBe(4)
    })
  })

  describe('recordAll', () => {
    const judged = (callId: string, over: { session?: string; owner?: string; digest?: string } = {}) => ({
      call: callRecord(callId, { session: over.session ?? 's1', ...defined({ digest: over.digest }) }),
      session: { id: over.session ?? 's1', owner: over.owner ?? 'agent-1', ownerRole: 'agent' as const },
    })

    it('P10: commits calls of several sessions with one entry', async (t) => {
      const entry = t.entry({ type: 'calls.judged' })
      const calls = [judged('c1'), judged('c2', { session: 's2' }), judged('c3')]
      const recorded = { kind: 'recorded' }
      t.expect(await t.store.recordAll({ calls, entry })).toEqual([recorded, recorded, recorded])
      t.expect(entry.numbers).toEqual([1])
      t.expect((await t.store.calls.list({})).items.map((call) => call.callId)).toEqual(['c3', 'c2', 'c1'])
      t.expect((await t.store.lookup('s2', 'c2', 'deploy')).known).toMatchObject({ verdict: 'allow' })
    })

    it('one that is taken, not yours or too late does not hold up the others', async (t) => {
      await t.record('c1')
      await t.record('gone', { call: { session: 'ended' }, session: { id: 'ended' } })
      await t.store.endSessions({ sessions: ['ended'], by: 'ana', changes: [], entry: t.entry() })
      const calls = [
        judged('c1', { digest: 'other' }),
        judged('c2', { owner: 'agent-2' }),
        judged('late', { session: 'ended' }),
        judged('gone', { session: 'ended' }),
        judged('c3'),
        judged('c3', { digest: 'twice in one batch' }),
      ]
      const results = await t.store.recordAll({ calls, entry: t.entry({ type: 'calls.judged' }) })
      t.expect(results.map((result) => (result.kind === 'refused' ? result.code : result.kind))).toEqual([
        'existing',
        'not_yours',
        'session_ended',
        'existing',
        'recorded',
        'existing',
      ])
      t.expect((await t.store.calls.list({ session: 's1' })).items.length).toBe(2)
    })

    it('P10: where none is recorded there is an entry all the same: they were judged, and may have run', async (t) => {
      await t.record('c1')
      const entry = t.entry({ type: 'calls.judged' })
      t.expect((await t.store.recordAll({ calls: [judged('c1')], entry })).map(({ kind }) => kind)).toEqual([
        'existing',
      ])
      t.expect(entry.numbers).toEqual([2])
    })
  })
}

/** Leaves a grant behind, by the only way there is: a decision. */
async function leaveGrant(t: StoreTest, over: Parameters<typeof grantDraft>[1], id = 'g1'): Promise<void> {
  const request = await t.opened(`for-${id}`)
  await t.moved(request, 'approved', { deadline: { inMs: MINUTE }, grant: grantDraft(id, over) })
}

async function spent(t: StoreTest, ...consume: string[]): Promise<void> {
  const before = (await t.store.calls.list({})).items.length
  const over = { call: { session: 'fresh' }, consume }
  t.expect(await t.record('spent', over)).toEqual({ kind: 'refused', code: 'grant_spent' })
  t.expect(await t.store.sessions.get('fresh')).toBe(undefined)
  t.expect((await t.store.calls.list({})).items.length).toBe(before)
}
