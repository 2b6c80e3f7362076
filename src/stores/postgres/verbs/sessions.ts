/** Sessions in Postgres. */
import type { Role, Session } from '../../../core/session.ts'
import { pageLimit, readCursor, writeCursor } from '../../cursor.ts'
import type { SessionVerbs } from '../../store.ts'
import type { Row } from '../database/connections.ts'
import type { Database } from '../database/database.ts'
import { entryToJson } from './journal.ts'

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

  return {
    get: (id) =>
      database.verb(async () => {
        const text = `SELECT ${SESSION_COLUMNS} FROM ${schema}.sessions s WHERE key = ${schema}.key_v1($1, $2)`
        const [row] = await database.read(text, [ns, id])
        return row === undefined ? undefined : toSession(row)
      }),
    getAll: (ids) => database.verb(async () => (await database.read(several, [ns, ids])).map(toSession)),
    list: (query) =>
      database.verb(async () => {
        const limit = pageLimit(query.limit)
        const [at, id] = readCursor<[number, string]>(query.cursor, [Number.MAX_SAFE_INTEGER, ''])
        const values = [ns, at, id, limit + 1]
        const rows =
          query.owner === undefined
            ? await database.read(newest, values)
            : await database.read(newestOfOwner, [...values, query.owner])
        const items = rows.slice(0, limit).map(toSession)
        const last = items.at(-1)
        return rows.length > limit && last
          ? { items, cursor: writeCursor([last.createdAt, last.id]) }
          : { items }
      }),
    family: (id) => database.verb(async () => (await database.read(family, [ns, id])).map(toSession)),
    setMode: (id, mode, entry) =>
      database.verb(async () => {
        const operation = { do: 'setMode', id, mode, entry: entryToJson(entry) }
        return (await database.write<{ won: boolean }>(operation, [entry])).won
      }),
  }
}

export function toSession(row: Row): Session {
  const session: Session = {
    id: String(row.id),
    owner: String(row.owner),
    ownerRole: row.owner_role as Role,
    createdAt: Number(row.created_at),
  }
  if (row.parent !== null) session.parent = String(row.parent)
  if (row.mode !== null) session.mode = String(row.mode)
  if (row.ended_at !== null) {
    session.ended = { at: Number(row.ended_at), by: String(row.ended_by) }
    if (row.ended_reason !== null) session.ended.reason = String(row.ended_reason)
  }
  return session
}
