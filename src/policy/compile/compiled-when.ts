/** What `when` becomes: a test, and what must be known of it before it is asked. */
import type { Reason } from '../../core/reasons/reason.ts'
import type { MatchResult } from '../matchers/match-result.ts'
import type { PathPattern } from '../matchers/path-pattern.ts'
import type { WildWord } from '../matchers/wildcard-meets.ts'
import type { SweepPart } from '../recursive-reads/sweep-part.ts'
import type { ShellCommand } from '../shell/reading.ts'
import type { CallSubject, SubjectPart } from '../subject/subject.ts'

/** Where relative paths and `~` in patterns lead. Absolute and resolved. */
export interface Places {
  readonly roots: readonly string[]
  readonly home?: string | undefined
}

/** `every`: all that a part names must fit, as for an allow; else one is enough. */
export type When = (
  subject: CallSubject,
  part: SubjectPart | SweepPart | undefined,
  every: boolean,
) => MatchResult

/** By what a rule is found that is about hosts alone, or about paths alone. All others are tried one by one. */
export type RuleKey =
  /** A host must have one of these names, or be below it. */
  { readonly kind: 'host'; readonly names: readonly string[] } | PathKey

export interface PathKey {
  readonly kind: 'path'
  /** A path must be at or below one of these. */
  readonly bases: readonly string[]
  /** Whether a word with wildcards may come to a path that it is about. */
  mayMeet(word: WildWord): boolean
  readonly home: string | undefined
  /** Whether a path that a command names matches. */
  fits(resolved: string | undefined, written: string): MatchResult
  /** Whether what the command does with paths is what the rule is about. */
  applies(command: ShellCommand): boolean
}

export interface CompiledWhen {
  readonly key?: RuleKey | undefined
  readonly holds: When
  /** It speaks of commands, paths or hosts, and must be asked for each part. */
  readonly aboutParts: boolean
  /** It speaks of what a command reaches, and must be asked for each command: hosts, or the kind `network`. */
  readonly aboutReach: boolean
  /** A clause for people: what a command reaches that it is about, or why that can't be told. */
  readonly reachReason: ((part: SubjectPart) => Reason | undefined) | undefined
  /** It speaks of commands. */
  readonly aboutCommands: boolean
  /** The tools it can hold for, as globs; undefined: any. */
  readonly tools: readonly string[] | undefined
  /** The arguments of which it must be known where they lead. */
  readonly pathPointers: readonly string[]
  /** It must be known where the working folder leads. */
  readonly usesFolder: boolean
  /** Its path patterns one by one, and its command patterns as they are written: whether they name a file, or only reach it. */
  readonly pathPatterns: readonly { pattern: string; matches: PathPattern }[]
  readonly commandPatterns: readonly string[]
  /** All that its path patterns name, where they are plain. */
  readonly namedPlaces: readonly string[] | undefined
  /** Programs that its patterns name by a path outside the system's folders. */
  readonly programPaths: readonly string[]
  /** The programs of the commands it can hold for; undefined: any. */
  readonly programs: readonly string[] | undefined
}
