/**
 * The calls of the past that the reader has asked for, the last committed first. They are fetched page by page; what is new since
 * is fetched too, but waits beside the list until the reader wants it, so that nothing moves under the eyes.
 */

import { type ReadonlySignal, signal } from '@preact/signals'
import {
  ClientError,
  type HistoryQuery,
  isClientError,
  type ServerCalls,
  type WireHistory,
  type WireHistoryItem,
} from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'

export interface HistoryList {
  readonly state: ReadonlySignal<HistoryListState>
  /** Fetches the first page, or the next one. */
  more(): Promise<void>
  /** Something has happened: looks whether it belongs here. */
  look(): Promise<void>
  /** Puts what is new on top. */
  takeFresh(): void
  close(): void
}

export interface HistoryListState {
  items: readonly WireHistoryItem[]
  isLoading: boolean
  error?: ClientError
  /** Where it goes on; absent where the list is whole, or nothing has come yet. */
  cursor?: string
  /** How many calls were looked through, and when the oldest of them was made. */
  looked: number
  back?: string
  /** What came since, not yet in the list. */
  fresh: readonly WireHistoryItem[]
  /** More is new than one page holds: the list begins anew when the reader wants it. */
  isFarBehind: boolean
}

export interface HistoryListParts {
  client: Pick<ServerCalls, 'history'>
  query: HistoryQuery
  onRefused: (error: ClientError) => void
}

const PAGE = 50

export function createHistoryList({ client, query, onRefused }: HistoryListParts): HistoryList {
  const state = signal<HistoryListState>({
    items: [],
    isLoading: false,
    looked: 0,
    fresh: [],
    isFarBehind: false,
  })
  const closing = new AbortController()
  const { signal: closed } = closing
  let isLooking = false
  const change = (part: Partial<HistoryListState>) => {
    state.value = { ...state.value, ...part }
  }

  async function more(): Promise<void> {
    const { isLoading, cursor, items } = state.value
    if (isLoading) return
    const { error: _, ...rest } = state.value
    state.value = { ...rest, isLoading: true }
    try {
      const page = await client.history({ ...query, limit: PAGE, ...defined({ cursor }) }, { signal: closed })
      if (!closed.aborted) state.value = joined(state.value, cursor === undefined ? [] : items, page)
    } catch (error) {
      if (closed.aborted) return
      if (!(error instanceof ClientError)) throw error
      if (isClientError(error, 'unauthenticated')) return onRefused(error)
      change({ isLoading: false, error })
    }
  }

  async function look(): Promise<void> {
    if (isLooking || state.value.isLoading) return
    isLooking = true
    try {
      const { items } = await client.history({ ...query, limit: PAGE }, { signal: closed })
      if (!closed.aborted) state.value = withFresh(state.value, items, PAGE)
    } catch (error) {
      // What is shown stays; the banner says when the connection is lost.
      if (isClientError(error, 'unauthenticated')) onRefused(error)
      else if (!(error instanceof ClientError)) throw error
    } finally {
      isLooking = false
    }
  }

  return {
    state,
    more,
    look,
    takeFresh() {
      const { items, fresh, isFarBehind, ...rest } = state.value
      if (!isFarBehind) {
        state.value = { ...rest, items: [...fresh, ...items], fresh: [], isFarBehind: false }
        return
      }
      state.value = { items: [], isLoading: false, looked: 0, fresh: [], isFarBehind: false }
      void more()
    },
    close: () => closing.abort(),
  }
}

export function historyItemId(item: WireHistoryItem): string {
  return item.kind === 'asked' ? item.request.id : JSON.stringify([item.call.session, item.call.callId])
}

function joined(
  state: HistoryListState,
  before: readonly WireHistoryItem[],
  page: WireHistory,
): HistoryListState {
  const { cursor: _cursor, back: _back, ...rest } = state
  const known = new Set(before.map(historyItemId))
  return {
    ...rest,
    items: [...before, ...page.items.filter((item) => !known.has(historyItemId(item)))],
    isLoading: false,
    looked: (before.length === 0 ? 0 : state.looked) + page.looked,
    ...defined({ cursor: page.cursor, back: page.back }),
  }
}

/** What is known already is brought up to date where it stands; what is not waits. */
function withFresh(
  state: HistoryListState,
  newest: readonly WireHistoryItem[],
  page: number,
): HistoryListState {
  const byId = new Map(newest.map((item) => [historyItemId(item), item]))
  const items = state.items.map((item) => byId.get(historyItemId(item)) ?? item)
  const known = new Set(items.map(historyItemId))
  const unknown = newest.filter((item) => !known.has(historyItemId(item)))
  // A call that was fetched as new and has left the filter since is no longer new.
  const isFarBehind = items.length > 0 && newest.length >= page && unknown.length === newest.length
  return { ...state, items, fresh: unknown, isFarBehind }
}
