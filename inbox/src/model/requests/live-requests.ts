/**
 * Keeps the board up to date: lists at every `reset`, then follows the events. A request that vanished from the
 * list while nobody listened is asked after, so that the page can say what became of it.
 *
 * The first page of the list is asked for together with the stream and shown as soon as it is here. What is read before the stream's
 * `reset` may have changed since: at the `reset` everything is listed again. The rest comes when the first page has been drawn.
 */

import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  ClientError,
  isClientError,
  type RequestState,
  type ServerCalls,
  type WireRequest,
} from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { JOINED_RULE } from '../../../../src/core/verdict.ts'
import {
  type AutoDecidedCall,
  addAutoDecided,
  autoDecidedFromCall,
  autoDecidedFromEntry,
} from './auto-decided.ts'
import { createRequestCache, type RequestCache, type ScheduleFrame } from './request-cache.ts'

export type LiveConnection = { kind: 'connecting' } | { kind: 'live' } | { kind: 'lost'; error: ClientError }

/** What just happened, for those who can't see the list move. */
export type RequestNews = { kind: 'new' | 'changed'; request: WireRequest }

export interface LiveRequests {
  readonly board: RequestCache
  /** Calls that the policy settled by itself, the newest first. */
  readonly settled: ReadonlySignal<readonly AutoDecidedCall[]>
  readonly connection: ReadonlySignal<LiveConnection>
  readonly news: ReadonlySignal<RequestNews | undefined>
  /** False until the first page of the list is here. */
  readonly isListed: ReadonlySignal<boolean>
  /** More are pending than the page lists; how many there are in all. */
  readonly more: ReadonlySignal<number | undefined>
  put(request: WireRequest): void
  /** Asks the server for one request. Undefined: there is none for this person. */
  fetch(id: string): Promise<WireRequest | undefined>
  /** Tries at once instead of waiting for the next try. */
  hurry(): void
  close(): void
}

export interface LiveRequestsParts {
  client: ServerCalls
  soon: ScheduleFrame
  onRefused: (error: ClientError) => void
}

/** Decided, but not over: they belong on the page after a reload. */
const UNDER_WAY: readonly RequestState[] = ['approved', 'running', 'unknown']
/** A screen or two, so that it is there at once; and then as much as the server gives at a time. */
const FIRST_PAGE = 30
const LATER_PAGE = 200
/** More than ten thousand requests. Who has more waiting than that is helped by rules, not by a longer list. */
const MAX_PAGES = 60
const LIST_AGAIN_MS = 2000
const LOOK_BACK = 20

export function createLiveRequests({ client, soon, onRefused }: LiveRequestsParts): LiveRequests {
  // The first rows are drawn when they come; from then on a frame draws all that came before it.
  const board = createRequestCache((run) => (isListed.peek() ? soon(run) : queueMicrotask(run)))
  const settled = signal<readonly AutoDecidedCall[]>([])
  const connection: Signal<LiveConnection> = signal({ kind: 'connecting' })
  const news = signal<RequestNews | undefined>(undefined)
  const isListed = signal(false)
  const more = signal<number | undefined>(undefined)
  const closing = new AbortController()
  const { signal: closed } = closing
  let line = new AbortController()
  let cursor = ''
  let listing = 0
  /** The list that a `reset` asked for, or its first page. */
  let isListedWhole = false
  let isFollowing = false

  function put(request: WireRequest): void {
    const before = board.get(request.id)
    const made = board.put(request)
    if (!isListedWhole || made === 'old') return
    if (made === 'new' && request.state === 'pending') news.value = { kind: 'new', request }
    else if (before !== undefined && before.state !== request.state) news.value = { kind: 'changed', request }
  }

  async function fetch(id: string): Promise<WireRequest | undefined> {
    try {
      put(await client.get(id, { signal: closed }))
      return board.get(id)
    } catch (error) {
      if (!isClientError(error, 'unknown_id')) throw error
      board.drop(id)
      return undefined
    }
  }

  function listPage(limit: number, next?: string) {
    return client.list(
      { state: 'pending', brief: true, limit, ...defined({ cursor: next }) },
      { signal: closed },
    )
  }

  /** Where it fails, the stream fails as well, or its `reset` lists. */
  async function showFirstPage(): Promise<void> {
    const { items } = await listPage(FIRST_PAGE)
    if (isListed.value) return
    for (const request of items) board.put(request)
    isListed.value = true
  }

  /** All that waits, page by page; true where it is all of it. */
  async function listPending(seen: Set<string>): Promise<boolean> {
    // What was there when the page was opened is no news, with whichever page of the list it comes.
    const take = isListedWhole ? put : board.put
    let next: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const { items, cursor: following, total } = await listPage(page === 0 ? FIRST_PAGE : LATER_PAGE, next)
      for (const request of items) {
        seen.add(request.id)
        take(request)
      }
      isListed.value = true
      isListedWhole = true
      next = following
      more.value = next === undefined ? undefined : total
      if (next === undefined) return true
      // Reading on would hold up the drawing of what is here.
      if (page === 0) await new Promise<void>(soon)
    }
    return false
  }

  async function list(): Promise<void> {
    const mine = ++listing
    try {
      const known = idsOfPending()
      const seen = new Set<string>()
      const isWhole = await listPending(seen)
      // Those that we held for pending and that the whole list did not have: something became of them.
      if (isWhole) await Promise.all(known.filter((id) => !seen.has(id)).map(fetch))
      for (const state of UNDER_WAY) {
        const { items } = await client.list({ state, brief: true, limit: 50 }, { signal: closed })
        for (const request of items) put(request)
      }
      await lookBack()
      const calls = await client.calls({ limit: 20 }, { signal: closed })
      settled.value = addAutoDecided(
        settled.value,
        calls.items.filter(({ rule }) => rule !== JOINED_RULE).map(autoDecidedFromCall),
      )
    } catch (error) {
      if (closed.aborted) return
      if (isClientError(error, 'unauthenticated')) return onRefused(error)
      if (mine === listing)
        setTimeout(() => mine === listing && !closed.aborted && void list(), LIST_AGAIN_MS)
    }
  }

  /** What was decided last, so that a reload does not empty the list of it. */
  async function lookBack(): Promise<void> {
    const { items } = await client.history({ verdict: 'ask', limit: LOOK_BACK }, { signal: closed })
    for (const item of items.reverse()) {
      if (item.kind === 'asked' && item.request.state !== 'pending') board.put(item.request)
    }
  }

  function idsOfPending(): string[] {
    return board.pending().map(({ id }) => id)
  }

  async function follow(): Promise<void> {
    isFollowing = true
    while (!closed.aborted) {
      line = new AbortController()
      const events = client.events({
        after: cursor,
        brief: true,
        signal: line.signal,
        onStatus: (status) => {
          connection.value = status.kind === 'lost' ? { kind: 'lost', error: status.error } : { kind: 'live' }
          // Without the stream there is no `reset` to list at. The list may come all the same.
          if (status.kind === 'lost' && !isListedWhole && listing === 0) void list()
        },
      })
      for await (const event of events) {
        cursor = event.cursor
        if (event.type === 'reset') void list()
        else if (event.type === 'request') put(event.request)
        else {
          const call = autoDecidedFromEntry(event.entry)
          if (call !== undefined) settled.value = addAutoDecided(settled.value, [call])
        }
      }
    }
  }

  function start(): void {
    follow().catch((error) => {
      isFollowing = false
      if (isClientError(error, 'unauthenticated')) onRefused(error)
      else if (error instanceof ClientError) connection.value = { kind: 'lost', error }
      else throw error
    })
  }

  start()
  showFirstPage().catch(() => {})

  return {
    board,
    settled,
    connection,
    news,
    isListed,
    more,
    put,
    fetch,
    hurry() {
      if (connection.value.kind !== 'lost') return
      if (isFollowing) line.abort()
      else start()
    },
    close() {
      closing.abort()
      line.abort()
    },
  }
}
