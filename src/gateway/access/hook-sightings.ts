/**
 * When a token was last used by a coding agent's hook, and in which session: so that whoever has connected an agent sees that its
 * hooks arrive. A new session is written down at once, so a probe with a session of its own is seen for certain; the same one
 * again at most once a minute. It is a note and no record: where it can't be written, the hook goes on.
 */

import type { JsonObject } from '../../core/json/json.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

export interface HookSighting {
  at: number
  session: string
}

export interface HookSightings {
  note(token: string, session: string): Promise<void>
  /** The last of each token, by its id. */
  all(): Promise<ReadonlyMap<string, HookSighting>>
}

const KIND = 'hook_seen'
const EVERY_MS = 60_000
const KEPT_MS = 365 * 86_400_000
/** Tokens whose last sighting this process remembers. */
const MAX_REMEMBERED = 1000

export function createHookSightings({
  store,
  host,
}: {
  store: Pick<Store, 'now' | 'records'>
  host: Pick<Host, 'report'>
}): HookSightings {
  /** What this process has written: only to write less. */
  const written = new Map<string, HookSighting>()

  return {
    async note(token, session) {
      const at = store.now()
      const last = written.get(token)
      if (last?.session === session && at - last.at < EVERY_MS) return
      if (written.size >= MAX_REMEMBERED) written.clear()
      written.set(token, { at, session })
      try {
        const found = await store.records.get(KIND, token)
        const record = { kind: KIND, key: token, version: found?.version ?? 0, value: { at, session } }
        // Whoever was faster has seen it in the same moment.
        await store.records.change([{ ...record, expiresInMs: KEPT_MS }])
      } catch (error) {
        host.report({ doing: 'noting that a hook arrived', error })
      }
    },
    async all() {
      const records = await readAllPages((next) => store.records.list({ kind: KIND, ...next }))
      return new Map(
        records.map(({ key, value }) => {
          const { at, session } = value as JsonObject
          return [key, { at: Number(at), session: String(session) }]
        }),
      )
    },
  }
}
