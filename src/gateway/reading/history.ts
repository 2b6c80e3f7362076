/** The journal and the history of calls, for reading; and the erasure of arguments after the retention time. */
import { BanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import type { Entry } from '../../journal/entry.ts'
import type { CallRecord, Page } from '../../stores/store.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import { createOversight, type OversightVerb } from './oversight.ts'
import { createSearchHistory, type SearchHistoryVerb } from './search-history.ts'

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

const MAX_ENTRIES = 1000
const ERASE_BATCH = 500

export function createHistoryVerbs(hall: GatewayContext): HistoryVerbs {
  return {
    async chains(actor) {
      person(actor)
      return hall.store.journal.chains()
    },
    async entries(chain, after, limit, actor) {
      person(actor)
      return hall.store.journal.read(chain, after, Math.max(1, Math.min(limit, MAX_ENTRIES)))
    },
    async calls(query, actor) {
      person(actor)
      return hall.store.calls.list(query)
    },
    search: createSearchHistory(hall),
    oversight: createOversight(hall),
    async eraseOlderThan(ageMs) {
      const before = hall.store.now() - ageMs
      let total = 0
      for (;;) {
        const erased = await hall.store.calls.erase(before, ERASE_BATCH, (count) =>
          hall.entry('arguments.erased', { count, before }),
        )
        total += erased
        if (erased < ERASE_BATCH) break
      }
      // What the agent kept of its conversations holds the same arguments.
      for (;;) {
        const erased = await hall.store.turns.erase(before, ERASE_BATCH, (count) =>
          hall.entry('turns.erased', { count, before }),
        )
        if (erased < ERASE_BATCH) return total
      }
    },
  }
}

function person(actor: Actor): void {
  if (actor.role === 'agent') {
    throw new BanksmanError('forbidden', "an agent's credential can't read the journal or the history")
  }
}
