/**
 * When a token was last used by a coding agent's hook, and in which session: so that whoever has connected an agent sees that its
 * hooks arrive. A new session is written down at once, so a probe with a session of its own is seen for certain.
 */

import { createSightingRecords, type SightingPorts } from './sighting-records.ts'

export interface HookSighting {
  at: number
  session: string
}

export interface HookSightings {
  note(token: string, session: string): Promise<void>
  /** The last of each token, by its id. */
  all(): Promise<ReadonlyMap<string, HookSighting>>
}

export function createHookSightings(ports: SightingPorts): HookSightings {
  const records = createSightingRecords(ports, 'hook_seen', 'noting that a hook arrived')
  return {
    note: (token, session) => records.note(token, { session }),
    async all() {
      const found = await records.all()
      return new Map(
        [...found].map(([token, { at, session }]) => [token, { at: Number(at), session: String(session) }]),
      )
    },
  }
}
