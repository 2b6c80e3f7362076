/** Grants in SQLite. What counts uses and ends lives in columns; the rest is kept as it was given. */
import type { Grant } from '../../../core/grants/grant.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { toGrant } from '../../sql-rows.ts'
import type { GrantVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { SqliteJournal } from './journal.ts'

export interface SqliteGrants extends GrantVerbs {
  /** Inside a write. */
  add(grant: Grant): void
  /** Inside a write: takes one use; false when there is none to take. */
  consume(id: string): boolean
}

const UNSPENT =
  'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) AND (uses_left IS NULL OR uses_left > 0)'

export function createGrants(
  database: Database,
  ns: string,
  now: () => number,
  journal: SqliteJournal,
): SqliteGrants {
  const sql = (text: string) => database.statement(text)
  const insert = sql(
    'INSERT INTO grants (ns, id, tool, session, expires_at, uses_left, uses, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const take = sql(
    `UPDATE grants SET uses = uses + 1, uses_left = uses_left - 1 WHERE ns = ? AND id = ? AND ${UNSPENT}`,
  )
  const byTool = sql(
    `SELECT * FROM grants INDEXED BY grants_by_tool WHERE ns = ? AND tool = ? AND ${UNSPENT}`,
  )
  const one = sql('SELECT * FROM grants WHERE ns = ? AND id = ?')

  return {
    add(grant) {
      const { expiresAt, usesLeft, uses, revoked: _, ...body } = grant
      insert.run(
        ns,
        grant.id,
        grant.tool,
        grant.session ?? null,
        expiresAt ?? null,
        usesLeft ?? null,
        uses,
        JSON.stringify(body),
      )
    },
    consume: (id) => Number(take.run(ns, id, now()).changes) === 1,
    async find({ tool, sessions }) {
      const rows = database.read(() => byTool.all(ns, tool, now()))
      return rows.filter((row) => row.session === null || sessions.includes(String(row.session))).map(toGrant)
    },
    async list(query) {
      const limit = pageLimit(query.limit)
      const [id] = readCursor(query.cursor, [''])
      const rows = database.read(() =>
        sql('SELECT * FROM grants WHERE ns = ? AND id > ? ORDER BY id LIMIT ?').all(ns, id, limit + 1),
      )
      return pageOf(rows, limit, toGrant, (row) => [String(row.id)])
    },
    async get(id) {
      const row = database.read(() => one.get(ns, id))
      return row === undefined ? undefined : toGrant(row)
    },
    revoke: (id, by, entry) =>
      database.write(() => {
        const { changes } = sql(
          'UPDATE grants SET revoked_at = ?, revoked_by = ? WHERE ns = ? AND id = ? AND revoked_at IS NULL',
        ).run(now(), by, ns, id)
        if (Number(changes) === 0) return false
        journal.add(entry)
        return true
      }),
  }
}
