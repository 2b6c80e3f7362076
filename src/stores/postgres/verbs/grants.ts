import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { toGrant } from '../../sql-rows.ts'
import type { GrantVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { nowOr } from '../database/server-numbers.ts'
import { hasWon } from './journal.ts'

export function createGrants(database: Database, ns: string, at: () => number | null): GrantVerbs {
  const { schema } = database
  const unspent = `SELECT * FROM ${schema}.grants WHERE tool_key = ${schema}.key_v1($1, $2)
    AND session_key = ANY (ARRAY(SELECT ${schema}.key_v1($1, id) FROM unnest($3::text[]) id) || ''::bytea)
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowOr('$4')})
    AND (uses_left IS NULL OR uses_left > 0)`
  const page = `SELECT * FROM ${schema}.grants WHERE ns = $1 AND id > $2 ORDER BY id LIMIT $3`
  const one = `SELECT * FROM ${schema}.grants WHERE id = $2 AND ns || '' = $1`

  return database.verbs<GrantVerbs>({
    find: async ({ tool, sessions }) =>
      (await database.read(unspent, [ns, tool, sessions, at()])).map(toGrant),
    async list(query) {
      const limit = pageLimit(query.limit)
      const [after] = readCursor(query.cursor, [''])
      const rows = await database.read(page, [ns, after, limit + 1])
      return pageOf(rows, limit, toGrant, (row) => [String(row.id)])
    },
    async get(id) {
      const [row] = await database.read(one, [ns, id])
      return row === undefined ? undefined : toGrant(row)
    },
    // Writes are functions of the server: this one is in `sql/grants-and-sessions.ts`.
    async revoke(id, by, entry) {
      return hasWon(database, { do: 'revokeGrant', id, by }, entry)
    },
  })
}
