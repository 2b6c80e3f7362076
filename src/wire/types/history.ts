/** What people look back on, as it goes over the wire: the history, how it is going, the policy, conversations. */
import type { RequestState } from '../../core/request.ts'
import type { QuietHours } from '../../core/time/quiet-hours.ts'
import type { WireCall, WireRequest, WireSession } from './request.ts'

/** One call of the past, the last committed first. */
export type WireHistoryItem =
  /** People were asked. The request is brief: see `WireRequest.shortened`. */
  | { kind: 'asked'; request: WireRequest }
  | { kind: 'settled'; call: WireCall & { /** In a line. */ summary: string } }

/** The answer to `GET /v1/history`. */
export interface WireHistory {
  items: WireHistoryItem[]
  /** Where to go on. Present also where a page is short: only so many calls are looked through at a time. */
  cursor?: string
  /** How many calls were looked through for this page. */
  looked: number
  /** When the oldest call that was looked at was made. */
  back?: string
}

export interface HistoryQuery {
  cursor?: string
  /** At most 200; 50 without it. */
  limit?: number
  verdict?: 'allow' | 'deny' | 'ask'
  /** Only requests in this state. */
  state?: RequestState
  tool?: string
  session?: string
  /** Who decided. */
  by?: string
  rule?: string
  /** Stands in the call's summary, in its reason or in its tool's name; upper and lower case are the same. */
  text?: string
  /** ISO 8601. */
  since?: string
  until?: string
}

/** The answer to `GET /v1/oversight`: whether people are asked well. */
export interface WireOversight {
  days: number
  /** ISO 8601. */
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

export interface WireRuleFigures {
  rule: string
  asked: number
  approved: number
  rejected: number
  expired: number
  medianMs: number | null
}

/** The answer to `GET /v1/policy`. */
export interface WirePolicy {
  /** The digest of what holds. */
  version: string
  /** `file`: the trusted text of the file. `built_in`: everything is asked. `demonstration`, `pet`: what comes with these. */
  source: 'file' | 'built_in' | 'demonstration' | 'pet'
  /** Where the file is or would be. */
  file: string
  status: 'trusted' | 'absent' | 'gone' | 'untrusted'
  /**
   * What holds, as YAML: a whole configuration file. What is not in a file is written out. Secrets of a known shape stand as
   * their masks here and in `changed`, and hidden characters are written out; the line breaks are those of the file. It can
   * be sent to `replay` and `explain` as it is: a mask then stands for some other word.
   */
  text: string
  /** The text in the file, where it is not what holds. It takes effect when someone with the role `admin` applies it. */
  changed?: {
    /** Empty where it is no text, and, for who is no admin, where it can't be read or sets nothing: it may be any file. */
    text: string
    digest: string
    /** Why it can't be applied. */
    mistake?: string
  }
  mode: string
  modes: string[]
  warnings: WirePolicyWarning[]
  tests: { passed: number; failed: WireFailedTest[] }
  /** What the policy knows of tools, with the argument that each is mainly about. */
  tools: { name: string; kind?: string; argument?: string }[]
}

export interface WirePolicyWarning {
  message: string
  pointer: string
  line?: number
  column?: number
}

export interface WireFailedTest {
  /** What was to be judged, in a line. */
  call: string
  /** The verdict, and the rule where one is expected. */
  expected: string
  /** The verdict and why. */
  found: string
  line?: number
}

/** One line of `GET /v1/sessions`. */
export interface WireSessionRow extends WireSession {
  /** How a conversation with our agent began, in a line; absent for other sessions. */
  title?: string
  /** Something last happened. */
  lastAt: string
}

/** The answer to `GET /v1/push`. */
export interface WirePush {
  /** The server sends pushes. */
  on: boolean
  /** For `pushManager.subscribe`: base64url. */
  publicKey?: string
  /** The endpoints' digests that are registered for this person. */
  subscriptions: { id: string; createdAt: string; quiet?: QuietHours }[]
}

export interface PushSubscriptionInput {
  endpoint: string
  quiet?: QuietHours
}

/** One server of those that share a store: an item of `GET /v1/nodes`. */
export interface WireNode {
  id: string
  /** Where the node itself says that it listens. */
  url: string
  version: string
  /** Of the policy that holds there. */
  policyVersion: string
  owner: string
  /** ISO 8601. */
  startedAt: string
  until: string
  /** Whether it is the one that answers. */
  self: boolean
}
