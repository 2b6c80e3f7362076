/**
 * Notes for other processes. Whoever puts something into a turn that another process runs leaves one for it, so that a process finds
 * out with one read about all its turns, however many they are. A note is a lease that nobody renews.
 */
import type { SessionHostParts } from '../host-parts.ts'

export interface Nudges {
  /** Something was put into a turn that this holder runs. */
  leave(of: string, session: string): Promise<void>
  /** Reads again what the notes are about. */
  take(refresh: (session: string) => Promise<void> | undefined): Promise<void>
}

const NUDGE = 'nudge/'
/** Who does not look within this time is no more. */
const NUDGE_MS = 30_000

export function createNudges({ gateway: { leases } }: SessionHostParts, holder: string): Nudges {
  /** Sessions whose note was taken away, and whose log is still to be read. */
  const owed = new Set<string>()
  return {
    async leave(of, session) {
      await leases.take({ name: `${NUDGE}${of}/${holder}/${session}`, holder, leaseMs: NUDGE_MS })
    },
    /** The note is taken away first: one that is left while the log is read is found the next time. */
    async take(refresh) {
      const prefix = `${NUDGE}${holder}/`
      for (const { name, holder: by } of await leases.list(prefix)) {
        // First of all: a store that fails from here on leaves no other trace of it.
        owed.add(name.slice(prefix.length + by.length + 1))
        await leases.release(name, by)
      }
      for (const session of [...owed]) {
        await refresh(session)
        owed.delete(session)
      }
    },
  }
}
