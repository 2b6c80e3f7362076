import { pageLimit, readCursor, writeCursor } from '../../cursor.ts'
import { toGrant } from '../../sql-rows.ts'
import type { GrantVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { nowOr } from '../database/server-numbers.ts'
import { entryToJson } from './journal.ts'

export function createGrants(database: Database, ns: string, at: () => number | null): GrantVerbs {
  const { schema } = database
  const unspent = `SELECT * FROM ${schema}.grants WHERE tool_key = ${schema}.key_v1($1, $2)
    AND session_key = ANY (ARRAY(SELECT ${schema}.key_v1($1, id) FROM unnest($3::text[]) id) || ''::bytea)
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowOr('$4')})
    AND (uses_left IS NULL OR uses_left > 0)`
  const page = `SELECT * FROM ${schema}.grants WHERE ns = $1 AND id > $2 ORDER BY id LIMIT $3`
  const one = `SELECT * FROM ${schema}.grants WHERE id = $2 AND ns || '' = $1`

  return {
    find: ({ tool, sessions }) =>
      database.verb(async () => (await database.read(unspent, [ns, tool, sessions, at()])).map(toGrant)),
    list: (query) =>
      database.verb(async () => {
        const limit = pageLimit(query.limit)
        const [after] = readCursor(query.cursor, [''])
        const rows = await database.read(page, [ns, after, limit + 1])
        const items = rows.slice(0, limit).map(toGrant)
        const last = items.at(-1)
        return rows.length > limit && last ? { items, cursor: writeCursor([last.id]) } : { items }
      }),
    get: (id) =>
      database.verb(async () => {
        const [row] = await database.read(one, [ns, id])
        return row === undefined ? undefined : toGrant(row)
      }),
    // Writes are functions of the server: this one is in `sql/grants-and-sessions.ts`.
    revoke: (id, by, entry) =>
      database.verb(async () => {
        const operation = { do: 'revokeGrant', id, by, entry: entryToJson(entry) }
        return (await database.write<{ won: boolean }>(operation, [entry])).won
      }),
  }
}
