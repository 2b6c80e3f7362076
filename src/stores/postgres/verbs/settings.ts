/** Settings in Postgres. */

import type { JsonValue } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import type { SettingVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { hasWon } from './journal.ts'

export function createSettings(database: Database, ns: string): SettingVerbs {
  const one = `SELECT value FROM ${database.schema}.settings WHERE key = ${database.schema}.key_v1($1, $2)`

  async function set(key: string, value: JsonValue, guard: object, entry: EntryDraft | undefined) {
    const operation = { do: 'setSetting', key, value: JSON.stringify(value), ...guard }
    return hasWon(database, operation, entry)
  }

  return database.verbs<SettingVerbs>({
    async get(key) {
      const [row] = await database.read(one, [ns, key])
      return row === undefined ? undefined : parseJson(String(row.value))
    },
    async set(key, value, entry) {
      await set(key, value, {}, entry)
    },
    change(key, before, value, entry) {
      const known = before === undefined ? {} : { before: JSON.stringify(before) }
      return set(key, value, { guarded: true, ...known }, entry)
    },
  })
}
