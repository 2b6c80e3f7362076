/**
 * The policy's language: what may stand under `policy:` and `tools:`. These are the words as people write them;
 * `policy-block.ts` checks them, and nothing that is not understood is skipped.
 */

import type { DecisionKind } from '../../core/decision.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { ToolKind } from '../../core/known-tool.ts'
import { MODES, type Mode } from '../../core/session.ts'
import {
  type GrantScope,
  type GrantWidth,
  type Severity,
  STRICTEST_FIRST,
  type VerdictKind,
} from '../../core/verdict.ts'

export function isMode(value: unknown): value is Mode {
  return (MODES as readonly unknown[]).includes(value)
}

/** The three lists of a policy have the names of verdicts. */
export const LIST_NAMES = STRICTEST_FIRST

export type ListName = VerdictKind

/** The value under `policy:`. */
export interface PolicyBlock {
  /** Policies that this one adds to. Only ours are known: `banksman:starter`. */
  extends?: string | string[]
  mode?: Mode
  /**
   * Entries are tool-name globs, or specifiers `Name(…)` where Name is a tool that the catalogue knows: a command
   * pattern for a shell, a path pattern for readers and editors, `domain:…` for the network.
   */
  deny?: string[]
  ask?: string[]
  allow?: string[]
  rules?: RuleBlock[]
  /** Why a person is asked, in the policy's words; `{tool}` is the tool's name. */
  reason?: string
  tests?: PolicyTest[]
}

export interface RuleBlock {
  /** Unique among the rules; it is what people and grants know the rule by. */
  name: string
  when: WhenBlock
  then: VerdictKind
  reason?: string
  /** The rest is for `ask` alone. */
  approvers?: string[]
  quorum?: number
  /** `15m` */
  expiresIn?: string
  /** How long an approval may wait to be run: `2h`; at most `7d`. */
  claimWithin?: string
  allowedDecisions?: DecisionKind[]
  scopes?: GrantScope[]
  severity?: Severity
  /** The widest grant that is suggested. Absent: whatever fits the call. */
  widestGrant?: GrantWidth
  /** People are asked how the call went where a coding agent ran it and never said. */
  askOutcome?: boolean
  /** Where it is asked if no approver can be written to: `telegram:-1001234567890`. */
  chat?: string
}

/** All that is named must hold. */
export interface WhenBlock {
  /** Tool-name globs, any of them. */
  tool?: string | string[]
  /** What the catalogue says that the tool is. */
  kind?: ToolKind | ToolKind[]
  /** By JSON pointer into the arguments. */
  arguments?: Record<string, ArgumentCondition>
  /** Command patterns, any of them. A deny or ask holds if one command of the line fits, an allow only if all do. */
  command?: string | string[]
  /** Path patterns, any of them, against the resolved paths of the call; as with `command`. */
  path?: string | string[]
  /** Host patterns, any of them, against the hosts of the call's addresses; as with `command`. */
  host?: string | string[]
  /** Globs. */
  session?: string | string[]
  agent?: string | string[]
  /** Some agent that this one was started by, however far up. */
  parent?: string | string[]
  /** Whether the agent was started by another. */
  subAgent?: boolean
  /** The channel on which the conversation began. */
  origin?: string | string[]
  /** Path patterns against the working folder. */
  cwd?: string | string[]
  time?: TimeWindow
  not?: WhenBlock
  all?: WhenBlock[]
  any?: WhenBlock[]
}

/** One or several of these; all must hold. */
export interface ArgumentCondition {
  equals?: JsonValue
  oneOf?: JsonValue[]
  glob?: string | string[]
  /** RE2 syntax, found anywhere in the text; anchor it with `^` and `$`. */
  regex?: string
  gt?: number
  gte?: number
  lt?: number
  lte?: number
  exists?: boolean
  /** The text is a path, and where it leads fits the pattern. */
  path?: string | string[]
  /** The text is an address, and its host fits the pattern. */
  host?: string | string[]
  not?: ArgumentCondition
  all?: ArgumentCondition[]
  any?: ArgumentCondition[]
}

export interface TimeWindow {
  /** `09:00`. A window whose end is before its start goes past midnight. Absent: the whole day. */
  from?: string
  to?: string
  days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[]
  /** An IANA name such as `Europe/Berlin`. Absent: UTC. */
  zone?: string
}

/** What the policy knows of a tool, under `tools:` by its name (a glob may stand for many). */
export interface ToolBlock {
  /** Absent: neither read-only nor an edit. */
  kind?: ToolKind | 'patch'
  /** How high the stakes are when a person is asked about it. */
  danger?: Severity
  /** Where in the arguments the command is, as a JSON pointer: a line for a shell, or a list of words. */
  command?: string
  /** Where the words are that follow the program named by `command`. */
  words?: string
  /** Where paths are; `/edits/*\/path` stands for every item of a list. */
  path?: string | string[]
  /** Where a pattern of file names is that is meant inside `path`, or inside the working folder. */
  glob?: string
  /** Where the text of a patch is, whose headers name files. */
  patch?: string | string[]
  /** Where addresses are. */
  url?: string | string[]
}

export interface PolicyTest {
  call: {
    tool: string
    arguments?: Record<string, JsonValue>
    session?: string
    agent?: { name: string; parents?: string[] }
    origin?: { channel: string }
    cwd?: string
  }
  mode?: Mode
  /** ISO 8601; the time at which the call is judged. */
  at?: string
  verdict: VerdictKind
  /** The rule that must decide. */
  rule?: string
}
