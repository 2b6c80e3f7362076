/** The agent's turns in SQLite. */

import { parseJson } from '../../../core/json/parse-json.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import type { TurnVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { SqliteJournal } from './journal.ts'
import { overwriting } from './overwriting.ts'
import type { SqliteSessions } from './sessions.ts'

interface SqliteTurnLogParts {
  database: Database
  ns: string
  now: () => number
  journal: SqliteJournal
  sessions: SqliteSessions
}

export function createTurnLog({ database, ns, now, journal, sessions }: SqliteTurnLogParts): TurnVerbs {
  const sql = (text: string) => database.statement(text)
  const length = sql('SELECT max(at) AS last FROM turns WHERE ns = ? AND session = ?')
  const newest = sql('SELECT created_at FROM turns WHERE ns = ? AND session = ? ORDER BY at DESC LIMIT 1')
  const insert = sql('INSERT INTO turns (ns, session, at, body, created_at) VALUES (?, ?, ?, ?, ?)')
  const mark = sql('UPDATE sessions SET unfinished = ?1 WHERE ns = ?2 AND id = ?3 AND unfinished <> ?1')
  const goingOn = sql(
    'SELECT id FROM sessions INDEXED BY sessions_unfinished WHERE ns = ? AND unfinished = 1 AND id > ? ORDER BY id LIMIT ?',
  )

  return {
    append: ({ session, at, turn, unfinished, entry }) =>
      database.write(() => {
        const admission = sessions.admit(session)
        if (admission === 'not_yours') return admission
        if (admission === 'session_ended' && (unfinished || sessions.find(session.id) === undefined))
          return admission
        const last = length.get(ns, session.id)?.last ?? -1
        if (Number(last) + 1 !== at) return 'lost'
        if (admission === 'new') {
          sessions.create(session, now())
          journal.add(entry)
        }
        insert.run(ns, session.id, at, JSON.stringify(turn), now())
        mark.run(unfinished ? 1 : 0, ns, session.id)
        return 'appended'
      }),
    async read(session, after, limit) {
      const rows = database.read(() =>
        sql('SELECT body FROM turns WHERE ns = ? AND session = ? AND at >= ? ORDER BY at LIMIT ?').all(
          ns,
          session,
          after,
          limit,
        ),
      )
      return rows.map((row) => parseJson(String(row.body)))
    },
    async lastAt(session) {
      const row = database.read(() => newest.get(ns, session))
      return row === undefined ? undefined : Number(row.created_at)
    },
    async unfinished(query) {
      const limit = pageLimit(query.limit)
      const [after] = readCursor(query.cursor, [''])
      const found = database.read(() =>
        goingOn.all(ns, after, limit + 1).map(({ id }) => sessions.find(String(id))!),
      )
      return pageOf(
        found,
        limit,
        (session) => session,
        ({ id }) => [id],
      )
    },
    erase: (before, limit, entry) =>
      database.write(() => {
        const found = sql(
          `SELECT t.session, t.at FROM turns t INDEXED BY turns_by_age WHERE t.ns = ?1 AND t.created_at < ?2 AND t.body <> 'null'
             AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.ns = ?1 AND s.id = t.session AND s.unfinished = 1) LIMIT ?3`,
        ).all(ns, before, limit)
        if (found.length === 0) return 0
        const empty = sql("UPDATE turns SET body = 'null' WHERE ns = ? AND session = ? AND at = ?")
        overwriting(database, () => {
          for (const { session, at } of found) empty.run(ns, session!, at!)
        })
        journal.add(entry(found.length))
        return found.length
      }),
  }
}
