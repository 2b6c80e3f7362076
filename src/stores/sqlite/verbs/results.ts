/**
 * Results of tools in SQLite, each with its call. A trigger erases them with the bytes of the call, and after that none is kept.
 */
import type { Database } from '../database/database.ts'
import { overwriting } from './overwriting.ts'

export interface SqliteResults {
  /** Inside a write, as are those below: with the call of the request. */
  keepOfRequest(request: string, result: string): void
  keepOfCall(seq: number, result: string): void
  find(session: string, callId: string): string | undefined
}

export function createResults(database: Database, ns: string): SqliteResults {
  const sql = (text: string) => database.statement(text)

  function keep(seq: number, result: string): void {
    const put = sql(
      'INSERT INTO results (seq, body) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET body = excluded.body',
    )
    overwriting(database, () => put.run(seq, result))
  }

  return {
    keepOfRequest(request, result) {
      const row = sql(
        "SELECT c.seq FROM requests r JOIN calls c ON c.seq = r.seq WHERE r.id = ? AND c.bytes <> ''",
      ).get(request)
      if (row !== undefined) keep(Number(row.seq), result)
    },
    keepOfCall(seq, result) {
      const row = sql("SELECT seq FROM calls WHERE seq = ? AND bytes <> ''").get(seq)
      if (row !== undefined) keep(seq, result)
    },
    find(session, callId) {
      const row = sql(
        `SELECT t.body FROM calls c JOIN results t ON t.seq = c.seq
         WHERE c.ns = ? AND c.session = ? AND c.call_id = ?`,
      ).get(ns, session, callId)
      return row === undefined ? undefined : String(row.body)
    },
  }
}
