/**
 * What goes over the wire, as types: the server writes these, the client reads them. They are the public face of the
 * things in this room and change only by addition.
 */
import type { AgentLineage, Origin } from './call.ts'
import type { Answers, Decision, DecisionInput, DecisionKind, Vote } from './decision.ts'
import type { ErrorCode } from './errors.ts'
import type { JsonObject } from './json.ts'
import type { Question } from './question.ts'
import type { CancelCause, Outcome, RequestKind, RequestState } from './request.ts'
import type { Role } from './session.ts'
import type { GrantScope, Severity } from './verdict.ts'

export interface WireRequest {
  id: string
  kind: RequestKind
  state: RequestState
  version: number
  /** Of what is shown: a decision names it. */
  digest: string
  tool: string
  /** Masked where a value has the shape of a secret. */
  arguments: JsonObject
  /** Where values are masked, by JSON pointer. */
  masks: { pointer: string; kind: string; length: number }[]
  /** True when the arguments were erased after their retention time. */
  erased?: boolean
  cwd?: string
  /** What a person is shown, as `display` renders it. */
  rendering: WireRendering
  session: string
  callId: string
  agent?: AgentLineage
  origin?: Origin
  context?: string
  preview?: string
  because: string
  rules: string[]
  severity: Severity
  allowedDecisions: DecisionKind[]
  scopes: GrantScope[]
  /** For each rule that asks: who may approve, and how many are needed. */
  approvers: { rule: string; approvers: string[]; quorum: number }[]
  votes: Vote[]
  questions?: Question[]
  submittedBy: string
  createdAt: string
  /** When a pending request expires, an approval lapses, or the lease of a running call ends. */
  expiresAt: string | null
  decision?: Decision
  /** Present when a person changed the arguments. */
  edited?: { by: string; digest: string }
  cancelled?: { cause: CancelCause; by: string; reason?: string }
  stop?: { by: string; reason?: string }
  outcome?: Outcome
  /** Whether the one who reads this could decide it now. */
  yours: boolean
}

/** One canonical rendering for every channel: see `display/`. */
export interface WireRendering {
  title: string
  summary: string
  /** The whole call as plain text, hidden characters visible, secrets masked. */
  text: string
  warnings: string[]
}

export interface WireVerdict {
  kind: 'allow' | 'deny' | 'ask'
  because: string
  rule?: string
}

/** The answer to `POST /v1/calls`. */
export interface WireReview {
  verdict: WireVerdict
  request?: WireRequest
}

export type WireDecisionInput = DecisionInput

export interface WireDecided {
  request: WireRequest
  decided: boolean
  repeated: boolean
}

export interface WireClaim {
  claimId: string
  arguments: JsonObject
  digest: string
  leaseUntil: string
}

export interface WirePage<T> {
  items: T[]
  cursor?: string
}

/** What `GET /v1/events` and the socket send. */
export type WireEvent =
  /** A request was opened or changed; it comes whole. */
  | { type: 'request'; cursor: string; request: WireRequest }
  /** Something else was written down: a call that was allowed or denied, a session that ended, … */
  | { type: 'entry'; cursor: string; entry: WireEntry }
  /** What lies between can't be shown: list again. */
  | { type: 'reset'; cursor: string }

export interface WireEntry {
  type: string
  at: string
  /** The members of the entry's body that are meant for reading. */
  body: JsonObject
}

export interface WireProblem {
  type: string
  title: string
  status: number
  code: ErrorCode
  detail: string
  [member: string]: unknown
}

export interface WireIdentity {
  subject: string
  role: Role
  namespace: string
}

export interface WireToken {
  id: string
  role: Role
  subject: string
  namespace: string
  label?: string
  createdAt: string
  createdBy: string
  expiresAt?: string
  revokedAt?: string
}

export interface WireSession {
  id: string
  owner: string
  parent?: string
  mode?: string
  createdAt: string
  ended?: { at: string; by: string; reason?: string }
}

export type WireAnswers = Answers
