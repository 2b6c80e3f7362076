/**
 * What the page knows of the requests. It hears of the same request from lists, events and its own decisions, in
 * any order; the highest version wins, so an answer that was on its way can't bring an old state back.
 */
import type { WireRequest } from '../../../src/client/index.ts'

export interface Board {
  readonly requests: ReadonlyMap<string, WireRequest>
  /** Ids in the order of their last change here, the newest last. */
  readonly order: readonly string[]
}

export const EMPTY_BOARD: Board = { requests: new Map(), order: [] }

/** Enough to look back on; the journal has the rest. */
const KEEP_ENDED = 50

export function take(board: Board, request: WireRequest): Board {
  const known = board.requests.get(request.id)
  if (known !== undefined && known.version > request.version) return board
  // A list or an event may bring the arguments cut; what we have whole stays whole.
  if (known?.version === request.version && request.shortened === true && known.shortened !== true)
    return board
  const requests = new Map(board.requests).set(request.id, request)
  if (known?.version === request.version) return { requests, order: board.order }
  const order = [...board.order.filter((id) => id !== request.id), request.id]
  return forgetOldest({ requests, order })
}

export function drop(board: Board, id: string): Board {
  const requests = new Map(board.requests)
  requests.delete(id)
  return { requests, order: board.order.filter((each) => each !== id) }
}

/** The one with the least time left first. */
export function pendingOf(board: Board): WireRequest[] {
  return [...board.requests.values()].filter(({ state }) => state === 'pending').sort(byDeadline)
}

/** What is decided or over, the latest change first. */
export function recentOf(board: Board): WireRequest[] {
  return board.order
    .map((id) => board.requests.get(id)!)
    .filter(({ state }) => state !== 'pending')
    .reverse()
}

/** Those that we hold for pending and that a whole list of the pending ones did not have: something became of them. */
export function missedIn(board: Board, listed: readonly WireRequest[]): string[] {
  const ids = new Set(listed.map(({ id }) => id))
  return pendingOf(board)
    .map(({ id }) => id)
    .filter((id) => !ids.has(id))
}

function byDeadline(one: WireRequest, other: WireRequest): number {
  return (
    deadlineOf(one) - deadlineOf(other) ||
    Date.parse(one.createdAt) - Date.parse(other.createdAt) ||
    (one.id < other.id ? -1 : 1)
  )
}

function deadlineOf({ expiresAt }: WireRequest): number {
  return expiresAt === null ? Number.MAX_VALUE : Date.parse(expiresAt)
}

function forgetOldest(board: Board): Board {
  const ended = board.order.filter((id) => board.requests.get(id)?.state !== 'pending')
  return ended.slice(0, Math.max(0, ended.length - KEEP_ENDED)).reduce(drop, board)
}
