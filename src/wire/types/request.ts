/** Written by `npm run generate:wire` from src/wire/request.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { AgentLineage, Origin } from '../../core/call.ts'
import type { Answers, DecisionKind } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Question } from '../../core/question.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { IntentKind } from '../../core/rendering.ts'
import type { CancelCause, OutcomeKind, RequestKind, RequestState } from '../../core/request-state.ts'
import type { GrantScope, Severity } from '../../core/verdict.ts'
import type { WireGrantTerms } from './values.ts'

/** What a person decided. */
export interface WireDecision {
  kind: DecisionKind
  by: string
  at: string
  /** The channel it came through. */
  via: string
  /** Of what was shown. */
  digest: string
  reason?: string
  text?: string
  answers?: Answers
  scope?: GrantScope
  grant?: WireGrantTerms
}

/** One person's approval, whether or not it reaches the quorum. */
export interface WireVote {
  by: string
  at: string
  /** The channel it came through. */
  via: string
  /** Of what was shown. */
  digest: string
  /** What the voter wrote beside it. */
  reason?: string
  /** Which grant this voter would leave behind. */
  scope?: GrantScope
  grant?: WireGrantTerms
}

export interface WireDecisionInput {
  decision: DecisionKind
  /** Of the request as it was shown. */
  digest: string
  /** With edit: all arguments. A mask that is left as it is keeps the secret. */
  arguments?: JsonObject
  /** Why. It goes back to the model with a rejection. */
  reason?: string
  /** With respond: what the tool's result will be. */
  text?: string
  /** With answer: one for each question, by its id. */
  answers?: Answers
  /** Whether it is remembered: once leaves nothing behind. */
  scope?: GrantScope
  /** With scope session or always: which grant is left behind. Without it: for exactly this call. */
  grant?: WireGrantTerms
}

export interface WireMask {
  /** JSON pointer into the arguments. */
  pointer: string
  kind: string
  /** Of what is hidden. */
  length: number
  /** It is hidden because of this name, and not because of its shape. */
  name?: string
  /** It isn't plainly a secret: it has to be uncovered before the call can be approved. */
  mustUncover?: true
}

/** A value is hidden because of its name: a chat can't approve the request. */
export interface WireCovered {
  /** The values that must be uncovered first, by JSON pointer: they aren't plainly secrets. */
  uncover: string[]
  /** Whether the reader has uncovered them in the call as it is now. */
  uncovered: boolean
  /** A sentence for people, in the reader's language. */
  because: string
}

/** One canonical rendering for every channel. */
export interface WireRendering {
  /** What the call would do, on one line and in the reader's language: `Run npm test`. */
  title: string
  /** The verb of the title, by what the catalogue knows of the tool. `other`: it knows nothing of it. */
  intent: IntentKind
  /** The tool and what it is given, on one line. */
  summary: string
  /** The whole call as plain text, hidden characters visible, secrets masked. */
  text: string
  warnings: string[]
  /** A part of some argument is not in it. Whoever has read it has not seen the whole call, which `/view` has. */
  isShortened?: true
}

export interface WireRequest {
  id: string
  kind: RequestKind
  state: RequestState
  version: number
  /** Of what is shown: a decision names it. */
  digest: string
  tool: string
  /** Masked where a value has the shape of a secret, or the name of one. */
  arguments: JsonObject
  /** Where values are masked. */
  masks: WireMask[]
  /** Present where a hidden value bounds how a pending request can be approved. */
  covered?: WireCovered
  /** True when the arguments were erased after their retention time. */
  erased?: boolean
  /**
   * In lists and events: the arguments are long and were cut, with marks; or, where brief was asked for, they
   * and the rendering's text are left out. The request alone has them whole.
   */
  shortened?: boolean
  cwd?: string
  /** What a person is shown. */
  rendering: WireRendering
  session: string
  callId: string
  agent?: AgentLineage
  origin?: Origin
  context?: string
  preview?: string
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  rules: string[]
  severity: Severity
  /** What makes the risk high, where it is. */
  risk?: {
    /** Why, in a sentence. For people it is in the reader's language. */
    because: string
    /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
    reason?: Reason
  }
  allowedDecisions: DecisionKind[]
  scopes: GrantScope[]
  /** For each rule that asks: who may approve, and how many are needed. */
  approvers: { rule: string; approvers: string[]; quorum: number }[]
  votes: WireVote[]
  questions?: Question[]
  submittedBy: string
  /** The request of the same call that ended without an answer. */
  follows?: string
  /** The runner has no way to tell its model the reason of a rejection. */
  carriesNoReason?: true
  createdAt: string
  /** When a pending request expires, an approval lapses, or the lease of a running call ends. */
  expiresAt: string | null
  decision?: WireDecision
  /** Present when a person changed the arguments. */
  edited?: { by: string; digest: string }
  cancelled?: { cause: CancelCause; by: string; reason?: string }
  stop?: { by: string; reason?: string }
  /**
   * Of an unknown outcome: whoever ran the call never said, and nobody is asked to settle it. It can be
   * settled all the same.
   */
  notReported?: true
  outcome?: {
    kind: OutcomeKind
    /** A short text for people. */
    summary?: string
    at: string
    /** Who reported: the runner, or the person who settled an unknown outcome. */
    by: string
    /** A person said it, because the runner had stopped responding. Otherwise the runner itself reported. */
    settled?: true
    /** It came after the lease had lapsed. */
    late?: boolean
  }
  /** Whether the reader could decide it now. */
  yours: boolean
}
