/** Sessions in Postgres. */
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { toSession } from '../../sql-rows.ts'
import type { SessionVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { hasWon } from './journal.ts'

/** Of sessions `s`, as `toSession` takes them. */
export const SESSION_COLUMNS =
  's.id, s.owner, s.owner_role, s.parent, s.mode, s.created_at, s.ended_at, s.ended_by, s.ended_reason'

export function createSessions(database: Database, ns: string): SessionVerbs {
  const { schema } = database
  // The index has the beginning of an id; the rest of the order is made of the few that share it.
  const older = `AND (created_at, left(id, 100)) <= ($2, left($3, 100)) AND (created_at, id) < ($2, $3)
    ORDER BY created_at DESC, left(id, 100) DESC, id DESC LIMIT $4`
  const newest = `SELECT ${SESSION_COLUMNS} FROM ${schema}.sessions s WHERE ns = $1 ${older}`
  const newestOfOwner = `SELECT ${SESSION_COLUMNS} FROM ${schema}.sessions s
    WHERE owner_key = ${schema}.key_v1($1, $5) ${older}`
  const several = `SELECT ${SESSION_COLUMNS} FROM ${schema}.sessions s
    WHERE key = ANY (ARRAY(SELECT ${schema}.key_v1($1, id) FROM unnest($2::text[]) id))`
  const family = `WITH RECURSIVE family (key) AS (
      SELECT ${schema}.key_v1($1, $2) UNION
      SELECT s.key FROM family f JOIN ${schema}.sessions s ON s.parent_key = f.key)
    SELECT ${SESSION_COLUMNS} FROM family f JOIN ${schema}.sessions s ON s.key = f.key`

  return database.verbs<SessionVerbs>({
    async get(id) {
      const text = `SELECT ${SESSION_COLUMNS} FROM ${schema}.sessions s WHERE key = ${schema}.key_v1($1, $2)`
      const [row] = await database.read(text, [ns, id])
      return row === undefined ? undefined : toSession(row)
    },
    getAll: async (ids) => (await database.read(several, [ns, ids])).map(toSession),
    async list(query) {
      const limit = pageLimit(query.limit)
      const [at, id] = readCursor<[number, string]>(query.cursor, [Number.MAX_SAFE_INTEGER, ''])
      const values = [ns, at, id, limit + 1]
      const rows =
        query.owner === undefined
          ? await database.read(newest, values)
          : await database.read(newestOfOwner, [...values, query.owner])
      return pageOf(rows, limit, toSession, (row) => [Number(row.created_at), String(row.id)])
    },
    family: async (id) => (await database.read(family, [ns, id])).map(toSession),
    async setMode(id, mode, entry) {
      return hasWon(database, { do: 'setMode', id, mode }, entry)
    },
  })
}
