/** Ends requests for all at once: who asked for them, or the store that they are in, isn't believed any more. */
import { isBanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { RequestEvent } from '../../core/transitions.ts'
import type { EntryType } from '../../journal/entry.ts'
import type { ListQuery, Store } from '../../stores/store.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { isStoreFault } from '../requests/store-fault.ts'

export interface EndRequests {
  /** Cancels what is pending, and what is approved and unclaimed. */
  cancel(query: Pick<ListQuery, 'submittedBy'>, about: { by: string; reason: string }): Promise<void>
  /** The outcome of what runs is unknown from now on. */
  abandonRunning(by: string): Promise<void>
}

export function createEndRequests(store: Pick<Store, 'list'>, changes: RequestChanges): EndRequests {
  async function end({ id }: Request, type: EntryType, event: RequestEvent, members: object): Promise<void> {
    try {
      await changes.change(id, () => ({
        event,
        describe: (next) => ({ type, members: { ...members, cause: 'revoked', state: next.to } }),
      }))
    } catch (error) {
      // It came to another end in the same moment.
      if (!isBanksmanError(error) || isStoreFault(error)) throw error
    }
  }

  return {
    async cancel(query, about) {
      for (const state of ['pending', 'approved'] as const) {
        const found = await readAllPages((next) => store.list({ ...query, state, ...next }))
        for (const request of found)
          await end(request, 'request.cancelled', { kind: 'cancel', cause: 'revoked', ...about }, about)
      }
    },
    async abandonRunning(by) {
      for (const request of await readAllPages((next) => store.list({ state: 'running', ...next }))) {
        const claimId = request.progress.claim!.id
        await end(request, 'request.lost', { kind: 'abandon', claimId, isForced: true }, { by })
      }
    },
  }
}
