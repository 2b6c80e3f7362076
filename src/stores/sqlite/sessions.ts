/** Sessions and their turns in SQLite. */
import type { JsonValue } from '../../core/json.ts'
import type { Role, Session } from '../../core/session.ts'
import { pageLimit, readCursor, writeCursor } from '../cursor.ts'
import type { SessionDraft, SessionVerbs } from '../store.ts'
import type { Row } from './connection.ts'
import type { Database } from './database.ts'
import type { SqliteJournal } from './journal.ts'

export interface SqliteSessions extends SessionVerbs {
  find(id: string): Session | undefined
  /** Inside a write: whether the caller may use the session, and whether it has to be made first. */
  admit(draft: SessionDraft): Admission
  /** Inside a write. */
  create(draft: SessionDraft, at: number): void
  end(id: string, at: number, by: string, reason: string | undefined): void
  /** Inside a write: the sessions that this one has started and that have not ended. */
  openChildren(id: string): string[]
}

export type Admission = 'open' | 'new' | 'session_ended' | 'not_yours'

export function createSessions(database: Database, ns: string, journal: SqliteJournal): SqliteSessions {
  const sql = (text: string) => database.statement(text)
  const one = sql('SELECT * FROM sessions WHERE ns = ? AND id = ?')
  const insert = sql(
    'INSERT INTO sessions (ns, id, owner, owner_role, parent, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const markEnded = sql(
    'UPDATE sessions SET ended_at = ?, ended_by = ?, ended_reason = ? WHERE ns = ? AND id = ? AND ended_at IS NULL',
  )

  const children = sql(
    'SELECT id FROM sessions INDEXED BY sessions_by_parent WHERE ns = ? AND parent = ? AND ended_at IS NULL',
  )

  function find(id: string): Session | undefined {
    const row = one.get(ns, id)
    return row === undefined ? undefined : toSession(row)
  }

  function admit(draft: SessionDraft): Admission {
    const row = one.get(ns, draft.id) ?? (draft.parent === undefined ? undefined : one.get(ns, draft.parent))
    if (row === undefined) return 'new'
    if (row.owner !== draft.owner) return 'not_yours'
    if (row.ended_at !== null) return 'session_ended'
    return row.id === draft.id ? 'open' : 'new'
  }

  return {
    find,
    admit,
    create(draft, at) {
      insert.run(ns, draft.id, draft.owner, draft.ownerRole, draft.parent ?? null, at)
    },
    end(id, at, by, reason) {
      markEnded.run(at, by, reason ?? null, ns, id)
    },
    openChildren: (id) => children.all(ns, id).map((row) => String(row.id)),
    async get(id) {
      return database.read(() => find(id))
    },
    async list(query) {
      const limit = pageLimit(query.limit)
      const [id] = readCursor(query.cursor, [''])
      const rows = database.read(() =>
        sql('SELECT * FROM sessions WHERE ns = ? AND id > ? ORDER BY id LIMIT ?').all(ns, id, limit + 1),
      )
      const last = rows[limit - 1]
      const items = rows.slice(0, limit).map(toSession)
      return rows.length > limit && last ? { items, cursor: writeCursor([last.id!]) } : { items }
    },
    async family(id) {
      const rows = database.read(() =>
        sql(
          `WITH RECURSIVE family (id) AS (
             SELECT ?2 UNION SELECT s.id FROM family f CROSS JOIN sessions s INDEXED BY sessions_by_parent
               ON s.ns = ?1 AND s.parent = f.id)
           SELECT s.* FROM family f CROSS JOIN sessions s ON s.ns = ?1 AND s.id = f.id`,
        ).all(ns, id),
      )
      return rows.map(toSession)
    },
    setMode: (id, mode, entry) =>
      database.write(() => {
        const { changes } = sql('UPDATE sessions SET mode = ? WHERE ns = ? AND id = ?').run(mode, ns, id)
        if (Number(changes) === 0) return false
        journal.add(entry)
        return true
      }),
    appendTurn: (id, at, turn) =>
      database.write(() => {
        const last = sql('SELECT max(at) AS at FROM turns WHERE ns = ? AND session = ?').get(ns, id)?.at ?? -1
        if (Number(last) + 1 !== at) return false
        sql('INSERT INTO turns (ns, session, at, body) VALUES (?, ?, ?, ?)').run(
          ns,
          id,
          at,
          JSON.stringify(turn),
        )
        return true
      }),
    async turns(id, after, limit) {
      const rows = database.read(() =>
        sql('SELECT body FROM turns WHERE ns = ? AND session = ? AND at >= ? ORDER BY at LIMIT ?').all(
          ns,
          id,
          after,
          limit,
        ),
      )
      return rows.map((row) => JSON.parse(String(row.body)) as JsonValue)
    },
  }
}

function toSession(row: Row): Session {
  return {
    id: String(row.id),
    owner: String(row.owner),
    ownerRole: row.owner_role as Role,
    createdAt: Number(row.created_at),
    ...(row.parent === null ? {} : { parent: String(row.parent) }),
    ...(row.mode === null ? {} : { mode: String(row.mode) }),
    ...(row.ended_at === null
      ? {}
      : {
          ended: {
            at: Number(row.ended_at),
            by: String(row.ended_by),
            ...(row.ended_reason === null ? {} : { reason: String(row.ended_reason) }),
          },
        }),
  }
}
