/** `turns`: what an agent keeps of its conversations. */

import type { JsonValue } from '../../core/json/json.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import { START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeTurns({ describe, it, itShared }: Suite): void {
  describe('turns', () => {
    it('are appended in order, and of two writers at one place one loses', async (t) => {
      const turns: JsonValue[] = [{ role: 'user', text: 'hi' }, ['a', 1, true], 'text', 7.5]
      for (const [at, turn] of turns.entries()) t.expect(await t.append(at, turn)).toBe('appended')
      t.expect(await t.store.turns.read('s1', 0, 100)).toEqual(turns)
      t.expect(await t.store.turns.read('s1', 1, 2)).toEqual(turns.slice(1, 3))
      t.expect(await t.store.turns.read('s1', 4, 2)).toEqual([])
      t.expect(await t.store.turns.read('s2', 0, 2)).toEqual([])
      t.expect(await t.append(3, 'again')).toBe('lost')
      t.expect(await t.append(5, 'a gap')).toBe('lost')
      const results = await Promise.all(Array.from({ length: 5 }, (_, index) => t.append(4, index)))
      t.expect(results.filter((result) => result === 'appended').length).toBe(1)
      t.expect((await t.store.turns.read('s1', 0, 100)).length).toBe(5)
    })

    it('P10: the first makes the session, on the record; later ones write no entry', async (t) => {
      const [first, second] = [t.entry({ type: 'session.begun' }), t.entry({ type: 'session.begun' })]
      await t.append(0, 'a', { entry: first, session: { owner: 'ana', ownerRole: 'admin' } })
      await t.append(1, 'b', { entry: second, session: { owner: 'ana', ownerRole: 'admin' } })
      t.expect([first.numbers.length, second.numbers.length]).toEqual([1, 0])
      t.expect(await t.store.sessions.get('s1')).toMatchObject({ owner: 'ana', ownerRole: 'admin' })
    })

    it("P6: nobody writes in another's session, and none is made by losing", async (t) => {
      await t.append(0, 'mine')
      t.expect(await t.append(1, 'theirs', { session: { owner: 'agent-2' } })).toBe('not_yours')
      t.expect(await t.append(3, 'a gap', { session: { id: 's2' } })).toBe('lost')
      t.expect(await t.store.sessions.get('s2')).toBe(undefined)
      const child = { session: { id: 's3', parent: 's1', owner: 'agent-2' } }
      t.expect(await t.append(0, 'a child', child)).toBe('not_yours')
    })

    it('P5: a session that has ended takes only the end of its turn', async (t) => {
      await t.append(0, 'begun', { unfinished: true })
      await t.store.endSessions({ sessions: ['s1'], by: 'ana', changes: [], entry: t.entry() })
      t.expect(await t.append(1, 'more', { unfinished: true })).toBe('session_ended')
      t.expect(await t.append(1, 'ended')).toBe('appended')
      t.expect(await t.append(0, 'x', { session: { id: 's2', parent: 's1' } })).toBe('session_ended')
      t.expect(await t.store.turns.read('s1', 0, 9)).toEqual(['begun', 'ended'])
    })

    it('P7: those in the middle of a turn are found, page by page', async (t) => {
      for (const id of ['s3', 's1', 's2']) await t.append(0, 'begun', { unfinished: true, session: { id } })
      await t.append(0, 'whole', { session: { id: 's4' } })
      t.expect(await unfinished(t)).toEqual(['s1', 's2', 's3'])
      await t.append(1, 'ended', { session: { id: 's2' } })
      t.expect(await unfinished(t)).toEqual(['s1', 's3'])
    })

    it('know when the newest was written, erased or not', async (t) => {
      t.expect(await t.store.turns.lastAt('s1')).toBe(undefined)
      await t.append(0, 'first')
      await t.setTime(START + 10)
      await t.append(1, 'second')
      await t.setTime(START + 20)
      await t.append(0, 'elsewhere', { session: { id: 's2' } })
      t.expect(await t.store.turns.lastAt('s1')).toBe(START + 10)
      await t.store.turns.erase(START + 15, 9, () => t.entry({ type: 'turns.erased' }))
      t.expect(await t.store.turns.lastAt('s1')).toBe(START + 10)
    })

    it('erases what is old, keeps the places, and tells how many', async (t) => {
      await t.append(0, 'old')
      await t.append(0, 'going on', { unfinished: true, session: { id: 's2' } })
      await t.setTime(START + 10)
      await t.append(1, 'new')
      const entry = t.entry({ type: 'turns.erased' })
      t.expect(await t.store.turns.erase(START + 1, 10, () => entry)).toBe(1)
      t.expect(entry.numbers.length).toBe(1)
      t.expect(await t.store.turns.read('s1', 0, 9)).toEqual([null, 'new'])
      t.expect(await t.store.turns.read('s2', 0, 9)).toEqual(['going on'])
      t.expect(await t.store.turns.erase(START + 1, 10, () => t.entry())).toBe(0)
      t.expect(await t.append(2, 'next')).toBe('appended')
    })

    it('erases at most as many as it is told', async (t) => {
      for (let at = 0; at < 5; at++) await t.append(at, at + 1)
      const counts: number[] = []
      for (let round = 0; round < 4; round++)
        counts.push(await t.store.turns.erase(START + 1, 2, () => t.entry()))
      t.expect(counts).toEqual([2, 2, 1, 0])
    })

    itShared('P2: of writers on several store objects one wins a place', async (t) => {
      const other = await t.another()
      const begin = (store: typeof other, turn: string) =>
        store.turns.append({
          session: { id: 's1', owner: 'agent-1', ownerRole: 'agent' },
          at: 0,
          turn,
          unfinished: true,
          entry: t.entry({ type: 'session.begun' }),
        })
      const results = await Promise.all([begin(t.store, 'a'), begin(other, 'b')])
      t.expect(results.sort()).toEqual(['appended', 'lost'])
      await other.close()
    })
  })
}

async function unfinished(t: StoreTest): Promise<string[]> {
  const found = await readAllPages((next) => t.store.turns.unfinished({ limit: 2, ...next }))
  return found.map(({ id }) => id)
}
