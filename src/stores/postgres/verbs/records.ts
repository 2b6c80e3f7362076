/** Records in Postgres. */
import { pageLimit, pageOf } from '../../cursor.ts'
import { checkRecordChanges, checkRecordName, recordName, recordsAfter } from '../../record-names.ts'
import { toRecord } from '../../sql-rows.ts'
import type { RecordChange, RecordVerbs, StoredRecord } from '../../store.ts'
import { textAfter } from '../../text-after.ts'
import type { Database } from '../database/database.ts'
import { nowOr, toServerNumber } from '../database/server-numbers.ts'
import { writeWith } from './journal.ts'

type RecordsChanged = { won: true; versions: number[] } | { won: false; lost: number[] }

export function createRecords(database: Database, ns: string, at: () => number | null): RecordVerbs {
  const live = `SELECT kind, key, value, version, expires_at FROM ${database.schema}.records
    WHERE kind = $1 AND ns = $2 AND (expires_at IS NULL OR expires_at > ${nowOr('$3')})`
  const one = `${live} AND key = $4`
  const page = (from: '>' | '>=') =>
    `${live} AND key ${from} $4 AND ($5::text IS NULL OR key < $5) ORDER BY key LIMIT $6`

  async function find(kind: string, key: string): Promise<StoredRecord | undefined> {
    const [row] = await database.read(one, [kind, ns, at(), key])
    return row === undefined ? undefined : toRecord(row)
  }

  return database.verbs<RecordVerbs>({
    get(kind, key) {
      checkRecordName(kind, key)
      return find(kind, key)
    },
    async change(changes, entry) {
      const { twice } = checkRecordChanges(changes)
      const records = changes.map((change) => plainChange(change, twice))
      const result = await writeWith<RecordsChanged>(database, { do: 'changeRecords', records }, entry)
      if (result.won) return { won: true, versions: result.versions }
      const { names } = checkRecordChanges(result.lost.map((place) => changes[place]!))
      const lost = names.map(async ({ kind, key }) => ({ kind, key, record: await find(kind, key) }))
      return { won: false, lost: await Promise.all(lost) }
    },
    async list(query) {
      const { kind, prefix = '' } = query
      const after = recordsAfter(query)
      const limit = pageLimit(query.limit)
      const values = [kind, ns, at(), after ?? prefix, textAfter(prefix) ?? null, limit + 1]
      const rows = await database.read(page(after === undefined ? '>=' : '>'), values)
      return pageOf(rows, limit, toRecord, (row) => [String(row.kind), String(row.key)])
    },
  })
}

function plainChange({ kind, key, version, value, expiresInMs }: RecordChange, twice: Set<string>): object {
  return {
    kind,
    key,
    version: toServerNumber(version),
    ...(value === undefined ? {} : { value: JSON.stringify(value) }),
    ...(expiresInMs === undefined ? {} : { expiresInMs: toServerNumber(expiresInMs) }),
    ...(twice.has(recordName(kind, key)) ? { twice: true } : {}),
  }
}
