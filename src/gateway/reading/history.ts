/** The journal and the history of calls, for reading; and the erasure of arguments after the retention time. */
import type { Actor } from '../../core/session.ts'
import type { Entry } from '../../journal/entry.ts'
import type { CallRecord, Page, Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { requirePerson } from '../requests/require-person.ts'
import { createOversight, type OversightVerb } from './oversight.ts'
import { createSearchHistory, type SearchHistoryVerb, type SearchPorts } from './search-history.ts'

export interface HistoryVerbs {
  /** People only. */
  chains(actor: Actor): Promise<{ chain: string; last: number }[]>
  entries(chain: string, after: number, limit: number, actor: Actor): Promise<Entry[]>
  calls(query: { session?: string; limit?: number; cursor?: string }, actor: Actor): Promise<Page<CallRecord>>
  /** All calls, whether anyone was asked about them or not, the last committed first. */
  search: SearchHistoryVerb
  /** Whether people are asked well. */
  oversight: OversightVerb
  /** Erases the arguments of all that ended and is older than this; says how many. */
  eraseOlderThan(ageMs: number): Promise<number>
}

const READ = 'read the journal or the history'
const MAX_ENTRIES = 1000
const ERASE_BATCH = 500

export interface HistoryPorts extends SearchPorts {
  store: Pick<Store, 'calls' | 'get' | 'journal' | 'now' | 'turns'>
  journal: JournalWriter
}

export function createHistoryVerbs(ports: HistoryPorts): HistoryVerbs {
  const { store, journal } = ports
  return {
    async chains(actor) {
      requirePerson(actor, READ)
      return store.journal.chains()
    },
    async entries(chain, after, limit, actor) {
      requirePerson(actor, READ)
      return store.journal.read(chain, after, Math.max(1, Math.min(limit, MAX_ENTRIES)))
    },
    async calls(query, actor) {
      requirePerson(actor, READ)
      return store.calls.list(query)
    },
    search: createSearchHistory(ports),
    oversight: createOversight(store),
    async eraseOlderThan(ageMs) {
      const before = store.now() - ageMs
      let total = 0
      for (;;) {
        const erased = await store.calls.erase(before, ERASE_BATCH, (count) =>
          journal.entry('arguments.erased', { count, before }),
        )
        total += erased
        if (erased < ERASE_BATCH) break
      }
      // What the agent kept of its conversations holds the same arguments.
      for (;;) {
        const erased = await store.turns.erase(before, ERASE_BATCH, (count) =>
          journal.entry('turns.erased', { count, before }),
        )
        if (erased < ERASE_BATCH) return total
      }
    },
  }
}
