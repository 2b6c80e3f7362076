/** Leases in SQLite. One that has ended is deleted: fences are counted for all of them together. */
import { defined } from '../../../core/defined.ts'
import { toLease } from '../../sql-rows.ts'
import type { LeaseVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'

/** Above every name that begins with what stands before it. */
const LAST_CHARACTER = '\u{10ffff}'

export function createLeases(database: Database, ns: string, now: () => number): LeaseVerbs {
  const sql = (text: string) => database.statement(text)
  return {
    take: ({ name, holder, leaseMs, note }) =>
      database.write(() => {
        const at = now()
        const row = sql('SELECT * FROM leases WHERE ns = ? AND name = ? AND until > ?').get(ns, name, at)
        const held = row === undefined ? undefined : toLease(row)
        if (held !== undefined && held.holder !== holder) return held
        const fence = held?.fence ?? nextFence(at)
        sql(
          `INSERT INTO leases (ns, name, holder, fence, until, note) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (ns, name) DO UPDATE SET holder = excluded.holder, fence = excluded.fence,
             until = excluded.until, note = excluded.note`,
        ).run(ns, name, holder, fence, at + leaseMs, note === undefined ? null : JSON.stringify(note))
        return { name, holder, fence, until: at + leaseMs, ...defined({ note }) }
      }),
    release: (name, holder) =>
      database.write(() => {
        sql('DELETE FROM leases WHERE ns = ? AND name = ? AND holder = ?').run(ns, name, holder)
      }),
    async list(prefix) {
      const rows = database.read(() =>
        sql('SELECT * FROM leases WHERE ns = ? AND name >= ? AND name < ? AND until > ? ORDER BY name').all(
          ns,
          prefix,
          prefix + LAST_CHARACTER,
          now(),
        ),
      )
      return rows.map(toLease)
    },
  }

  function nextFence(at: number): number {
    sql('DELETE FROM leases WHERE ns = ? AND until <= ?').run(ns, at)
    sql('INSERT INTO fences (ns, last) VALUES (?, 1) ON CONFLICT (ns) DO UPDATE SET last = last + 1').run(ns)
    return Number(sql('SELECT last FROM fences WHERE ns = ?').get(ns)?.last)
  }
}
