/** Written by `npm run generate:wire` from src/wire/call.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { JsonObject } from '../../core/json/json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { OutcomeKind } from '../../core/request-state.ts'
import type { VerdictKind } from '../../core/verdict.ts'
import type { WireRequest } from './request.ts'

export interface WireVerdict {
  kind: VerdictKind
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  rule?: string
}

export interface WireReview {
  /** The call was known before: it is the same call again. One that was allowed may have run already. */
  repeated: boolean
  verdict: WireVerdict
  request?: WireRequest
}

/** A call that the policy allowed or denied: nobody was asked. */
export interface WireCall {
  session: string
  callId: string
  tool: string
  digest: string
  /** Masked, and cut with marks where they are long; absent once they were erased. */
  arguments?: JsonObject
  verdict: 'allow' | 'deny'
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  rule?: string
  submittedBy: string
  createdAt: string
}

export interface WireClaim {
  claimId: string
  arguments: JsonObject
  digest: string
  leaseUntil: string
  /** How long the lease lasts from the moment it was asked for. */
  leaseMs: number
}

export interface ClaimInput {
  /** Of what was approved. */
  digest: string
  /** Made up by the runner. The same key gets the same claim again. */
  key: string
}

export interface WireRenewal {
  leaseUntil: string
  leaseMs: number
  /** The call was told to stop. */
  stop: boolean
  /** By whom and why, where it was. */
  stopped?: { by: string; reason?: string }
}

export interface OutcomeInput {
  outcome: OutcomeKind
  /** A short text for people. */
  summary?: string
}

export interface CancelInput {
  reason?: string
  /** The agent's turn was interrupted, rather than the call withdrawn. */
  interrupted?: boolean
}
