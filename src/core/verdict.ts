/**
 * What the policy says of a call. A verdict always says why. When several rules ask, all of them hold: the
 * terms list one condition a rule, and every one must be met.
 */
import type { DecisionKind } from './decision.ts'
import type { Because, Reason } from './reasons/reason.ts'

export const VERDICT_KINDS = ['allow', 'deny', 'ask'] as const

export type VerdictKind = (typeof VERDICT_KINDS)[number]

/** The order in which rules are tried: the first kind with a matching rule decides. */
export const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const satisfies readonly VerdictKind[]

export type Verdict = AllowVerdict | DenyVerdict | AskVerdict

/** `because` is for the model and the record; people are told the reason in their language. */
interface VerdictReason extends Because {
  /** The rule that decided, as it is named or written in the policy. */
  rule?: string
}

export interface AllowVerdict extends VerdictReason {
  kind: 'allow'
}

/** The rule of a call that joined the request of the same call. The policy did not allow it: it waits for the same decision. */
export const JOINED_RULE = 'joined'

export interface DenyVerdict extends VerdictReason {
  kind: 'deny'
}

export interface AskVerdict extends VerdictReason {
  kind: 'ask'
  terms: AskTerms
}

export interface AskTerms {
  /** One entry for each rule that asks; an approval needs all of them. Never empty. */
  conditions: ApprovalCondition[]
  allowedDecisions: DecisionKind[]
  scopes: GrantScope[]
  severity: Severity
  /** What makes the risk high. Absent where it isn't, and on what an earlier version wrote. */
  risk?: Reason
  /** Absent: the server's default. */
  expiresInMs?: number
  /** How long an approval may wait to be run. Absent: the server's default. */
  claimWithinMs?: number
  /** The widest grant that may be suggested. Absent: whatever fits the call. */
  widestGrant?: GrantWidth
  /** If nobody reports how the call went, people are asked to find out. Absent: not where whoever ran it can't be asked. */
  askOutcome?: true
  /** Where it is asked if no approver can be written to: a service and the id of a chat in it, `telegram:-1001234567890`. */
  chats?: string[]
}

/** From narrow to wide: exactly this call; commands or arguments of this shape; this tool with this argument; this tool. */
export const GRANT_WIDTHS = ['call', 'shape', 'argument', 'tool'] as const

export type GrantWidth = (typeof GRANT_WIDTHS)[number]

export interface ApprovalCondition {
  rule: string
  /** `ana`, `group:sre` or `owner`. Absent: the owner and the group `approvers`. */
  approvers?: string[]
  quorum: number
}

/**
 * What a grant remembers of a condition that it answers. A rule that is given other approvers or a higher quorum
 * later is another condition, and asks again.
 */
export function conditionKey({ rule, approvers, quorum }: ApprovalCondition): string {
  if (approvers === undefined && quorum <= 1) return rule
  return `${rule} (${quorum} of ${(approvers ?? ['any approver']).join(' or ')})`
}

/** From low to high. */
export const SEVERITIES = ['low', 'normal', 'high', 'critical'] as const

export type Severity = (typeof SEVERITIES)[number]

/** An approval of such a call asks for confirmation, and none is granted for a whole tool. */
export function isHighRisk(severity: Severity): boolean {
  return severity === 'high' || severity === 'critical'
}

/** Which grants a decision may leave behind. `once` leaves none. */
export const SCOPES = ['once', 'session', 'always'] as const

export type GrantScope = (typeof SCOPES)[number]

/** The scopes that leave a grant behind. */
export const GRANT_SCOPES = ['session', 'always'] as const satisfies readonly GrantScope[]

export type LastingScope = (typeof GRANT_SCOPES)[number]

/** How another policy would change the verdict on a call of the past, the most dangerous change first. */
export const REPLAY_CHANGES = ['denial undone', 'prompt removed', 'prompt added', 'denial added'] as const

export type ReplayChange = (typeof REPLAY_CHANGES)[number]

/**
 * What had to be looked up to judge a call. The edge gathers it and passes it in; it is gathered again at the
 * claim, and a change refuses the claim. A missing fact never satisfies an allow.
 */
export interface Facts {
  /** The time at which the call is judged. */
  at?: number
  /** For each path in the arguments, by JSON pointer. */
  paths?: Record<string, PathFact>
  /** Where the working folder really is. */
  folder?: string
  /** Where the paths in shell commands really lead, by the path as the reading of the line gives it. */
  words?: Record<string, string>
  /** Where paths of the call may lead of which it can't be told, such as `/proc/self/cwd/x`; they have no fact above. */
  unsure?: string[]
  /** Of our own folders those that ripgrep passes over, by the ignore files that were found in them. */
  ignored?: string[]
  /** Of what a deny names plainly that which is not there, by absolute path. */
  absent?: string[]
  /** The hosts that settings name, such as the remotes of a repository, by the key of the look-up. Never more than hosts. */
  hosts?: Record<string, HostFact>
}

/** Addresses with scheme, host and port, and nothing else. */
export interface HostFact {
  /** Those that are reached. */
  sure: string[]
  /** Those that may be, such as the registry of one scope of packages. */
  possible: string[]
}

export interface PathFact {
  /** The absolute path with every link followed. */
  resolved: string
  exists: boolean
  /** SHA-256 of the content of a regular file, where it was small enough to read. */
  digest?: string
  /** The text, where it is text and small enough to show a difference. */
  text?: string
}
