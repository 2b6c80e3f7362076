/**
 * What is carried along while a line is read: where we are in it, what has been found so far, and how to point at a
 * place of the line from inside a text that was made from one of its words.
 */

import { reasonOf } from '../../../core/reasons/reason-of.ts'
import type { ShortenedLine } from '../parse/leave-out-bodies.ts'
import type { LineBudget } from '../parse/line-budget.ts'
import type { Doubt, DoubtKind, ShellCommand, Tie } from '../reading.ts'
import type { Readers } from './readers.ts'
import type { WhyDoubted } from './why-doubted.ts'

export interface LineSpan {
  readonly start: number
  readonly end: number
}

/** Found commands stay open until the whole line is read: a loop may take their folder from them. */
export type FoundCommand = { -readonly [Key in keyof ShellCommand]: ShellCommand[Key] }

/** What is known of the folder of one shell, over all that it runs. */
export interface Track {
  /** How often it was changed, or may have been. */
  moves: number
  /** A name was given a meaning by which any later command may change it. */
  lost: boolean
}

export interface Scope {
  /** The text that positions count in. */
  readonly source: string
  /** Where that text stands in the line, when it is not the line itself. */
  readonly holder: LineSpan | undefined
  readonly through: readonly string[]
  /** Of the groups and wrappers around: they hold for what runs inside too. */
  readonly redirections: readonly Tie[]
  readonly depth: number
  /** A text around this one could not be parsed and is searched for programs as a whole. */
  readonly searched: boolean
  /** Of the shell that runs this text. */
  readonly track: Track
  /** Add to these with `putCommand` and `putDoubts`, which count. */
  readonly commands: FoundCommand[]
  readonly doubts: Doubt[]
  readonly tells: string[]
  /** Names that a loop around has set, to something that is no secret. */
  readonly loops: ReadonlySet<string>
  readonly budget: LineBudget
  /** Of each command of a line that is too long, so many words are looked at. */
  readonly most: number | undefined
  /** Where the line was parsed without some of its bodies: positions count in what is left. */
  readonly shortened: ShortenedLine | undefined
  readonly readers: Readers
}

/**
 * How deep things may lie in one another. Every level costs some ten stack frames, so this is far from the end of the
 * stack; the parser's own limit for one text is the same.
 */
export const MAX_DEPTH = 256

/** A text in a text is parsed anew, all of it: that many levels of depth keep it from being done too often. */
const TEXT_DEPTH = 8

/** The longest text that is repeated in a doubt. It is for people; the place says where the whole stands. */
const SHOWN_LENGTH = 80

export function deeper(scope: Scope): Scope {
  return { ...scope, depth: scope.depth + 1 }
}

/** The scope for a text that a word of this one holds. */
export function inside(scope: Scope, source: string, holder: LineSpan): Scope {
  const place = spanOf(scope, holder)
  return { ...scope, source, holder: place, depth: scope.depth + TEXT_DEPTH }
}

/** The scope for what another shell runs, which starts in the same folder and goes its own way. */
export function inOwnShell(scope: Scope): Scope {
  return { ...scope, track: { ...scope.track } }
}

export function spanOf(scope: Scope, span: LineSpan): LineSpan {
  if (scope.holder !== undefined) return scope.holder
  // The parser points past the end of a text that ends in the middle of something.
  const start = Math.min(span.start, scope.source.length)
  const end = Math.min(span.end, scope.source.length)
  const { shortened } = scope
  return shortened === undefined
    ? { start, end }
    : { start: shortened.placeOf(start), end: shortened.placeOf(end) }
}

export function putCommand(scope: Scope, command: FoundCommand): void {
  scope.budget.spendOn(command)
  scope.commands.push(command)
}

/** One by one: a list of a hundred thousand is too many arguments for one call. */
export function putDoubts(scope: Scope, doubts: readonly Doubt[]): void {
  scope.budget.spend('doubts', doubts.length)
  for (const doubt of doubts) scope.doubts.push(doubt)
}

export function makeDoubt(kind: DoubtKind, text: string, why: WhyDoubted, span: LineSpan): Doubt {
  const shown = shortenForDoubt(text)
  const reason = typeof why === 'string' ? reasonOf(why, { text: shown }) : why(shown)
  return { kind, text: shown, reason, start: span.start, end: span.end }
}

export function shortenForDoubt(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH - 1)}…`
}
