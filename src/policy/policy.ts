/**
 * The policy as others see it: rules in, verdict out. Evaluating is synchronous and pure and never throws; what
 * can't be judged is denied.
 *
 * The verdict is the strictest of what holds: the built-in denies and `deny` deny; `ask` asks; and where neither
 * speaks, `allow` allows, else the mode decides. A rule that may hold but can't be shown to (a missing fact, a text
 * known only when a line runs) never allows, and has a person asked where it would deny or ask. So adding a deny or
 * an ask never makes any verdict laxer.
 */

import type { CommandPlace, PreparedCall } from '../core/call.ts'
import type { Grant, GrantMatch } from '../core/grants/grant.ts'
import type { KnownTool } from '../core/known-tool.ts'
import type { Because, Reason } from '../core/reasons/reason.ts'
import type { Facts, GrantWidth, Verdict, VerdictKind } from '../core/verdict.ts'
import type { HostLookup } from './network/reach.ts'
import type { Doubt } from './shell/reading.ts'

/** What a policy sees of a call. */
export type JudgedCall = Pick<PreparedCall, 'tool' | 'arguments'> &
  Partial<Pick<PreparedCall, 'session' | 'agent' | 'cwd' | 'definition' | 'origin'>>

export interface EvaluationContext {
  /** The session's mode, in place of the policy's. One that is not known denies. */
  mode?: string | undefined
  /**
   * The groups of steering files that calls of the session may have written without a person: programs that read one of
   * them are not vouched for. Absent: none.
   */
  steered?: ReadonlySet<string> | undefined
}

export interface Policy {
  /** The digest of the block: what is written on every request. */
  readonly version: string
  /** What is not wrong but probably not meant. */
  readonly warnings: readonly PolicyWarning[]
  evaluate(call: JudgedCall, facts?: Facts, context?: EvaluationContext): Verdict
  /** The verdict with all that led to it. */
  explain(call: JudgedCall, facts?: Facts, context?: EvaluationContext): Explanation
  /** Whether a list denies the tool by its name, whatever its arguments are: it needn't be offered then. */
  deniesByName(tool: string): boolean
  /** What the catalogue knows of the call's tool, for who shows the call. */
  knownTool(call: Pick<JudgedCall, 'tool' | 'arguments' | 'definition'>): KnownTool
  /** What must be looked up before the call is judged. Without it no allow that needs it holds. */
  lookups(call: JudgedCall): Lookups
  /** What the call has to do with files that steer programs, whatever becomes of it. */
  steering(call: JudgedCall, facts?: Facts): CallSteering
  /**
   * Which of these live grants together answer every rule that asks for the call; undefined where they don't. The
   * order is theirs, and no grant is named that is not needed. A grant never lifts a deny.
   */
  cover(
    call: JudgedCall,
    digest: string,
    grants: readonly Grant[],
    facts?: Facts,
    context?: EvaluationContext,
  ): Grant[] | undefined
  /** Whether a grant with this match would let the call through as far as its rules ask; a doubt in a line is never let through. */
  matches(match: GrantMatch, call: JudgedCall, digest: string, facts?: Facts): boolean
  /** The grants that a decision on this call may leave behind, from narrow to wide; the first is exactly this call. */
  suggest(call: JudgedCall, digest: string, facts?: Facts, context?: EvaluationContext): Suggestion[]
}

/** By the names of the groups in `steering-files/steering-groups.ts`. */
export interface CallSteering {
  /** What programs of it read: if one of these was written without a person, they are not vouched for. */
  readonly reads: readonly string[]
  /** What it may write. */
  readonly writes: readonly string[]
}

export interface PolicyWarning {
  message: string
  /** What the message was made of. Absent in what is said of another program's policy. */
  reason?: Reason
  /** Where it stands in the block, as a JSON pointer. */
  pointer: string
}

/** What the edge resolves: `paths` by JSON pointer, `words` as they stand in commands. `~` is the home folder. */
export interface Lookups {
  paths: Record<string, string>
  words: string[]
  /** Whether it matters where the working folder leads. */
  folder: boolean
  /** Our own folders of which it matters whether ripgrep passes over them; absent where it does not. */
  ignored?: string[]
  /** What a deny names and a search would come upon: it matters whether it is there. */
  denied?: string[]
  /** Settings that say which hosts a command reaches; absent where no rule is about hosts. */
  hosts?: HostLookup[]
}

export interface Suggestion {
  /** Stable for the call under this policy: `call`, `shape`, `argument:/path`, `tool`. */
  id: string
  width: GrantWidth
  match: GrantMatch
  /** What it would let through, in words. They are made of `reason`. */
  words: string
  reason?: Reason
}

export interface Explanation {
  verdict: Verdict
  tool: { name: string; kind?: string; known: boolean }
  mode: string
  /** Every rule that holds or may hold, strictest first. */
  rules: ExplainedRule[]
  /** For a shell line: what each command came to. */
  commands?: ExplainedCommand[]
  /** Where one argument is that line: the argument, by JSON pointer. Places of commands and doubts count in its text. */
  pointer?: string
  /** Where a program and its words are a list: the arguments. Places of commands and doubts are then all of the line. */
  list?: CommandPlace
  doubts?: ExplainedDoubt[]
}

/** Where a part of the block stands in its file, by JSON pointer; undefined where that isn't known. */
export type LocateRule = (pointer: string) => ExplainedRule['place']

export interface ExplainedRule {
  rule: string
  kind: VerdictKind
  holds: 'yes' | 'unknown'
  decided: boolean
  /** Where it stands in the block; absent for what is built in. */
  pointer?: string
  /** Where it stands in the file, when the caller knows the file. */
  place?: { file: string; line: number; column: number }
  /** The commands, paths or hosts of the call that it is about, as they stand in the call. */
  about?: string[]
}

export interface ExplainedCommand extends Because {
  text: string
  start: number
  end: number
  through: string[]
  verdict: Verdict['kind']
  rule?: string
  doubts: ExplainedDoubt[]
}

export type ExplainedDoubt = Doubt & Because
