/** The history of calls in SQLite, and their erasure after the retention time. */
import { isFinal, STATES } from '../../core/request.ts'
import type { CallRecord, CallVerbs } from '../store.ts'
import type { Row } from './connection.ts'
import { pageLimit, readCursor, writeCursor } from './cursor.ts'
import type { Database } from './database.ts'
import type { SqliteJournal } from './journal.ts'

const FINAL = STATES.filter(isFinal)
  .map((state) => `'${state}'`)
  .join(', ')

export function createCalls(database: Database, ns: string, journal: SqliteJournal): CallVerbs {
  const sql = (text: string) => database.statement(text)
  return {
    async list(query) {
      const limit = pageLimit(query.limit)
      const [before] = readCursor(query.cursor, [Number.MAX_SAFE_INTEGER])
      const inSession = query.session === undefined ? '' : ' AND session = ?'
      const rows = database.read(() =>
        sql(
          `SELECT * FROM calls WHERE ns = ? AND verdict <> 'ask' AND seq < ?${inSession} ORDER BY seq DESC LIMIT ?`,
        ).all(ns, before, ...(query.session === undefined ? [] : [query.session]), limit + 1),
      )
      const last = rows[limit - 1]
      const items = rows.slice(0, limit).map(toCall)
      return rows.length > limit && last ? { items, cursor: writeCursor([last.seq!]) } : { items }
    },
    erase: (before, limit, entry) =>
      database.write(() => {
        const rows = sql(
          `SELECT c.seq, c.draft FROM calls c LEFT JOIN requests r ON r.seq = c.seq
           WHERE c.ns = ? AND c.created_at < ? AND c.bytes <> '' AND (r.state IS NULL OR r.state IN (${FINAL}))
           ORDER BY c.seq LIMIT ?`,
        ).all(ns, before, limit)
        if (rows.length === 0) return 0
        const clear = sql("UPDATE calls SET bytes = '', commitment_key = '', draft = ? WHERE seq = ?")
        // An edit keeps its own copy of the arguments.
        const clearEdit = sql(
          `UPDATE requests SET progress = json_remove(progress, '$.edit.bytes', '$.approved.bytes') WHERE seq = ?`,
        )
        for (const row of rows) {
          clear.run(withoutWords(row.draft as string | null), row.seq!)
          clearEdit.run(row.seq!)
        }
        journal.add(entry(rows.length))
        return rows.length
      }),
  }
}

function withoutWords(draft: string | null): string | null {
  if (draft === null) return null
  const { context: _context, preview: _preview, ...rest } = JSON.parse(draft) as Record<string, unknown>
  return JSON.stringify(rest)
}

function toCall(row: Row): CallRecord {
  return {
    session: String(row.session),
    callId: String(row.call_id),
    tool: String(row.tool),
    digest: String(row.digest),
    bytes: String(row.bytes),
    commitmentKey: String(row.commitment_key),
    verdict: row.verdict as 'allow' | 'deny',
    because: String(row.because),
    ...(row.rule === null ? {} : { rule: String(row.rule) }),
    policyVersion: String(row.policy_version),
    submittedBy: String(row.submitted_by),
    createdAt: Number(row.created_at),
  }
}
