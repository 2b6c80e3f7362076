/** Reads requests from SQLite: one, a page of a state, and what is due. */
import { LIVE_STATES, type Request } from '../../../core/request.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { inListOrder, listAnyState, type StateQuery } from '../../list-any-state.ts'
import { toRequest } from '../../sql-rows.ts'
import type { Store } from '../../store.ts'
import type { Row } from '../database/connection.ts'
import type { Database } from '../database/database.ts'

export interface RequestLists extends Pick<Store, 'list' | 'count' | 'due' | 'nextDeadline'> {
  find(id: string): Request | undefined
}

/** The requests of a session, by the index of its calls: a session is short among many. */
export const OF_SESSION =
  'calls c CROSS JOIN requests r ON r.id = c.request WHERE c.ns = ? AND c.session = ? AND c.request IS NOT NULL'

const COLUMNS = `r.id, r.session, r.state, r.version, r.deadline, r.sort_at, r.progress,
  coalesce(c.own_call_id, c.call_id) AS call_id, c.tool, c.digest,
  c.because, c.policy_version, c.submitted_by, r.created_at, c.draft, c.bytes, c.commitment_key`
const JOIN_CALLS = 'JOIN calls c ON c.seq = r.seq'

export function createRequestLists(database: Database, ns: string, now: () => number): RequestLists {
  const sql = (text: string) => database.statement(text)
  const byId = sql(`SELECT ${COLUMNS} FROM requests r ${JOIN_CALLS} WHERE r.id = ? AND r.ns = ?`)
  const due = sql(
    `SELECT ${COLUMNS} FROM requests r ${JOIN_CALLS}
     WHERE r.ns = ? AND r.state = ? AND r.sort_at <= ? AND r.deadline IS NOT NULL ORDER BY r.sort_at, r.id LIMIT ?`,
  )
  const nextDeadline = sql(
    'SELECT sort_at FROM requests WHERE ns = ? AND state = ? AND deadline IS NOT NULL ORDER BY sort_at LIMIT 1',
  )

  function page(query: StateQuery, limit: number): Row[] {
    const [sortAt, id] = readCursor(query.cursor, [0, ''])
    const { state, session, submittedBy } = query
    const bySubject = submittedBy === undefined ? '' : 'AND c.submitted_by = ? '
    const after = `${bySubject}AND (r.sort_at, r.id) > (?, ?) ORDER BY r.sort_at, r.id LIMIT ?`
    const rest = [...(submittedBy === undefined ? [] : [submittedBy]), sortAt, id, limit]
    if (session === undefined) {
      const text = `SELECT ${COLUMNS} FROM requests r ${JOIN_CALLS} WHERE r.ns = ? AND r.state = ? ${after}`
      return sql(text).all(ns, state, ...rest)
    }
    return sql(`SELECT ${COLUMNS} FROM ${OF_SESSION} AND r.state = ? ${after}`).all(
      ns,
      session,
      state,
      ...rest,
    )
  }

  return {
    find(id) {
      const row = byId.get(id, ns)
      return row === undefined ? undefined : toRequest(row)
    },
    list: listAnyState(async (query) => {
      const limit = pageLimit(query.limit)
      const rows = database.read(() => page(query, limit + 1))
      return pageOf(rows, limit, toRequest, (row) => [Number(row.sort_at), String(row.id)])
    }),
    async count(state) {
      const text = 'SELECT count(*) AS count FROM requests WHERE ns = ? AND state = ?'
      return Number(database.read(() => sql(text).get(ns, state))?.count)
    },
    async due(limit) {
      const at = now()
      // A state at a time: over several at once SQLite would read and sort all that is due, not `limit` of it.
      const rows = database.read(() => LIVE_STATES.flatMap((state) => due.all(ns, state, at, limit)))
      return rows.map(toRequest).sort(inListOrder).slice(0, limit)
    },
    async nextDeadline() {
      const rows = database.read(() => LIVE_STATES.map((state) => nextDeadline.get(ns, state)))
      const deadlines = rows.filter((row) => row !== undefined).map((row) => Number(row.sort_at))
      return deadlines.length === 0 ? undefined : Math.min(...deadlines)
    },
  }
}
