/**
 * A request: our durable record of a question put to people. It has a part that never changes once it is open
 * (what is asked, of whom, on which terms) and a part that moves (`state`, `version`, `progress`).
 */

import { type AgentLineage, type CallContent, contentOf, type Origin } from './call.ts'
import type { Release } from './call-hold.ts'
import type { Decision, Vote } from './decision.ts'
import type { Question } from './question.ts'
import type { Reason } from './reasons/reason.ts'
import type { CancelCause, OutcomeKind, RequestKind, RequestState } from './request-state.ts'
import type { AskTerms } from './verdict.ts'

export type { CancelCause, RequestKind, RequestState } from './request-state.ts'
export { isFinal, LIVE_STATES, STATES } from './request-state.ts'

export interface Request extends RequestDraft {
  state: RequestState
  /** Raised by every change; the compare-and-set is on it. */
  version: number
  createdAt: number
  /**
   * By the store's time: when `pending` expires, `approved` lapses, or the lease of `running` ends. In other
   * states, null.
   */
  deadline: number | null
  progress: Progress
}

/** What a person is shown now, and what a decision must name: the agent's call, or the edit that replaced it. */
export function shownDigest(request: Pick<Request, 'digest' | 'progress'>): string {
  return request.progress.edit?.digest ?? request.digest
}

export function shownBytes(request: Request): string {
  return request.progress.edit?.bytes ?? request.bytes
}

/** What they say; undefined once they were erased. */
export function shownContent(request: Request): CallContent | undefined {
  const bytes = shownBytes(request)
  return bytes === '' ? undefined : contentOf(bytes)
}

/** On which terms it is decided now. */
export function currentTerms(request: Request): AskTerms {
  return request.progress.edit?.terms ?? request.terms
}

/** Whether this person has uncovered the hidden values of the call as it is shown now. */
export function hasUncovered(request: Request, subject: string): boolean {
  const digest = shownDigest(request)
  return request.progress.looks?.some((look) => look.by === subject && look.digest === digest) === true
}

/** The part that never changes. */
export interface RequestDraft {
  id: string
  kind: RequestKind
  session: string
  callId: string
  agent?: AgentLineage
  origin?: Origin
  /** The subject whose credential submitted the call. */
  submittedBy: string
  /** It was submitted from another machine, whose files are not looked up. */
  remote?: boolean
  tool: string
  /** Of the call as the agent made it. */
  digest: string
  /** The canonical call. Emptied by retention. */
  bytes: string
  /** Hex. The key of the journal's commitment to the bytes; erased together with them. */
  commitmentKey: string
  context?: string
  preview?: string
  because: string
  /** Absent on what an earlier version wrote. */
  reason?: Reason
  terms: AskTerms
  /** Whether a durable channel reaches someone, or only channels that are connected now (P8). */
  reach: 'durable' | 'live'
  questions?: Question[]
  /** Digest of the facts on which the policy judged; compared with fresh ones at the claim. */
  factsDigest?: string
  policyVersion: string
  expiresInMs: number
  /** The request of the same call that ended without an answer, and how many there were before this one. */
  predecessor?: { id: string; count: number }
  /** What whoever runs it can't carry: people are not offered a reason for a no. */
  carriesNoReason?: true
  /** The token it was submitted with, where later calls with other ids may join it. */
  joinable?: string
  /** The very same call, approved before under another id. */
  sameCall?: SameCall
}

export interface SameCall {
  id: string
  state: 'running' | 'unknown' | 'done'
  /** When it was approved. */
  at: number
}

/** The part that moves. */
export interface Progress {
  votes?: Vote[]
  /** Who has looked under its masks, where that is needed before they approve. */
  looks?: Look[]
  /**
   * A person changed the arguments while more votes were needed. This is what is shown and voted on from then
   * on, and its terms are those of both calls together.
   */
  edit?: { digest: string; bytes: string; by: string; terms: AskTerms; factsDigest?: string }
  decision?: Decision
  /** What may run: the digest that was approved, and the bytes where an edit made them differ. */
  approved?: { digest: string; bytes?: string }
  claim?: Claim
  /** Claims that were given back, and keys that were barred before they claimed. */
  released?: Release[]
  outcome?: Outcome
  /** Why it was cancelled. */
  cancelled?: {
    cause: CancelCause
    by: string
    reason?: string
    /** What the sentence was made of, where the policy withdrew it. */
    why?: Reason
  }
  /** A running call was told to stop. */
  stop?: { by: string; reason?: string }
}

/** Somebody has seen the arguments without masks, as they were under this digest. */
export interface Look {
  by: string
  at: number
  via: string
  digest: string
}

/** The single-use right to run. The same key gets the same claim. */
export interface Claim {
  id: string
  key: string
  by: string
  at: number
  leaseMs: number
  /** When the approval lapses, should the claim be given back. */
  lapsesAt?: number
  /** Somebody else runs the call, whom nobody can ask: the lease is as long as the call may take, and isn't renewed. */
  handedOver?: HandedOver
}

export interface HandedOver {
  /** The id under which it will be reported. Absent: it is known by its tool and arguments. */
  callId?: string
}

/** Nobody has said what became of it, and nobody is asked to: whoever ran it was not to be asked, and no rule wants to know. */
export function isNotReported(request: Request): boolean {
  const { state, progress } = request
  return (
    state === 'unknown' &&
    progress.claim?.handedOver !== undefined &&
    currentTerms(request).askOutcome !== true
  )
}

export interface Outcome {
  kind: OutcomeKind
  /** A short text for people. The tool's whole result belongs to the agent and is not kept here. */
  summary?: string
  at: number
  /** Who reported: the runner, or the person who settled an unknown outcome. */
  by: string
  /** A person said it, because the runner had stopped responding. Absent: the runner itself reported. */
  settled?: true
  /** It came after the lease had lapsed. */
  late?: boolean
  /**
   * A commitment to all that was reported, by which a second report is compared with it: the summary may be cut. Rows from
   * before have none. It is told to nobody.
   */
  said?: string
}

/** Without a commitment to compare, only summaries that are both there can differ. */
export function saysOther(recorded: Outcome, { said, summary }: Outcome): boolean {
  if (recorded.said !== undefined && said !== undefined) return recorded.said !== said
  return summary !== undefined && recorded.summary !== undefined && summary !== recorded.summary
}
