/** What rules come to for a call, and the names of what is built in. */
import type { Reason } from '../../core/reasons/reason.ts'
import type { RuleLabel } from '../compile/compile-rules.ts'
import type { Doubt, DoubtKind } from '../shell/reading.ts'
import type { SubjectPart } from '../subject/subject.ts'

/** A rule that matches, or of which that can't be ruled out. */
export interface RuleFinding {
  readonly rule: RuleLabel
  readonly holds: 'yes' | 'unknown'
  /** The parts that it is about; empty: the call as a whole. */
  readonly parts: readonly SubjectPart[]
  /** The host that it is about, or why none can be told. */
  readonly reach?: Reason | undefined
}

export interface CallFindings {
  readonly denies: readonly RuleFinding[]
  /** Rules that ask, and rules that may deny. */
  readonly asks: readonly RuleFinding[]
  /** What is allowed, and by what. An entry without a part is the call as a whole. */
  readonly allowed: readonly { part: SubjectPart | undefined; rule: RuleLabel }[]
  /** What nothing allows, and why not where there is more to say. An entry without a part is the call as a whole. */
  readonly left: readonly UnallowedPart[]
}

export interface UnallowedPart {
  readonly part: SubjectPart | undefined
  readonly doubts: readonly Doubt[]
  /** A file that it would write. */
  readonly writes?: string
  /** An option by which it deletes files that it does not name. */
  readonly deletes?: string
  /** An option by which it loads code. */
  readonly loads?: string
  /** A word that may come to an option that writes, runs or deletes. */
  readonly mayBeOption?: string
  /** It may print passwords, keys or tokens. */
  readonly reveals?: boolean
  /** The groups of steering files because of which it no longer counts as only reading. */
  readonly steeredBy?: readonly string[]
}

/** The plain names of the lists that match the tool. */
export interface NameFindings {
  readonly deny: readonly RuleLabel[]
  readonly ask: readonly RuleLabel[]
  readonly allow: RuleLabel | undefined
}

/** Stands for all rules that may be about a part of the call, which can't be told beforehand. */
export const NOT_KNOWN: RuleLabel = {
  kind: 'ask',
  name: 'built-in: not known beforehand',
  pointer: undefined,
}

export const NOT_UNDERSTOOD: RuleLabel = {
  kind: 'ask',
  name: 'built-in: not understood',
  pointer: undefined,
}

export const READS_BELOW = 'built-in: reads below'

/** Doubts behind which a command may hide that a rule would deny or ask about. */
export const HIDING_DOUBTS: ReadonlySet<DoubtKind> = new Set<DoubtKind>([
  'too long',
  'unparsable',
  'control character',
  'unknown program',
  'inline code',
  'connection',
  'expansion',
  'redefinition',
  'unknown wrapper',
])

/** The tools whose allows of a path count for whatever else writes it. */
export const EDITORS = ['Edit', 'Write', 'write_file', 'edit_file'] as const
