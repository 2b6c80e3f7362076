/** Records in Redis. One that has expired is removed in time: versions are counted for all of them together. */

import { parseJson } from '../../../core/json/parse-json.ts'
import { pageLimit } from '../../cursor.ts'
import {
  checkRecordChanges,
  checkRecordName,
  recordCursor,
  recordName,
  recordsAfter,
} from '../../record-names.ts'
import type { RecordChange, RecordVerbs, StoredRecord } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { entriesParameters, milliseconds, optional } from '../database/parameters.ts'
import { CHANGE_RECORDS } from '../scripts/records/change-records.ts'
import { FIND_RECORD } from '../scripts/records/find-record.ts'
import { LIST_RECORDS } from '../scripts/records/list-records.ts'

export function createRecords(database: Database): RecordVerbs {
  return {
    get: (kind, key) =>
      database.verb('reading a record', async () => {
        checkRecordName(kind, key)
        return toRecord(kind, key, await database.read(FIND_RECORD, [kind, key]))
      }),
    change: (changes, entry) =>
      database.verb('changing records', async () => {
        const { twice } = checkRecordChanges(changes)
        const entries = entry === undefined ? [] : [entry]
        const { changed, told } = await database.write({
          script: CHANGE_RECORDS,
          parameters: [
            String(changes.length),
            ...changes.flatMap((change) => changeParameters(change, twice)),
            ...entriesParameters(entries),
          ],
          entries,
        })
        if (changed) return { won: true, versions: (told[0] as RedisReply[]).map(Number) }
        // One that is named twice is told of twice.
        const lost = new Map(
          (told[0] as RedisReply[][]).map(([place, found]) => {
            const { kind, key } = changes[Number(place)]!
            return [recordName(kind, key), { kind, key, record: toRecord(kind, key, found!) }]
          }),
        )
        return { won: false, lost: [...lost.values()] }
      }),
    list: (query) =>
      database.verb('listing records', async () => {
        const { kind, prefix = '' } = query
        const after = recordsAfter(query)
        const limit = pageLimit(query.limit)
        const parameters = [kind, prefix, optional(after), String(limit + 1)]
        const found = (await database.read(LIST_RECORDS, parameters)) as RedisReply[][]
        const items = found.slice(0, limit).map(([key, fields]) => toRecord(kind, String(key), fields!)!)
        const last = items.at(-1)
        return found.length > limit && last ? { items, cursor: recordCursor(last) } : { items }
      }),
  }
}

function changeParameters(change: RecordChange, twice: Set<string>): string[] {
  const { kind, key, version, value, expiresInMs } = change
  return [
    kind,
    key,
    String(version),
    optional(value === undefined ? undefined : JSON.stringify(value)),
    optional(expiresInMs === undefined ? undefined : milliseconds(expiresInMs)),
    twice.has(recordName(kind, key)) ? '1' : '0',
  ]
}

function toRecord(kind: string, key: string, reply: RedisReply): StoredRecord | undefined {
  const [version, value, expiresAt] = reply as string[]
  if (version === undefined) return undefined
  return {
    kind,
    key,
    value: parseJson(value!),
    version: Number(version),
    ...(expiresAt === '' ? {} : { expiresAt: Number(expiresAt) }),
  }
}
