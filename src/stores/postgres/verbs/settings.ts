/** Settings in Postgres. */
import type { JsonValue } from '../../../core/json/json.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import type { SettingVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { entryToJson } from './journal.ts'

export function createSettings(database: Database, ns: string): SettingVerbs {
  const one = `SELECT value FROM ${database.schema}.settings WHERE key = ${database.schema}.key_v1($1, $2)`

  async function set(key: string, value: JsonValue, guard: object, entry: EntryDraft | undefined) {
    const operation = { do: 'setSetting', key, value: JSON.stringify(value), ...guard }
    const result = await database.write<{ won: boolean }>(
      entry === undefined ? operation : { ...operation, entry: entryToJson(entry) },
      entry === undefined ? [] : [entry],
    )
    return result.won
  }

  return {
    get: (key) =>
      database.verb(async () => {
        const [row] = await database.read(one, [ns, key])
        return row === undefined ? undefined : (JSON.parse(String(row.value)) as JsonValue)
      }),
    set: (key, value, entry) =>
      database.verb(async () => {
        await set(key, value, {}, entry)
      }),
    change: (key, before, value, entry) =>
      database.verb(() => {
        const known = before === undefined ? {} : { before: JSON.stringify(before) }
        return set(key, value, { guarded: true, ...known }, entry)
      }),
  }
}
