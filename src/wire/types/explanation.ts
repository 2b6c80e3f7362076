/** Written by `npm run generate:wire` from src/wire/explanation.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { CommandPlace } from '../../core/call.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { ReplayChange, Verdict, VerdictKind } from '../../core/verdict.ts'

/** What in a shell line can't be vouched for. */
export interface WireDoubt {
  kind: string
  text: string
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  start: number
  end: number
}

export interface WireExplainedRule {
  rule: string
  kind: VerdictKind
  /** unknown: it can't be told beforehand whether it matches. Such a rule never allows. */
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
  /** What it was looked through: sudo, env, … */
  through: string[]
  verdict: VerdictKind
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  rule?: string
  doubts: WireDoubt[]
}

/** The verdict with all that led to it. */
export interface WireExplanation {
  verdict: Verdict
  tool: { name: string; kind?: string; known: boolean }
  mode: string
  /** Every rule that matches or may match, the strictest first. */
  rules: WireExplainedRule[]
  /** For a shell line: what each command came to. */
  commands?: WireExplainedCommand[]
  /** Where one argument is that line: the argument, by JSON pointer. */
  pointer?: string
  /** Where the line is a program and a list of its words: the arguments. */
  list?: CommandPlace
  doubts?: WireDoubt[]
}

export interface WireReplayGroup {
  change: ReplayChange
  tool: string
  was: VerdictKind
  would: VerdictKind
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  rule?: string
  calls: number
  /** Of these calls, how many a person refused. */
  rejected: number
  /** Some of them, in a line each. */
  examples: string[]
}

/** What another policy would have said of the calls on record. */
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
