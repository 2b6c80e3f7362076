/** Reads requests from Postgres: one, a page of a state, and what is due. */
import { LIVE_STATES, type Request } from '../../../core/request.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { listAnyState, type StateQuery } from '../../list-any-state.ts'
import { toRequest } from '../../sql-rows.ts'
import type { Store } from '../../store.ts'
import type { Row, SqlValue } from '../database/connections.ts'
import type { Database } from '../database/database.ts'
import { nowOr, toServerNumber } from '../database/server-numbers.ts'
import { REQUEST_COLUMNS } from '../sql/reads.ts'

/** All of them inside a verb. */
export interface RequestLists extends Pick<Store, 'list' | 'count' | 'due' | 'nextDeadline'> {
  /** All that are asked for in one turn go in one query. */
  find(id: string): Promise<Request | undefined>
}

/** Of what `find` collects, this many go in one query. */
const MAX_FOUND = 200

export function createRequestLists(database: Database, ns: string, at: () => number | null): RequestLists {
  const { schema } = database
  const joined = (requests: string) =>
    `SELECT ${REQUEST_COLUMNS} FROM (${requests}) r JOIN ${schema}.calls c ON c.ns = r.ns AND c.seq = r.seq`
  const byIds = `SELECT * FROM ${schema}.find_requests_v1($1, $2::text[])`
  // A state at a time, so that no more is read than there is room for.
  const due = `${joined(
    `SELECT q.* FROM unnest($2::text[]) s (state) CROSS JOIN LATERAL (
       SELECT * FROM ${schema}.requests WHERE ns = $1 AND state = s.state AND sort_at <= ${nowOr('$3')}
         AND deadline IS NOT NULL ORDER BY sort_at, id LIMIT $4) q
     ORDER BY q.sort_at, q.id LIMIT $4`,
  )} ORDER BY r.sort_at, r.id`
  const nextDeadline = `SELECT min(q.sort_at) AS at FROM unnest($2::text[]) s (state) CROSS JOIN LATERAL (
    SELECT sort_at FROM ${schema}.requests WHERE ns = $1 AND state = s.state AND deadline IS NOT NULL
    ORDER BY sort_at LIMIT 1) q`

  const wanted: { id: string; resolve(row: Row | undefined): void; reject(error: unknown): void }[] = []

  async function findWanted(): Promise<void> {
    const batch = wanted.splice(0, MAX_FOUND)
    if (wanted.length > 0) setImmediate(findWanted)
    try {
      const rows = await database.read(byIds, [ns, [...new Set(batch.map(({ id }) => id))]])
      const found = new Map(rows.map((row) => [String(row.id), row]))
      for (const { id, resolve } of batch) resolve(found.get(id))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function find(id: string): Promise<Request | undefined> {
    const row = await new Promise<Row | undefined>((resolve, reject) => {
      wanted.push({ id, resolve, reject })
      if (wanted.length === 1) setImmediate(findWanted)
    })
    return row === undefined ? undefined : toRequest(row)
  }

  function page(query: StateQuery, limit: number): Promise<Row[]> {
    const [sortAt, id] = readCursor(query.cursor, [0, ''])
    const values: SqlValue[] = [ns, query.state, sortAt, id, limit]
    let narrowed = ''
    for (const [column, value] of [
      ['session_key', query.session],
      ['submitter_key', query.submittedBy],
    ] as const) {
      if (value === undefined) continue
      values.push(value)
      narrowed += `AND ${column} = ${schema}.key_v1($1, $${values.length}) `
    }
    // A key is of one namespace, and leaves one index to choose.
    const within = narrowed === '' ? 'AND ns = $1' : `${narrowed} AND ns || '' = $1`
    const text = `SELECT * FROM ${schema}.requests WHERE state = $2 ${within}
      AND (sort_at, id) > ($3, $4) ORDER BY sort_at, id LIMIT $5`
    return database.read(`${joined(text)} ORDER BY r.sort_at, r.id`, values)
  }

  return {
    find,
    list: listAnyState(async (query) => {
      const limit = pageLimit(query.limit)
      const rows = await page(query, limit + 1)
      return pageOf(rows, limit, toRequest, (row) => [Number(row.sort_at), String(row.id)])
    }),
    async count(state) {
      const text = `SELECT n FROM ${schema}.counts WHERE ns = $1 AND state = $2`
      return Number((await database.read(text, [ns, state]))[0]?.n ?? 0)
    },
    due: async (limit) =>
      (await database.read(due, [ns, LIVE_STATES as string[], at(), toServerNumber(limit)])).map(toRequest),
    async nextDeadline() {
      const [row] = await database.read(nextDeadline, [ns, LIVE_STATES as string[]])
      return row === undefined || row.at === null ? undefined : Number(row.at)
    },
  }
}
