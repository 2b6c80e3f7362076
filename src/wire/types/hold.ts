/** What holding a call over the wire gives: the results of `guard/contract.ts`, as JSON. */
import type { Answers } from '../../core/decision.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { RequestState } from '../../core/request.ts'

export type WireHold =
  | WireHeld
  | WireReplayed
  | {
      kind: 'refused'
      state: 'denied' | 'error' | RequestState
      code: string
      because: string
      by?: string
      mayRetry: boolean
      requestId?: string
      summary?: string
    }
  | { kind: 'answered'; text?: string; answers?: Answers; by: string; requestId: string }
  | { kind: 'pending'; because: 'hold_over' | 'aborted'; requestId?: string; asked?: WireAsked }

/** The right to run the call. With a `requestId` it is a claim under a lease; without, nobody was asked and it needs no renewal. */
export interface WireHeld {
  kind: 'held'
  key: string
  session: string
  callId: string
  arguments: JsonObject
  edited?: JsonObject
  by?: string
  requestId?: string
  claimId?: string
  /** A duration: whoever holds it counts from when they asked, by a clock of their own. */
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
  requestId?: string
  by?: string
  edited?: JsonObject
}

export interface WireAsked {
  requestId: string
  state: RequestState
  because: string
  predecessor?: string
}

/** What a runner can carry back to its model: see `Can` of the guard's contract. */
export interface WireCan {
  edit?: boolean
  respond?: boolean
  reason?: boolean
  terminate?: boolean
}

export interface WireJudgeResult {
  kind: 'allow' | 'deny' | 'ask'
  because: string
}
