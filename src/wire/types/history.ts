/** Written by `npm run generate:wire` from src/wire/history.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { RequestState } from '../../core/request-state.ts'
import type { VerdictKind } from '../../core/verdict.ts'
import type { WireCall } from './call.ts'
import type { WireRequest } from './request.ts'

export interface HistoryQuery {
  /** From the page before. */
  cursor?: string
  limit?: number
  verdict?: VerdictKind
  /** Only requests in this state. */
  state?: RequestState
  /** The tool's name, in which * stands for anything. */
  tool?: string
  /** The session that made the call. */
  session?: string
  /** Who decided or voted. */
  by?: string
  /** One of the rules that asked, or the one that settled it. */
  rule?: string
  /** Stands in what is shown of it: its summary, its reason or its tool. */
  text?: string
  since?: string
  until?: string
}

export type WireHistoryItem =
  /** People were asked. The request is brief: its arguments and the text of its rendering are left out. */
  | { kind: 'asked'; request: WireRequest }
  | {
      kind: 'settled'
      call: WireCall & {
        /** In a line. */
        summary: string
      }
    }

export interface WireHistory {
  /** The call that was committed last comes first. */
  items: WireHistoryItem[]
  /** Where to go on. Present also where a page is short: only so many calls are looked through at a time. */
  cursor?: string
  /** How many calls were looked through for this page. */
  looked: number
  /** When the oldest call that was looked at was made. */
  back?: string
}

export interface WireRuleFigures {
  rule: string
  asked: number
  approved: number
  rejected: number
  expired: number
  medianMs: number | null
}

/** Whether people are asked well. */
export interface WireOversight {
  days: number
  from: string
  to: string
  calls: number
  /** There are more calls in these days; only the newest were looked through. */
  cut?: true
  /** Every day in the range, the oldest first, by the reader's own midnight. */
  perDay: { day: string; allowed: number; denied: number; asked: number }[]
  /** The rules that ask, the noisiest first. */
  rules: WireRuleFigures[]
  /** What became of the requests. */
  states: Partial<Record<RequestState, number>>
  timeToDecide: {
    decided: number
    medianMs: number | null
    p90Ms: number | null
    /** The last has no upper bound. */
    buckets: { belowMs: number | null; count: number }[]
  }
  /** Of all requests that are over: the share that expired, 0 to 1; null where there are none. */
  expiredShare: number | null
  /** Decisions that came less than a second after there was something to decide: too fast to have been read. */
  quick: {
    decisions: number
    /** Three or more in a row by one person, the longest first, ten at most. */
    streaks: { by: string; count: number; from: string; to: string }[]
  }
  people: { by: string; decided: number; approved: number; medianMs: number | null }[]
}
