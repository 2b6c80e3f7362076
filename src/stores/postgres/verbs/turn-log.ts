/** The agent's turns in Postgres. */

import { parseJson } from '../../../core/json/parse-json.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { toSession } from '../../sql-rows.ts'
import type { TurnVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { toServerNumber } from '../database/server-numbers.ts'
import { eraseAll } from './erasure.ts'
import { writeWith } from './journal.ts'
import { SESSION_COLUMNS } from './sessions.ts'

type AppendResult = Awaited<ReturnType<TurnVerbs['append']>>

export function createTurnLog(database: Database, ns: string): TurnVerbs {
  const { schema } = database
  const inSession = `FROM ${schema}.turns WHERE session_key = ${schema}.key_v1($1, $2)`
  const goingOn = `SELECT ${SESSION_COLUMNS} FROM ${schema}.sessions s
    WHERE ns = $1 AND unfinished AND left(id, 100) >= left($2, 100) AND id > $2
    ORDER BY left(id, 100), id LIMIT $3`
  const erasable = `SELECT encode(t.session_key, 'hex') AS key, t.at FROM ${schema}.turns t
    JOIN ${schema}.sessions s ON s.key = t.session_key AND NOT s.unfinished
    WHERE t.ns = $1 AND t.created_at < $2 AND t.body <> 'null' ORDER BY t.created_at LIMIT $3`

  return database.verbs<TurnVerbs>({
    async append({ session, at, turn, unfinished, entry }) {
      const operation = { do: 'appendTurn', session, at, turn: JSON.stringify(turn), unfinished }
      return (await writeWith<{ said: AppendResult }>(database, operation, entry)).said
    },
    async read(session, after, limit) {
      const rows = await database.read(`SELECT body ${inSession} AND at >= $3 ORDER BY at LIMIT $4`, [
        ns,
        session,
        toServerNumber(after),
        toServerNumber(limit),
      ])
      return rows.map((row) => parseJson(String(row.body)))
    },
    async lastAt(session) {
      const newest = `SELECT created_at ${inSession} ORDER BY at DESC LIMIT 1`
      const [row] = await database.read(newest, [ns, session])
      return row === undefined ? undefined : Number(row.created_at)
    },
    async unfinished(query) {
      const limit = pageLimit(query.limit)
      const [after] = readCursor(query.cursor, [''])
      const rows = await database.read(goingOn, [ns, after, limit + 1])
      return pageOf(rows, limit, toSession, (row) => [String(row.id)])
    },
    async erase(before, limit, entry) {
      const rows = await database.read(erasable, [ns, toServerNumber(before), toServerNumber(limit)])
      const found = rows.map((row) => ({ key: String(row.key), at: Number(row.at) }))
      return eraseAll(database, 'eraseTurns', found, (_, place, still) => still.has(place), entry)
    },
  })
}
