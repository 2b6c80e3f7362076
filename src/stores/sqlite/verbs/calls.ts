/** The history of calls in SQLite, and their erasure after the retention time. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CallHold } from '../../../core/call-hold.ts'
import { defined } from '../../../core/defined.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { isFinal, STATES } from '../../../core/request.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { toCall, toPast } from '../../sql-rows.ts'
import type { CallVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { SqliteJournal } from './journal.ts'
import { overwriting } from './overwriting.ts'
import type { SqliteResults } from './results.ts'

/** For a list in SQL. */
export const FINAL = STATES.filter(isFinal)
  .map((state) => `'${state}'`)
  .join(', ')

const ROWS_A_TURN = 2000

export function createCalls(
  database: Database,
  ns: string,
  journal: SqliteJournal,
  results: SqliteResults,
): CallVerbs {
  const sql = (text: string) => database.statement(text)
  const newest = sql(
    "SELECT * FROM calls NOT INDEXED WHERE ns = ? AND verdict <> 'ask' AND seq < ? ORDER BY seq DESC LIMIT ?",
  )
  const newestInSession = sql(
    "SELECT * FROM calls WHERE ns = ? AND session = ? AND verdict <> 'ask' AND seq < ? ORDER BY seq DESC LIMIT ?",
  )
  const all = sql(
    `SELECT c.seq, c.session, coalesce(c.own_call_id, c.call_id) AS call_id, c.verdict, c.tool, c.digest, c.because,
       c.rule, c.policy_version, c.submitted_by, c.created_at, c.bytes, c.request, r.state FROM calls c NOT INDEXED LEFT JOIN requests r ON r.id = c.request
     WHERE c.ns = ? AND c.seq < ? ORDER BY c.seq DESC LIMIT ?`,
  )
  const erasable = sql(
    `SELECT c.seq FROM calls c NOT INDEXED LEFT JOIN requests r ON r.id = c.request
     WHERE c.ns = ? AND c.seq > ? AND c.seq <= ? AND c.created_at < ? AND c.bytes <> ''
       AND (r.state IS NULL OR r.state IN (${FINAL})) ORDER BY c.seq LIMIT ?`,
  )
  const callWithHold = sql(
    `SELECT c.seq, h.body AS hold FROM calls c LEFT JOIN holds h ON h.seq = c.seq
     WHERE c.ns = ? AND c.session = ? AND c.call_id = ? AND c.digest = ? AND c.request IS NULL`,
  )
  const putHold = sql(
    'INSERT INTO holds (seq, body) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET body = excluded.body',
  )
  return {
    async list(query) {
      const limit = pageLimit(query.limit)
      const [before] = readCursor(query.cursor, [Number.MAX_SAFE_INTEGER])
      const { session } = query
      const rows = database.read(() =>
        session === undefined
          ? newest.all(ns, before, limit + 1)
          : newestInSession.all(ns, session, before, limit + 1),
      )
      return pageOf(rows, limit, toCall, (row) => [Number(row.seq)])
    },
    async history(query) {
      const limit = pageLimit(query.limit)
      const [before] = readCursor(query.cursor, [Number.MAX_SAFE_INTEGER])
      const rows = database.read(() => all.all(ns, before, limit + 1))
      // Whoever reads the history reads many pages, and others want the thread.
      await nextTurn()
      return pageOf(rows, limit, toPast, (row) => [Number(row.seq)])
    },
    async erase(before, limit, entry) {
      const found = await findErasable(before, limit)
      if (found.length === 0) return 0
      const erased = await database.write(() => {
        const count = overwriting(database, () => found.filter(eraseOne).length)
        if (count > 0) journal.add(entry(count))
        return count
      })
      foldLog()
      return erased
    },
    changeHold: (change) =>
      database.write(() => {
        const { session, callId, digest, version, result, entry } = change
        const call = callWithHold.get(ns, session, callId, digest)
        if (call === undefined) return { won: false }
        const hold = call.hold === null ? undefined : parseJson<CallHold>(String(call.hold))
        if ((hold?.version ?? 0) !== version) return { won: false, ...defined({ hold }) }
        const seq = Number(call.seq)
        putHold.run(seq, JSON.stringify({ ...change.hold, version: version + 1 }))
        if (result !== undefined) results.keepOfCall(seq, result)
        if (entry !== undefined) journal.add(entry)
        return { won: true }
      }),
    async result(session, callId) {
      return database.read(() => results.find(session, callId))
    },
  }

  /** Looks at a bounded number of rows a turn: after years of calls this is a long walk, and others want the thread. */
  async function findErasable(before: number, limit: number): Promise<number[]> {
    const found: number[] = []
    const last = Number(database.read(() => sql('SELECT max(seq) AS seq FROM calls').get())?.seq ?? 0)
    for (let from = 0; from < last && found.length < limit; from += ROWS_A_TURN) {
      const rows = database.read(() =>
        erasable.all(ns, from, from + ROWS_A_TURN, before, limit - found.length),
      )
      for (const row of rows) found.push(Number(row.seq))
      await nextTurn()
    }
    return found
  }

  function eraseOne(seq: number): boolean {
    const row = sql("SELECT draft, request FROM calls WHERE seq = ? AND bytes <> ''").get(seq)
    if (row === undefined) return false
    sql("UPDATE calls SET bytes = '', commitment_key = '', draft = ? WHERE seq = ?").run(
      withoutWords(row.draft as string | null),
      seq,
    )
    // An edit keeps its own copy of the arguments.
    sql(
      "UPDATE requests SET progress = json_remove(progress, '$.edit.bytes', '$.approved.bytes') WHERE id = ?",
    ).run(row.request ?? '')
    return true
  }

  /** The log still holds the pages as they were. Where another process is reading it, the next round gets them. */
  function foldLog(): void {
    try {
      database.read(() => sql('PRAGMA wal_checkpoint(TRUNCATE)').get())
    } catch {
      // The erasure itself is committed.
    }
  }
}

function withoutWords(draft: string | null): string | null {
  if (draft === null) return null
  const { context: _context, preview: _preview, ...rest } = parseJson<Record<string, unknown>>(draft)
  return JSON.stringify(rest)
}
