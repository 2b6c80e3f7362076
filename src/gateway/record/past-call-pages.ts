/**
 * Walks back through the calls on record, the last committed first, within bounds: whoever looks back must not be able
 * to keep the server busy with it. Nothing is ever written into the past, so a place in it stays what it is.
 */
import { defined } from '../../core/defined.ts'
import type { PastCall, Store } from '../../stores/store.ts'

export interface PastCallBounds {
  /** Where to begin; absent: at the newest. */
  cursor?: string
  /** How many the first page has at most. */
  first?: number
  /** How many calls are looked at, and how many characters these may hold together. */
  calls: number
  characters: number
  /** What was made before is not wanted: the walk ends where there is nothing else. */
  since?: number
}

export interface PastCallPage {
  calls: PastCall[]
  /** Where this page began; absent at the newest. */
  from?: string
  /** Where the next would begin; absent where nothing follows that is wanted. */
  next?: string
}

const CALLS_A_PAGE = 50
/** Each may hold a megabyte, and a page is read at once: as long as they are large, few are read. */
const LARGE_CALLS_A_PAGE = 8
const LARGE = 64 * 1024

export async function* pastCallPages(
  store: Pick<Store, 'calls'>,
  bounds: PastCallBounds,
): AsyncGenerator<PastCallPage, void> {
  let from = bounds.cursor
  let { calls, characters } = bounds
  let size = Math.min(bounds.first ?? LARGE_CALLS_A_PAGE, LARGE_CALLS_A_PAGE, calls)
  let tooOld = 0
  do {
    const place = from === undefined ? {} : { cursor: from }
    const { items, cursor } = await store.calls.history({ limit: size, ...place })
    let largest = 0
    for (const { createdAt, bytes } of items) {
      largest = Math.max(largest, bytes.length)
      tooOld = bounds.since !== undefined && createdAt < bounds.since ? tooOld + 1 : 0
      characters -= bytes.length
    }
    calls -= items.length
    // Those that were written down late may be older than what follows; as many as fill a page are not.
    const next = tooOld < CALLS_A_PAGE ? cursor : undefined
    yield { calls: items, ...defined({ from, next }) }
    from = next
    size = Math.min(largest > LARGE ? LARGE_CALLS_A_PAGE : CALLS_A_PAGE, calls)
  } while (from !== undefined && calls > 0 && characters > 0)
}

/** The place behind so many calls of a page, which must not have begun at the newest. */
export async function cursorWithin(
  store: Pick<Store, 'calls'>,
  page: PastCallPage,
  count: number,
): Promise<string | undefined> {
  if (count === page.calls.length) return page.next
  if (page.from === undefined) return undefined
  return (await store.calls.history({ cursor: page.from, limit: count })).cursor
}
