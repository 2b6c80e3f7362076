/** Records in SQLite. One that has expired is deleted in time: versions are counted for all of them together. */
import { LAST_TIME } from '../../../core/time/duration.ts'
import { pageLimit } from '../../cursor.ts'
import { checkRecordName, lostChanges, recordCursor, recordsAfter } from '../../record-names.ts'
import { toRecord } from '../../sql-rows.ts'
import type { RecordChange, RecordChangeResult, RecordVerbs, StoredRecord } from '../../store.ts'
import { textAfter } from '../../text-after.ts'
import type { Database } from '../database/database.ts'
import type { SqliteJournal } from './journal.ts'

/** So many are deleted with a change: what is left comes with the next ones. */
const EXPIRED_A_CHANGE = 100

export function createRecords(
  database: Database,
  ns: string,
  now: () => number,
  journal: SqliteJournal,
): RecordVerbs {
  const sql = (text: string) => database.statement(text)

  function find(kind: string, key: string): StoredRecord | undefined {
    const row = sql(
      'SELECT * FROM records WHERE ns = ? AND kind = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)',
    ).get(ns, kind, key, now())
    return row === undefined ? undefined : toRecord(row)
  }

  function deleteExpired(): void {
    sql(
      `DELETE FROM records WHERE (ns, kind, key) IN (SELECT ns, kind, key FROM records INDEXED BY records_by_end
         WHERE ns = ? AND expires_at <= ? LIMIT ${EXPIRED_A_CHANGE})`,
    ).run(ns, now())
  }

  function nextVersion(): number {
    sql(
      'INSERT INTO record_versions (ns, last) VALUES (?, 1) ON CONFLICT (ns) DO UPDATE SET last = last + 1',
    ).run(ns)
    return Number(sql('SELECT last FROM record_versions WHERE ns = ?').get(ns)?.last)
  }

  function apply({ kind, key, value, expiresInMs }: RecordChange): number {
    if (value === undefined) {
      sql('DELETE FROM records WHERE ns = ? AND kind = ? AND key = ?').run(ns, kind, key)
      return 0
    }
    const version = nextVersion()
    sql(
      `INSERT INTO records (ns, kind, key, value, version, expires_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (ns, kind, key) DO UPDATE SET value = excluded.value, version = excluded.version,
         expires_at = excluded.expires_at`,
    ).run(
      ns,
      kind,
      key,
      JSON.stringify(value),
      version,
      expiresInMs === undefined ? null : Math.min(now() + expiresInMs, LAST_TIME),
    )
    return version
  }

  function change(changes: readonly RecordChange[]): RecordChangeResult {
    const lost = lostChanges(changes, find)
    if (lost.length > 0) return { won: false, lost }
    deleteExpired()
    return { won: true, versions: changes.map(apply) }
  }

  return {
    async get(kind, key) {
      checkRecordName(kind, key)
      return database.read(() => find(kind, key))
    },
    change: (changes, entry) =>
      database.write(() => {
        const result = change(changes)
        if (result.won && entry !== undefined) journal.add(entry)
        return result
      }),
    async list(query) {
      const { kind, prefix = '' } = query
      const limit = pageLimit(query.limit)
      const after = recordsAfter(query)
      const end = textAfter(prefix)
      const text = `SELECT * FROM records WHERE ns = ? AND kind = ? AND key ${after === undefined ? '>=' : '>'} ?
        ${end === undefined ? '' : 'AND key < ?'} AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?`
      const bounds = [after ?? prefix, ...(end === undefined ? [] : [end])]
      const rows = database.read(() => sql(text).all(ns, kind, ...bounds, now(), limit + 1))
      const items = rows.slice(0, limit).map(toRecord)
      const last = items.at(-1)
      return rows.length > limit && last ? { items, cursor: recordCursor(last) } : { items }
    },
  }
}
