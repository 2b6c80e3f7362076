/** Sessions in SQLite. */
import type { Session } from '../../../core/session.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { sessionOf, toSession } from '../../sql-rows.ts'
import type { SessionDraft, SessionVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { SqliteJournal } from './journal.ts'

export interface SqliteSessions extends SessionVerbs {
  find(id: string): Session | undefined
  /** Inside a write: whether the caller may use the session, and whether it has to be made first. */
  admit(draft: SessionDraft): Admission
  /** Inside a write. */
  create(draft: SessionDraft, at: number): void
  end(id: string, at: number, by: string, reason: string | undefined): void
  /**
   * Inside a write: counts so many more pending requests in a session that is open and the caller's own; false when it is not,
   * or when there are already as many as may be.
   */
  addPending(draft: SessionDraft, count: 0 | 1, max: number): boolean
  /** Inside a write: a request of the session became pending, or stopped being so. */
  countPending(id: string, more: number): void
  /** Inside a write: the sessions that this one has started and that have not ended. */
  openChildren(id: string): string[]
}

/** Of sessions `s`, in the order in which `sessionOf` takes them. */
export const SESSION_COLUMNS =
  's.id, s.owner, s.owner_role, s.parent, s.mode, s.created_at, s.ended_at, s.ended_by, s.ended_reason'

export type Admission = 'open' | 'new' | 'session_ended' | 'not_yours'

export function createSessions(database: Database, ns: string, journal: SqliteJournal): SqliteSessions {
  const sql = (text: string) => database.statement(text)
  const one = database.tuples(`SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.ns = ? AND s.id = ?`)
  const insert = sql(
    'INSERT INTO sessions (ns, id, owner, owner_role, parent, mode, created_at) VALUES (?1, ?2, ?3, ?4, ?5, (SELECT mode FROM sessions WHERE ns = ?1 AND id = ?5), ?6)',
  )
  const markEnded = sql(
    'UPDATE sessions SET ended_at = ?, ended_by = ?, ended_reason = ? WHERE ns = ? AND id = ? AND ended_at IS NULL',
  )
  const newest = sql(
    `SELECT * FROM sessions INDEXED BY sessions_by_age WHERE ns = ? AND (created_at, id) < (?, ?)
     ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  const newestOfOwner = sql(
    `SELECT * FROM sessions INDEXED BY sessions_by_owner WHERE ns = ? AND owner = ? AND (created_at, id) < (?, ?)
     ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  const children = sql(
    'SELECT id FROM sessions INDEXED BY sessions_by_parent WHERE ns = ? AND parent = ? AND ended_at IS NULL',
  )

  function find(id: string): Session | undefined {
    const columns = one.get(ns, id)
    return columns === undefined ? undefined : sessionOf(columns)
  }

  const forAdmission = database.tuples('SELECT id, owner, ended_at FROM sessions WHERE ns = ? AND id = ?')
  // Many calls of one session share a group commit: within it the session is looked up once.
  let open = new Map<string, string>()
  let openIn = -1

  function admit(draft: SessionDraft): Admission {
    if (openIn !== database.transaction()) {
      open = new Map()
      openIn = database.transaction()
    }
    if (open.get(draft.id) === draft.owner) return 'open'
    const row =
      forAdmission.get(ns, draft.id) ??
      (draft.parent === undefined ? undefined : forAdmission.get(ns, draft.parent))
    if (row === undefined) return 'new'
    const [id, owner, endedAt] = row
    if (owner !== draft.owner) return 'not_yours'
    if (endedAt !== null) return 'session_ended'
    if (id !== draft.id) return 'new'
    open.set(draft.id, draft.owner)
    return 'open'
  }

  const addOne = sql(
    `UPDATE sessions SET pending = pending + ? WHERE ns = ? AND id = ? AND owner = ? AND ended_at IS NULL AND pending < ?`,
  )
  const count = sql('UPDATE sessions SET pending = pending + ? WHERE ns = ? AND id = ?')

  return {
    find,
    admit,
    addPending: ({ id, owner }, count, max) => Number(addOne.run(count, ns, id, owner, max).changes) === 1,
    countPending(id, more) {
      count.run(more, ns, id)
    },
    create(draft, at) {
      insert.run(ns, draft.id, draft.owner, draft.ownerRole, draft.parent ?? null, at)
    },
    end(id, at, by, reason) {
      open.delete(id)
      markEnded.run(at, by, reason ?? null, ns, id)
    },
    openChildren: (id) => children.all(ns, id).map((row) => String(row.id)),
    async get(id) {
      return database.read(() => find(id))
    },
    async getAll(ids) {
      return database.read(() => [...new Set(ids)].flatMap((id) => find(id) ?? []))
    },
    async list(query) {
      const limit = pageLimit(query.limit)
      const [at, id] = readCursor<[number, string]>(query.cursor, [Number.MAX_SAFE_INTEGER, ''])
      const { owner } = query
      const rows = database.read(() =>
        owner === undefined
          ? newest.all(ns, at, id, limit + 1)
          : newestOfOwner.all(ns, owner, at, id, limit + 1),
      )
      return pageOf(rows, limit, toSession, (row) => [Number(row.created_at), String(row.id)])
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
  }
}
