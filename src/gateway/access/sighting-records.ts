/**
 * Notes of when something was last heard of, one a key, in the store. What is new is written down at once; the same again at most
 * once a minute. They are notes and no record: where one can't be written, whatever was heard goes on.
 */

import type { JsonObject } from '../../core/json/json.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

export interface SightingPorts {
  store: Pick<Store, 'now' | 'records'>
  host: Pick<Host, 'report'>
}

export interface SightingRecords {
  /** What `about` leaves out stays as it was noted before. */
  note(key: string, about: JsonObject): Promise<void>
  get(key: string): Promise<JsonObject | undefined>
  /** By their keys. */
  all(): Promise<ReadonlyMap<string, JsonObject>>
}

const EVERY_MS = 60_000
const KEPT_MS = 365 * 86_400_000
/** Keys whose last note this process remembers. */
const MAX_REMEMBERED = 1000

/** `doing` names the writing, for the report of one that failed. */
export function createSightingRecords(
  { store, host }: SightingPorts,
  kind: string,
  doing: string,
): SightingRecords {
  /** What this process has written: only to write less. */
  const written = new Map<string, JsonObject & { at: number }>()

  function isNews(key: string, about: JsonObject, at: number): boolean {
    const last = written.get(key)
    if (last === undefined || at - last.at >= EVERY_MS) return true
    return Object.entries(about).some(([name, value]) => last[name] !== value)
  }

  return {
    async note(key, about) {
      const at = store.now()
      if (!isNews(key, about, at)) return
      if (written.size >= MAX_REMEMBERED) written.clear()
      written.set(key, { ...written.get(key), ...about, at })
      try {
        const found = await store.records.get(kind, key)
        const value = { ...(found?.value as JsonObject | undefined), ...about, at }
        // Whoever was faster has seen it in the same moment.
        await store.records.change([{ kind, key, version: found?.version ?? 0, value, expiresInMs: KEPT_MS }])
      } catch (error) {
        host.report({ doing, error })
      }
    },
    get: async (key) => (await store.records.get(kind, key))?.value as JsonObject | undefined,
    async all() {
      const records = await readAllPages((next) => store.records.list({ kind, ...next }))
      return new Map(records.map(({ key, value }) => [key, value as JsonObject]))
    },
  }
}
