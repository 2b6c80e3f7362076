/** What a person answers, and how it is written down. */
import type { JsonObject } from './json/json.ts'
import type { GrantScope } from './verdict.ts'

export const DECISION_KINDS = ['approve', 'edit', 'reject', 'respond', 'terminate', 'answer'] as const

export type DecisionKind = (typeof DECISION_KINDS)[number]

export const APPROVAL_DECISIONS: readonly DecisionKind[] = [
  'approve',
  'edit',
  'reject',
  'respond',
  'terminate',
]
export const QUESTION_DECISIONS: readonly DecisionKind[] = ['answer', 'reject', 'terminate']

/** What comes in. `digest` is the digest of what the person was shown; a decision on anything else is refused. */
export interface DecisionInput {
  decision: DecisionKind
  digest: string
  /** `edit`: the arguments in place of the agent's. */
  arguments?: JsonObject
  /** Why. It goes back to the model with a rejection. */
  reason?: string
  /** `respond`: what the tool's result will be. */
  text?: string
  /** `answer`: one for each question, by its id. */
  answers?: Answers
  scope?: GrantScope
  /** Which grant to leave behind, with scope `session` or `always`. Absent: for exactly this call, without a bound. */
  grant?: GrantTerms
}

/** A year: longer than anyone remembers what they allowed, and why. */
export const MAX_GRANT_MS = 365 * 86_400_000

/** What somebody wants remembered of their approval. */
export interface GrantTerms {
  /** The id of one of the request's suggestions. Absent: `call`, exactly this call. */
  suggestion?: string
  /** From the decision on; at most `MAX_GRANT_MS`. */
  expiresInMs?: number
  /** How many calls it covers at most. */
  uses?: number
  /** With scope `session`: whether it holds in what the session starts, too. */
  includeSubSessions?: boolean
}

export type Answers = Record<string, Answer>

export interface Answer {
  /** The labels that were chosen. */
  choices?: string[]
  /** What was written freely. */
  text?: string
}

/** What was recorded. There is at most one on a request, ever (P2). */
export interface Decision {
  kind: DecisionKind
  by: string
  at: number
  /** The channel it came through. */
  via: string
  /** The digest that was shown. */
  digest: string
  reason?: string
  text?: string
  answers?: Answers
  scope?: GrantScope
  grant?: GrantTerms
}

/** One person's approval, whether or not it reaches the quorum. It names the digest shown. */
export interface Vote {
  by: string
  at: number
  via: string
  digest: string
  /** What the voter wrote beside it. */
  reason?: string
  /** Which grant this voter would leave behind. */
  scope?: GrantScope
  grant?: GrantTerms
}
