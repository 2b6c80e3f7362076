/** Settings in Redis, as the texts of their values. */

import { parseJson } from '../../../core/json/parse-json.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import type { SettingVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { entriesParameters, optional } from '../database/parameters.ts'
import { SET_SETTING } from '../scripts/sessions/set-setting.ts'

export function createSettings(database: Database): SettingVerbs {
  async function put(parameters: string[], entry: EntryDraft | undefined): Promise<boolean> {
    const entries = entry === undefined ? [] : [entry]
    const all = [...parameters, ...entriesParameters(entries)]
    return (await database.write({ script: SET_SETTING, parameters: all, entries })).changed
  }

  return {
    get: (name) =>
      database.verb('reading a setting', async () => {
        const value = await database.command('HGET', database.key('settings'), name)
        return value === null ? undefined : parseJson(String(value))
      }),
    set: (name, value, entry) =>
      database.verb('setting a value', async () => {
        await put([name, JSON.stringify(value), '0', optional(undefined)], entry)
      }),
    change: (name, before, value, entry) =>
      database.verb('changing a value', () => {
        const was = optional(before === undefined ? undefined : JSON.stringify(before))
        return put([name, JSON.stringify(value), '1', was], entry)
      }),
  }
}
