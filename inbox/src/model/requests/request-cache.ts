/**
 * What the page knows of the requests. It hears of the same request from lists, events and its own decisions, in
 * any order; the highest version wins, so an answer that was on its way can't bring an old state back.
 *
 * Ten thousand may be pending and a hundred a second arrive: the pending ones are kept in order as they come, and who
 * looks is told once for all that came since the last frame.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { WireRequest } from '../../../../src/client/index.ts'

export interface RequestCache {
  /** Another number whenever something has changed: read it to hear of changes. */
  readonly changes: ReadonlySignal<number>
  get(id: string): WireRequest | undefined
  /** Follows one request at once, without waiting for the frame: who has decided it sees so before the list is arranged again. */
  follow(id: string): ReadonlySignal<WireRequest | undefined>
  /** The one with the least time left first. The array is another one after a change. */
  pending(): readonly WireRequest[]
  /**
   * Those whose outcome is unknown, the latest change first: whoever had claimed the call was lost while it ran, and only a person
   * can say what became of it.
   */
  unsettled(): readonly WireRequest[]
  /** What else is decided or over, the latest change first. */
  recent(): readonly WireRequest[]
  /** What it made of it: `old` where it is known already, or something newer is. */
  put(request: WireRequest): 'new' | 'changed' | 'old'
  drop(id: string): void
}

/** Runs it soon, once. */
export type ScheduleFrame = (run: () => void) => void

/** Enough to look back on; the history has the rest. */
const KEEP_ENDED = 50

export function createRequestCache(soon: ScheduleFrame): RequestCache {
  const changes = signal(0)
  const puts = signal(0)
  const requests = new Map<string, WireRequest>()
  /** In order. */
  const waiting: WireRequest[] = []
  /** The newest change last, here and below. */
  const unsettled = new Map<string, WireRequest>()
  const ended = new Map<string, WireRequest>()
  let isToldSoon = false
  let shownWaiting: readonly WireRequest[] = []
  let shownUnsettled: readonly WireRequest[] = []
  let shownEnded: readonly WireRequest[] = []

  function tell(): void {
    puts.value++
    if (isToldSoon) return
    isToldSoon = true
    soon(() => {
      isToldSoon = false
      shownWaiting = waiting.slice()
      shownUnsettled = [...unsettled.values()].reverse()
      shownEnded = [...ended.values()].reverse()
      changes.value++
    })
  }

  function forget(request: WireRequest): void {
    requests.delete(request.id)
    ended.delete(request.id)
    unsettled.delete(request.id)
    if (request.state !== 'pending') return
    const at = placeOf(waiting, request)
    if (waiting[at]?.id === request.id) waiting.splice(at, 1)
  }

  return {
    changes,
    get: (id) => requests.get(id),
    follow: (id) =>
      computed(() => {
        puts.value
        return requests.get(id)
      }),
    pending: () => shownWaiting,
    unsettled: () => shownUnsettled,
    recent: () => shownEnded,
    put(request) {
      const known = requests.get(request.id)
      if (known !== undefined && known.version > request.version) return 'old'
      const isSame = known?.version === request.version
      // A list or an event may bring the arguments cut; what we have whole stays whole.
      if (isSame && request.shortened === true) return 'old'
      if (known !== undefined) forget(known)
      requests.set(request.id, request)
      if (request.state === 'pending') waiting.splice(placeOf(waiting, request), 0, request)
      else if (request.state === 'unknown' && request.notReported !== true) unsettled.set(request.id, request)
      else ended.set(request.id, request)
      for (const [id, oldest] of ended) {
        if (ended.size <= KEEP_ENDED) break
        if (id !== request.id) forget(oldest)
      }
      tell()
      return known === undefined ? 'new' : isSame ? 'old' : 'changed'
    },
    drop(id) {
      const known = requests.get(id)
      if (known === undefined) return
      forget(known)
      tell()
    },
  }
}

/** Where it stands, or would stand. */
function placeOf(ordered: readonly WireRequest[], request: WireRequest): number {
  let [from, to] = [0, ordered.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (byDeadline(ordered[middle]!, request) < 0) from = middle + 1
    else to = middle
  }
  return from
}

function byDeadline(one: WireRequest, other: WireRequest): number {
  return (
    compare(deadlineOf(one), deadlineOf(other)) ||
    compare(one.createdAt, other.createdAt) ||
    compare(one.id, other.id)
  )
}

/** Moments of one form compare as texts. */
function deadlineOf({ expiresAt }: WireRequest): string {
  return expiresAt ?? '~'
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
