/**
 * A call whose request ended without anybody's no may be asked about once more, under the same id: an approval that lapsed, a
 * question that nobody saw in time, terms that changed. The request that follows names the one before; of any number of
 * processes that try, the store lets one open it. What was decided about the old one decides nothing here.
 */
import type { Request } from '../../core/request.ts'

/** After so many, a call that nobody answers is given up. */
export const MAX_SUCCESSORS = 5

/** What a new request of the same call follows; undefined where there must not be one. */
export function predecessorOf(request: Request | undefined): { id: string; count: number } | undefined {
  if (request === undefined || !mayBeAskedAgain(request)) return undefined
  const count = (request.predecessor?.count ?? 0) + 1
  return count > MAX_SUCCESSORS ? undefined : { id: request.id, count }
}

/** Nobody said no, and nothing ran. */
export function mayBeAskedAgain({ state, progress }: Request): boolean {
  if (state === 'cancelled') {
    const cause = progress.cancelled?.cause
    return cause === 'facts_changed' || cause === 'terms_changed'
  }
  return state === 'lapsed' || state === 'expired' || state === 'unreachable'
}
