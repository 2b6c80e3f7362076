/** A list of requests in any state, put together from one list for each state: their indexes all begin with the state. */
import { type Request, STATES } from '../core/request.ts'
import { pageLimit, writeCursor } from './cursor.ts'
import type { ListQuery, Page } from './store.ts'

export type StateQuery = ListQuery & { state: NonNullable<ListQuery['state']> }

export function listAnyState(
  list: (query: StateQuery) => Promise<Page<Request>>,
): (query: ListQuery) => Promise<Page<Request>> {
  return async (query) => {
    const { state } = query
    if (state !== undefined) return list({ ...query, state })
    const limit = pageLimit(query.limit)
    const pages = await Promise.all(STATES.map((each) => list({ ...query, state: each, limit })))
    // One that moved while they were read may be in two of them: it is given as it was last.
    const found = new Map<string, Request>()
    for (const request of pages.flatMap((page) => page.items)) {
      if ((found.get(request.id)?.version ?? 0) < request.version) found.set(request.id, request)
    }
    const inOrder = [...found.values()].sort(inListOrder)
    const items = inOrder.slice(0, limit)
    const last = items.at(-1)
    const isMore = inOrder.length > limit || pages.some((page) => page.cursor !== undefined)
    return isMore && last ? { items, cursor: writeCursor([sortKey(last), last.id]) } : { items }
  }
}

export function inListOrder(a: Request, b: Request): number {
  return sortKey(a) - sortKey(b) || (a.id < b.id ? -1 : 1)
}

/** The key of lists: the deadline, or without one the creation. */
export function sortKey(request: Request): number {
  return request.deadline ?? request.createdAt
}
