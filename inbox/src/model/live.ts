/**
 * Keeps the board up to date: lists at every `reset`, then follows the events. A request that vanished from the
 * list while nobody listened is asked after, so that the page can say what became of it.
 */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  type Client,
  ClientError,
  isClientError,
  type RequestState,
  type WireRequest,
} from '../../../src/client/index.ts'
import { type Board, drop, EMPTY_BOARD, missedIn, take } from './board.ts'
import { addSettled, type SettledCall, settledByCall, settledByEntry } from './settled.ts'

export type Connection = { kind: 'connecting' } | { kind: 'live' } | { kind: 'lost'; error: ClientError }

/** What just happened, for those who can't see the list move. */
export type News = { kind: 'new' | 'changed'; request: WireRequest }

export interface Live {
  readonly board: ReadonlySignal<Board>
  /** Calls that the policy settled by itself, the newest first. */
  readonly settled: ReadonlySignal<readonly SettledCall[]>
  readonly connection: ReadonlySignal<Connection>
  readonly news: ReadonlySignal<News | undefined>
  /** False until the first list is here. */
  readonly isListed: ReadonlySignal<boolean>
  /** More are pending than the page lists. */
  readonly hasMore: ReadonlySignal<boolean>
  put(request: WireRequest): void
  /** Asks the server for one request. Undefined: there is none for this person. */
  fetch(id: string): Promise<WireRequest | undefined>
  /** Tries at once instead of waiting for the next try. */
  hurry(): void
  close(): void
}

/** Decided, but not over: they belong on the page after a reload. */
const UNDER_WAY: readonly RequestState[] = ['approved', 'running', 'unknown']
const MAX_PAGES = 5
const LIST_AGAIN_MS = 2000

export function createLive(client: Client, onRefused: (error: ClientError) => void): Live {
  const board = signal(EMPTY_BOARD)
  const settled = signal<readonly SettledCall[]>([])
  const connection: Signal<Connection> = signal({ kind: 'connecting' })
  const news = signal<News | undefined>(undefined)
  const isListed = signal(false)
  const hasMore = signal(false)
  const closing = new AbortController()
  let line = new AbortController()
  let cursor = ''
  let listing = 0
  let isFollowing = false

  function put(request: WireRequest): void {
    const before = board.value.requests.get(request.id)
    board.value = take(board.value, request)
    if (!isListed.value || board.value.requests.get(request.id) !== request) return
    if (before === undefined && request.state === 'pending') news.value = { kind: 'new', request }
    else if (before !== undefined && before.state !== request.state) news.value = { kind: 'changed', request }
  }

  async function fetch(id: string): Promise<WireRequest | undefined> {
    try {
      const request = await client.get(id, { signal: closing.signal })
      put(request)
      return board.value.requests.get(id)
    } catch (error) {
      if (!isClientError(error, 'unknown_id')) throw error
      board.value = drop(board.value, id)
      return undefined
    }
  }

  async function list(): Promise<void> {
    const mine = ++listing
    try {
      const { requests, isWhole } = await listPending(client, closing.signal)
      for (const request of requests) put(request)
      if (isWhole) await Promise.all(missedIn(board.value, requests).map(fetch))
      for (const state of UNDER_WAY) {
        const { items } = await client.list({ state, limit: 50 }, { signal: closing.signal })
        for (const request of items) put(request)
      }
      const calls = await client.calls({ limit: 20 }, { signal: closing.signal })
      settled.value = addSettled(settled.value, calls.items.map(settledByCall))
      hasMore.value = !isWhole
      isListed.value = true
    } catch (error) {
      if (closing.signal.aborted) return
      if (isClientError(error, 'unauthenticated')) return onRefused(error)
      if (mine === listing)
        setTimeout(() => mine === listing && !closing.signal.aborted && void list(), LIST_AGAIN_MS)
    }
  }

  async function follow(): Promise<void> {
    isFollowing = true
    while (!closing.signal.aborted) {
      line = new AbortController()
      const events = client.events({
        after: cursor,
        signal: line.signal,
        onStatus: (status) => {
          connection.value = status.kind === 'lost' ? { kind: 'lost', error: status.error } : { kind: 'live' }
        },
      })
      for await (const event of events) {
        cursor = event.cursor
        if (event.type === 'reset') void list()
        else if (event.type === 'request') put(event.request)
        else {
          const call = settledByEntry(event.entry)
          if (call !== undefined) settled.value = addSettled(settled.value, [call])
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

  return {
    board,
    settled,
    connection,
    news,
    isListed,
    hasMore,
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

async function listPending(
  client: Client,
  signal: AbortSignal,
): Promise<{ requests: WireRequest[]; isWhole: boolean }> {
  const requests: WireRequest[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { state: 'pending', ...(cursor === undefined ? {} : { cursor }) } as const
    const answer = await client.list(query, { signal })
    requests.push(...answer.items)
    cursor = answer.cursor
    if (cursor === undefined) return { requests, isWhole: true }
  }
  return { requests, isWhole: false }
}
