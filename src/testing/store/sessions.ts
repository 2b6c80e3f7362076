/** `sessions`: what belongs together, and its mode. */
import type { StoreTest, Suite } from './store-test.ts'

export function describeSessions({ describe, it }: Suite): void {
  describe('sessions', () => {
    it("a new session takes over its parent's mode, and keeps it", async (t) => {
      await begin(t, 's1')
      await t.store.sessions.setMode('s1', 'dontAsk', t.entry())
      await begin(t, 's2', 's1')
      t.expect((await t.store.sessions.get('s2'))?.mode).toBe('dontAsk')
      await t.store.sessions.setMode('s1', 'bypass', t.entry())
      t.expect((await t.store.sessions.get('s2'))?.mode).toBe('dontAsk')
      await begin(t, 's3', 'nobody')
      t.expect((await t.store.sessions.get('s3'))?.mode).toBe(undefined)
    })

    it('a family is the session and all that it started, however deep', async (t) => {
      const parents = { s1: undefined, s2: 's1', s3: 's2', s4: 's1', s5: undefined, s6: 's5' }
      for (const [id, parent] of Object.entries(parents)) await begin(t, id, parent)
      t.expect(await family(t, 's1')).toEqual(['s1', 's2', 's3', 's4'])
      t.expect(await family(t, 's2')).toEqual(['s2', 's3'])
      t.expect(await family(t, 's6')).toEqual(['s6'])
      t.expect(await family(t, 's9')).toEqual([])
    })

    it('a family has its ended members too, and survives a circle', async (t) => {
      await begin(t, 's1', 's2')
      await begin(t, 's2', 's1')
      await begin(t, 's3', 's1')
      await t.store.endSessions({ sessions: ['s3'], by: 'ana', changes: [], entry: t.entry() })
      t.expect(await family(t, 's1')).toEqual(['s1', 's2', 's3'])
    })

    it('lists all, page by page', async (t) => {
      for (const id of ['s3', 's1', 's2', 's5', 's4']) await begin(t, id)
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await t.store.sessions.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
        found.push(...page.items.map((session) => session.id))
        cursor = page.cursor
      } while (cursor !== undefined)
      t.expect(found.sort()).toEqual(['s1', 's2', 's3', 's4', 's5'])
    })

    it('P10: sets a mode on the record, and none on a session that there is not', async (t) => {
      await begin(t, 's1')
      const entry = t.entry({ type: 'session.mode' })
      t.expect(await t.store.sessions.setMode('s1', 'dontAsk', entry)).toBe(true)
      t.expect((await t.store.sessions.get('s1'))?.mode).toBe('dontAsk')
      t.expect(entry.numbers.length).toBe(1)
      t.expect(await t.store.sessions.setMode('s2', 'dontAsk', t.entry())).toBe(false)
      t.expect(await t.store.sessions.get('s2')).toBe(undefined)
    })
  })
}

async function begin(t: StoreTest, session: string, parent?: string): Promise<void> {
  await t.record('c1', { call: { session }, session: parent === undefined ? {} : { parent } })
}

async function family(t: StoreTest, id: string): Promise<string[]> {
  return (await t.store.sessions.family(id)).map((session) => session.id).sort()
}
