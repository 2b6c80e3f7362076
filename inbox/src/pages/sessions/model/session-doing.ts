/** What a coding session is doing at this moment, and for how long. */
import type { TurnStatus } from '../../../../../src/core/conversation.ts'
import type { CodingState } from '../../../../../src/core/secretary.ts'
import type { SeenProgress } from './session-board.ts'

export type SessionDoing =
  /** Nothing is known of it yet. */
  | { kind: 'unknown' }
  /** Nobody has said anything in it, or all of it was erased. */
  | { kind: 'nothing' }
  | { kind: 'tool'; summary: string; ms: number }
  | { kind: 'thinking'; ms: number }
  | { kind: 'waiting'; ms: number }
  | { kind: 'over'; status: TurnStatus; at: string; reason?: string }

/** `now`: by this browser's clock, like the moment at which the progress came. */
export function sessionDoing(state: CodingState, seen: SeenProgress | undefined, now: number): SessionDoing {
  if (seen === undefined) return { kind: 'unknown' }
  const { turn } = seen.progress
  if (turn === undefined) return { kind: 'nothing' }
  const { ended } = turn
  if (ended !== undefined) {
    const { status, at, reason } = ended
    return { kind: 'over', status, at, ...(reason === undefined ? {} : { reason }) }
  }
  const since = (time: string) => passedSince(time, seen, now)
  // The list may be older than the progress, or newer.
  if (state === 'waiting' || seen.progress.state === 'waiting') {
    const first = turn.waiting[0]
    if (first !== undefined) return { kind: 'waiting', ms: since(first.since) }
  }
  const call = turn.recent.findLast((each) => each.state === 'running')
  if (call !== undefined) return { kind: 'tool', summary: call.summary, ms: since(call.since) }
  return { kind: 'thinking', ms: since(turn.since) }
}

/** How long the turn has run; undefined where none does. */
export function turnLasts(seen: SeenProgress | undefined, now: number): number | undefined {
  if (seen?.progress.turn === undefined || seen.progress.turn.ended !== undefined) return undefined
  return (seen.progress.elapsedMs ?? 0) + Math.max(0, now - seen.at)
}

/**
 * The server's clock may differ from this browser's. What the turn had lasted when the answer was given tells what time it was
 * there; from then on our own clock counts.
 */
export function passedSince(time: string, { progress, at }: SeenProgress, now: number): number {
  const { turn, elapsedMs = 0 } = progress
  const there = turn === undefined || elapsedMs === 0 ? at : Date.parse(turn.begunAt) + elapsedMs
  return Math.max(0, there - Date.parse(time)) + Math.max(0, now - at)
}
