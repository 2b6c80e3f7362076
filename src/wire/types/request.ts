/**
 * What goes over the wire, as types: the server writes these, the client reads them. They are the public face of the
 * things in this room and change only by addition.
 */
import type { AgentLineage, CommandPlace, Origin } from '../../core/call.ts'
import type { Answers, Decision, DecisionInput, DecisionKind, GrantTerms, Vote } from '../../core/decision.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Question } from '../../core/question.ts'
import type { CancelCause, Outcome, RequestKind, RequestState } from '../../core/request.ts'
import type { Role } from '../../core/session.ts'
import type { GrantScope, GrantWidth, Severity, Verdict } from '../../core/verdict.ts'
import type { WireCovered, WireMask } from './mask.ts'

/** Over the wire every moment is an ISO 8601 text. */
export type WithIsoTime<T extends { at: number }> = Omit<T, 'at'> & { at: string }

/** A vote or a decision, with its moment and the bound of its grant as people write them. */
type WithWireGrant<T extends { at: number; grant?: GrantTerms }> = Omit<WithIsoTime<T>, 'grant'> & {
  grant?: WireGrantTerms
}

export type WireVote = WithWireGrant<Vote>
export type WireDecision = WithWireGrant<Decision>

export interface WireGrantTerms extends Omit<GrantTerms, 'expiresInMs'> {
  /** `15m`, `8h`, `30d`; at most `365d`. */
  expiresIn?: string
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
  /** Where values are masked, by JSON pointer. */
  masks: WireMask[]
  /** Present where a hidden value bounds how a pending request can be approved. */
  covered?: WireCovered
  /** True when the arguments were erased after their retention time. */
  erased?: boolean
  /**
   * In lists and events: the arguments are long and were cut, with marks; or, where it was asked for `brief`, they and the
   * rendering's text are left out. The request alone has them whole.
   */
  shortened?: boolean
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
  votes: WireVote[]
  questions?: Question[]
  submittedBy: string
  /** The request of the same call that ended without an answer. */
  follows?: string
  /** Whoever runs it has no way to tell its model the reason of a no. */
  carriesNoReason?: true
  createdAt: string
  /** When a pending request expires, an approval lapses, or the lease of a running call ends. */
  expiresAt: string | null
  decision?: WireDecision
  /** Present when a person changed the arguments. */
  edited?: { by: string; digest: string }
  cancelled?: { cause: CancelCause; by: string; reason?: string }
  stop?: { by: string; reason?: string }
  outcome?: WithIsoTime<Omit<Outcome, 'said'>>
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

/** The answer to `POST /v1/policy/explain`: the verdict with all that led to it. */
export interface WireExplanation {
  verdict: Verdict
  tool: { name: string; kind?: string; known: boolean }
  mode: string
  /** Every rule that holds or may hold, the strictest first. */
  rules: WireExplainedRule[]
  /** For a shell line: what each command came to. */
  commands?: WireExplainedCommand[]
  /** Where one argument is that line: the argument, by JSON pointer. */
  pointer?: string
  /** Where the line is a program and a list of its words: the arguments. */
  list?: CommandPlace
  doubts?: WireDoubt[]
}

export interface WireExplainedRule {
  rule: string
  kind: 'deny' | 'ask' | 'allow'
  /** `unknown`: it can't be told beforehand. Such a rule never allows. */
  holds: 'yes' | 'unknown'
  decided: boolean
  /** Where it stands in the policy, as a JSON pointer; absent for what is built in. */
  pointer?: string
  place?: { file: string; line: number; column: number }
  /** The commands, paths or addresses that it is about. */
  about?: string[]
}

export interface WireExplainedCommand {
  /** In its normal form, which is what rules see. */
  text: string
  /** Where it stands in the line. */
  start: number
  end: number
  /** What it was looked through: `sudo`, `env`, … */
  through: string[]
  verdict: 'allow' | 'deny' | 'ask'
  because: string
  rule?: string
  doubts: WireDoubt[]
}

/** What in a shell line can't be vouched for. */
export interface WireDoubt {
  kind: string
  text: string
  because: string
  start: number
  end: number
}

/** The answer to `POST /v1/policy/replay`: what another policy would have said of the calls on record. */
export interface WireReplay {
  days: number
  calls: number
  /** Calls whose arguments were erased, which can't be judged again. */
  erased: number
  /** There are more calls in these days than were looked through. */
  cut?: boolean
  unchanged: number
  groups: WireReplayGroup[]
}

export interface WireReplayGroup {
  change: 'denial undone' | 'prompt removed' | 'prompt added' | 'denial added'
  tool: string
  was: 'allow' | 'deny' | 'ask'
  would: 'allow' | 'deny' | 'ask'
  rule?: string
  because: string
  calls: number
  /** Of these calls, how many a person refused. */
  rejected: number
  /** Some of them, in a line each. */
  examples: string[]
}

/** The answer to `POST /v1/calls`. */
export interface WireReview {
  /** The call was known before: it is the same call again. One that was allowed may have run already. */
  repeated: boolean
  verdict: WireVerdict
  request?: WireRequest
}

export interface WireDecisionInput extends Omit<DecisionInput, 'grant'> {
  grant?: WireGrantTerms
}

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
  /** The same as a duration, for who does not compare clocks. */
  leaseMs: number
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
  /** `login`: a single-use code for a login link. `cookie`: what a login leaves in a browser for chat pages. */
  use: 'bearer' | 'login' | 'cookie'
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
  /** The turn of our agent that runs there. */
  running?: string
}

export type WireAnswers = Answers

/** A credential that was just made. The secret is shown this once. */
export interface WireCredential {
  secret: string
  token: WireToken
}

export interface WireLogin extends WireIdentity {
  /** Sent with every call from now on, as a header. */
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

export interface WireCancelled {
  request: WireRequest
  /** False: it has taken effect, and the record follows when the store can be reached. */
  recorded: boolean
}

/** What interrupting a session's turn did. */
export interface WireStopped {
  /** The requests that were cancelled or told to stop. */
  stopped: string[]
  /** Those that could not be, and why. */
  refused: { id: string; code: ErrorCode; detail: string }[]
  /** Whether a turn of our agent ran there and was interrupted. */
  interrupted?: boolean
}

export interface WireGrant {
  id: string
  session?: string
  includeSubSessions?: boolean
  tool: string
  rules: string[]
  scope: Exclude<GrantScope, 'once'>
  /** What it lets through. */
  words: string
  /** Of the call that it covers, where it covers exactly one. */
  digest?: string
  createdAt: string
  createdBy: string
  requestId: string
  expiresAt?: string
  usesLeft?: number
  uses: number
  revoked?: { at: string; by: string }
}

/** A grant that a decision on a request may leave behind. */
export interface WireSuggestion {
  /** A decision names it as `grant.suggestion`. */
  id: string
  width: GrantWidth
  /** What it would let through. */
  words: string
  matched: WireMatched
}

/** What a grant would have matched, had there been one. */
export interface WireMatched {
  calls: number
  /** How many calls of any tool were looked through. */
  of: number
  days: number
  /** Of those that match: how many people were asked about, and how many of these they refused. */
  asked: number
  rejected: number
  /** Of those that match: how many the policy denied, and would deny still. */
  denied: number
  /** Some of them, each in a line. */
  examples: string[]
  /** There were more calls in these days; only the newest were looked through. */
  cut?: boolean
}

/** From narrow to wide. */
export interface WireSuggestions {
  suggestions: WireSuggestion[]
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
  because: string
  rule?: string
  submittedBy: string
  createdAt: string
}

export interface WireChain {
  chain: string
  /** The number of its last entry. */
  last: number
}

export interface WireJournalEntry {
  chain: string
  n: number
  type: string
  request?: string
  version?: number
  /** The text that was hashed. */
  body: string
}

/** What a client sends on the socket: first who it is, then decisions. */
export type WireSocketCommand =
  | { type: 'hello'; token: string; after?: string }
  | ({ type: 'decide'; ref: string; id: string } & WireDecisionInput)

/** What the server sends on the socket besides events: the answer to the command with this `ref`. */
export type WireSocketResult =
  | ({ type: 'result'; ref: string } & WireDecided)
  | { type: 'result'; ref: string | null; problem: WireProblem }
