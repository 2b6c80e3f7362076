/** Written by `npm run generate:wire` from src/wire/hold.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { Answers } from '../../core/decision.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { OutcomeKind, RequestState } from '../../core/request-state.ts'
import type { VerdictKind } from '../../core/verdict.ts'

/** What the caller can carry back to its model; people are not offered what is false. */
export interface WireCan {
  edit?: boolean
  respond?: boolean
  reason?: boolean
  terminate?: boolean
}

/** What became of a held call that nobody was asked about. */
export interface WireHeldOutcome {
  session: string
  callId: string
  /** Made up by the runner, and unguessable. The same key gets the same hold again, another gets none. */
  key: string
  outcome: OutcomeKind
  /** A short text for people. */
  summary?: string
  /** What remember keeps, as text. */
  result?: string
}

export interface WireAsked {
  requestId: string
  state: RequestState
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  predecessor?: string
  /** Who can decide, as people know them. */
  approvers?: string[]
  /** How long it stays open for an answer, from now. */
  expiresInMs?: number
  /** Where people open the request. */
  url?: string
}

/**
 * The right to run the call. With a requestId it is a claim under a lease; without, nobody was asked and it
 * needs no renewal.
 */
export interface WireHeld {
  kind: 'held'
  session: string
  callId: string
  /** Made up by the runner, and unguessable. The same key gets the same hold again, another gets none. */
  key: string
  arguments: JsonObject
  edited?: JsonObject
  requestId?: string
  by?: string
  claimId?: string
  /** How long the claim lasts unless it is renewed. The runner counts from when it asked, by a clock of its own. */
  leaseMs?: number
}

/** What was kept of an earlier run. */
export interface WireReplayed {
  kind: 'ran'
  replayed: true
  ranAt: number
  ok: boolean
  value?: JsonValue
  error?: { name: string; message: string }
  edited?: JsonObject
  requestId?: string
  by?: string
}

export interface WireRefused {
  kind: 'refused'
  state: 'denied' | 'error' | RequestState
  code: string
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  mayRetry: boolean
  summary?: string
  requestId?: string
  by?: string
}

export interface WireAnswered {
  kind: 'answered'
  text?: string
  answers?: Answers
  by: string
  requestId: string
}

export interface WirePending {
  kind: 'pending'
  because: 'hold_over' | 'aborted'
  requestId?: string
  asked?: WireAsked
}

export type WireHold = WireHeld | WireReplayed | WireRefused | WireAnswered | WirePending

export interface WireJudgeResult {
  kind: VerdictKind
  because: string
}
