/** `sessions`: what belongs together, and its mode. */
import { defined } from '../../core/defined.ts'
import { START } from './drafts.ts'
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

    it('reads several at once: those that exist, each once, as each alone would be', async (t) => {
      const strange = 'a\t"ü😀'
      for (const id of ['s1', 's2', 's3', strange]) await begin(t, id)
      await t.store.sessions.setMode('s2', 'plan', t.entry())
      await t.store.endSessions({ sessions: ['s3'], by: 'ana', reason: 'r', changes: [], entry: t.entry() })
      const wanted = ['s3', strange, 's2', 'none', 's2']
      const found = await t.store.sessions.getAll(wanted)
      t.expect(found.map(({ id }) => id).sort()).toEqual(
        [...new Set(wanted)].sort().filter((id) => id !== 'none'),
      )
      for (const session of found) t.expect(session).toEqual(await t.store.sessions.get(session.id))
      t.expect(await t.store.sessions.getAll([])).toEqual([])
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

    it('lists all, the newest first, page by page', async (t) => {
      for (const [index, id] of ['s3', 's1', 's2', 's5', 's4'].entries()) {
        await t.setTime(START + index)
        await begin(t, id)
      }
      t.expect(await listed(t, { limit: 2 })).toEqual(['s4', 's5', 's2', 's1', 's3'])
      t.expect(await listed(t, {})).toEqual(['s4', 's5', 's2', 's1', 's3'])
    })

    it('lists those of one moment by their ids, backwards, and none twice', async (t) => {
      for (const id of ['s3', 's1', 's5', 's2', 's4']) await begin(t, id)
      t.expect(await listed(t, { limit: 1 })).toEqual(['s5', 's4', 's3', 's2', 's1'])
      t.expect(await listed(t, { limit: 5 })).toEqual(['s5', 's4', 's3', 's2', 's1'])
    })

    it("lists one owner's, whoever else began some meanwhile", async (t) => {
      const owners = ['ana', 'ben', 'ana', 'ana', 'agent-1', 'ben']
      for (const [index, owner] of owners.entries()) {
        await t.setTime(START + Math.floor(index / 2))
        await begin(t, `s${index}`, undefined, owner)
      }
      t.expect(await listed(t, { owner: 'ana', limit: 1 })).toEqual(['s3', 's2', 's0'])
      t.expect(await listed(t, { owner: 'ben' })).toEqual(['s5', 's1'])
      t.expect(await listed(t, { owner: 'an' })).toEqual([])
    })

    it('a page goes on where the last one ended, whatever was begun or changed meanwhile', async (t) => {
      for (const id of ['s1', 's2', 's3']) await begin(t, id)
      const { cursor } = await t.store.sessions.list({ limit: 1 })
      await t.setTime(START + 1)
      await begin(t, 's0')
      await begin(t, 's9')
      await t.store.sessions.setMode('s1', 'plan', t.entry())
      const { items } = await t.store.sessions.list({ cursor: cursor! })
      t.expect(items.map((session) => session.id)).toEqual(['s2', 's1'])
      t.expect(items.map((session) => session.mode)).toEqual([undefined, 'plan'])
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

async function begin(t: StoreTest, session: string, parent?: string, owner = 'agent-1'): Promise<void> {
  const draft = parent === undefined ? { owner } : { owner, parent }
  await t.record('c1', { call: { session }, session: draft })
}

async function listed(t: StoreTest, query: { owner?: string; limit?: number }): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await t.store.sessions.list({ ...query, ...defined({ cursor }) })
    found.push(...page.items.map((session) => session.id))
    cursor = page.cursor
  } while (cursor !== undefined && found.length < 100)
  return found
}

async function family(t: StoreTest, id: string): Promise<string[]> {
  return (await t.store.sessions.family(id)).map((session) => session.id).sort()
}
