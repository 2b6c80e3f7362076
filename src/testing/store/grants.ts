/** `grants`: what can still cover a call, and how it is taken back. */
import { defined } from '../../core/defined.ts'
import type { Grant } from '../../core/grants/grant.ts'
import { grantDraft, MINUTE, START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeGrants({ describe, it }: Suite): void {
  describe('grants', () => {
    it('finds those of the tool that hold in one of the sessions, or everywhere', async (t) => {
      await leave(
        t,
        grantDraft('g1'),
        grantDraft('g2', { session: 's1' }),
        grantDraft('g3', { session: 's2' }),
      )
      await leave(t, grantDraft('g4', { tool: 'other' }))
      t.expect(await found(t, [])).toEqual(['g1'])
      t.expect(await found(t, ['s1'])).toEqual(['g1', 'g2'])
      t.expect(await found(t, ['s1', 's2', 's9'])).toEqual(['g1', 'g2', 'g3'])
      t.expect(await found(t, ['s1'], 'other')).toEqual(['g4'])
      t.expect(await found(t, ['s1'], 'third')).toEqual([])
    })

    it('P5: finds none that is revoked, used up or expired at this very millisecond', async (t) => {
      const uses = grantDraft('g1', { usesLeft: 1 })
      await leave(t, uses, grantDraft('g2'), grantDraft('g3', { expiresAt: START + MINUTE }))
      t.expect(await found(t, ['s1'])).toEqual(['g1', 'g2', 'g3'])
      await t.record('c1', { consume: ['g1'] })
      t.expect(await t.store.grants.revoke('g2', 'ben', t.entry({ type: 'grant.revoked' }))).toBe(true)
      await t.setTime(START + MINUTE - 1)
      t.expect(await found(t, ['s1'])).toEqual(['g3'])
      await t.setTime(START + MINUTE)
      t.expect(await found(t, ['s1'])).toEqual([])
    })

    it('P10: is revoked once, with who and when', async (t) => {
      const grant = grantDraft('g1', { usesLeft: 5 })
      await leave(t, grant)
      await t.setTime(START + 3)
      const results = await Promise.all(
        ['ana', 'ben', 'eve'].map((by) => t.store.grants.revoke('g1', by, t.entry())),
      )
      t.expect(results.filter(Boolean).length).toBe(1)
      const by = ['ana', 'ben', 'eve'][results.indexOf(true)]
      t.expect(await t.store.grants.get('g1')).toEqual({ ...grant, revoked: { at: START + 3, by } })
      t.expect(await t.store.grants.revoke('no such', 'ana', t.entry())).toBe(false)
    })

    it('lists all, spent or not, page by page', async (t) => {
      const all = ['g1', 'g2', 'g3', 'g4', 'g5'].map((id) => grantDraft(id))
      await leave(t, ...all)
      await t.store.grants.revoke('g3', 'ana', t.entry())
      const listed: Grant[] = []
      let cursor: string | undefined
      do {
        const page = await t.store.grants.list({ limit: 2, ...defined({ cursor }) })
        t.expect(page.items.length <= 2).toBe(true)
        listed.push(...page.items)
        cursor = page.cursor
      } while (cursor !== undefined)
      t.expect(listed.map((grant) => grant.id).sort()).toEqual(['g1', 'g2', 'g3', 'g4', 'g5'])
      t.expect(await t.store.grants.get('g9')).toBe(undefined)
    })
  })
}

async function leave(t: StoreTest, ...grants: Grant[]): Promise<void> {
  for (const grant of grants) {
    await t.moved(await t.opened(`for-${grant.id}`), 'approved', { deadline: { inMs: MINUTE }, grant })
  }
}

async function found(t: StoreTest, sessions: string[], tool = 'deploy'): Promise<string[]> {
  return (await t.store.grants.find({ tool, sessions })).map((grant) => grant.id).sort()
}
