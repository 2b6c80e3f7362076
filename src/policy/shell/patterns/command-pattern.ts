/**
 * Patterns of commands, as rules write them: `git status *`, `npm run test:*`, `rm *`. `*` is the only wildcard and
 * stands for anything, spaces included; a ` *` or `:*` at the end also stands for nothing more. Program and words are
 * compared by their values, so neither quotes nor the path to a program make a difference.
 *
 * Words whose value is known only when the line runs are holes. `yes` means that the pattern fits whatever stands in
 * them, `unknown` that it fits for some value. There is no regular expression in it, and nothing that is tried twice:
 * every comparison walks through the command a fixed number of times.
 */

import { posix } from 'node:path'
import { kept } from '../../../core/support/kept.ts'
import { compileGlob } from '../../matchers/globs/glob.ts'
import { eitherMatches, type MatchResult } from '../../matchers/match-result.ts'
import { isSystemFolder } from '../commands/program-name.ts'
import type { ShellCommand, ShellWord } from '../reading.ts'
import { type PatternWord, splitPattern } from './split-pattern.ts'

export type CommandMatcher = (command: ShellCommand) => MatchResult

/** Before every word but the first. No argument of a program can hold it. */
const GAP = '\0'
/** A value that is not known, within one word. */
const PART = '\x01'
/** Any number of words that are not known, each with its gap. */
export const MANY = '\x02'
/** A `*` in a word: it is not the wildcard of a pattern. */
const STAR = '\x03'
/** Before a `~` that is not the home folder. */
const NAME = '\x04'

export interface ParsedPattern {
  readonly program: PatternWord
  readonly words: readonly PatternWord[]
  /** Further words may follow. */
  readonly open: boolean
}

export function compileCommandPattern(pattern: string): CommandMatcher {
  const parsed = parseCommandPattern(pattern)
  if (parsed === undefined) return () => 'no'
  const matches = compileWords(parsed)
  return (command) => matches(spell(command))
}

/** Undefined where it names no program. */
export function parseCommandPattern(pattern: string): ParsedPattern | undefined {
  const trimmed = pattern.trim()
  const open = /[^\\][ :]\*$/.test(trimmed)
  const [program, ...words] = splitPattern(open ? trimmed.slice(0, -2) : trimmed)
  return program === undefined ? undefined : { program, words, open }
}

export function compileWords({ program, words, open }: ParsedPattern): (spelled: Spelled) => MatchResult {
  const text = words.map((word) => GAP + patternText(word)).join('')
  const compile = (name: string) => compileText(name + text, open)
  const byName = namesOf(program.value).map(compile)
  const byPath = pathsOf(program.value).map(compile)
  return (spelled) => {
    let holds = any(byName, spelled.byName)
    if (spelled.byPath !== undefined && holds !== 'yes')
      holds = eitherMatches(holds, any(byPath, spelled.byPath))
    // Some file systems find `rm` under `RM`.
    if (holds !== 'no' || spelled.folded === undefined) return holds
    return any(byName, spelled.folded) === 'no' ? 'no' : 'unknown'
  }
}

function any(matchers: readonly ((spelled: string) => MatchResult)[], spelled: string): MatchResult {
  let holds: MatchResult = 'no'
  for (const match of matchers) holds = eitherMatches(holds, match(spelled))
  return holds
}

function patternText(word: PatternWord): string {
  return word.value.startsWith('~') && !word.home ? NAME + word.value : word.value
}

/**
 * What the program's last name must fit. A `*` may swallow the program and go on into its words, so a pattern with one
 * before a slash (`*\/etc/passwd*`) is taken as it is too.
 */
function namesOf(program: string): string[] {
  const slash = program.lastIndexOf('/')
  if (slash === -1) return [program]
  const folder = program.slice(0, slash)
  const name = program.slice(slash + 1)
  const names = name.includes('*') && !isSystemFolder(folder) ? [] : [name]
  return folder.includes('*') ? [...names, program] : names
}

/** What the whole path must fit, where the pattern does not name the program: `./scripts/*`. */
function pathsOf(program: string): string[] {
  return program.includes('*') ? [program.replace(/^(\.\/)+/, '')] : []
}

function compileText(text: string, open: boolean): (spelled: string) => MatchResult {
  const exact = compileGlob(text)
  const more = compileGlob(`${text}${GAP}*`)
  const many = compileGlob(`${text}${MANY}*`)
  const could = compileCould(text)
  const couldMore = compileCould(`${text}${GAP}*`)
  return (spelled) => {
    if (exact(spelled) || (open && (more(spelled) || many(spelled)))) return 'yes'
    if (!hasHole(spelled)) return 'no'
    return could(spelled) || (open && couldMore(spelled)) ? 'unknown' : 'no'
  }
}

/**
 * Whether some value of the holes would make the pattern fit. Where both sides have something open, only what stands
 * before the first and after the last of it can clash: whatever lies between is swallowed by the other's.
 */
function compileCould(pattern: string): (spelled: string) => boolean {
  const star = pattern.indexOf('*')
  const prefix = star === -1 ? pattern : pattern.slice(0, star)
  const suffix = star === -1 ? pattern : pattern.slice(pattern.lastIndexOf('*') + 1)
  return (spelled) => {
    if (!couldBegin(spelled, prefix) || !couldEnd(spelled, suffix)) return false
    return star !== -1 || compileGlob(spelled.replace(/[\x01\x02]/g, '*'))(pattern)
  }
}

/** `MANY` stands for nothing, or for a gap and anything. */
function couldBegin(spelled: string, prefix: string): boolean {
  let at = 0
  for (let index = 0; index < spelled.length; index++) {
    if (at === prefix.length) return true
    const character = spelled.charAt(index)
    if (character === PART) return true
    if (character === MANY) {
      if (prefix.charAt(at) === GAP || index === 0) return true
    } else if (character !== prefix.charAt(at)) return false
    else at++
  }
  return at === prefix.length
}

function couldEnd(spelled: string, suffix: string): boolean {
  for (let back = 1; back <= suffix.length; back++) {
    const character = spelled.charAt(spelled.length - back)
    if (character === PART || character === MANY) return true
    if (character !== suffix.charAt(suffix.length - back)) return false
  }
  return true
}

function hasHole(spelled: string): boolean {
  return spelled.includes(PART) || spelled.includes(MANY)
}

/** A command as patterns are compared with it. */
export interface Spelled {
  readonly byName: string
  /** With the program by the path that it was named by. */
  readonly byPath: string | undefined
  /** With the program in lower case, where that is something else. */
  readonly folded: string | undefined
}

const spell = kept((command: ShellCommand) => spellCommand(command, command.words.map(spellWord)))

/** The program with words as `spellWord` gives them. */
export function spellCommand({ program, path }: ShellCommand, spelled: readonly string[]): Spelled {
  const words = spelled.join('')
  const name = program === undefined ? MANY : spellValue(program)
  const lower = name.normalize('NFKC').toLowerCase()
  return {
    byName: name + words,
    byPath: path === undefined ? undefined : spellValue(posix.normalize(path)) + words,
    folded: lower === name ? undefined : lower + words,
  }
}

export function spellWord(word: ShellWord): string {
  if (word.value === undefined) return word.pattern ? MANY : GAP + PART
  if (word.pattern) return GAP + spellPattern(word.value)
  const name = word.value.startsWith('~') && !word.text.startsWith('~') ? NAME : ''
  return GAP + name + spellValue(word.value)
}

/** What stands before the first wildcard and after the last one stays whatever is found. */
function spellPattern(value: string): string {
  const first = value.search(/[*?[]/)
  if (first === -1) return PART
  const last = Math.max(value.lastIndexOf('*'), value.lastIndexOf('?'), value.lastIndexOf(']'))
  return spellValue(value.slice(0, first)) + PART + spellValue(value.slice(last + 1))
}

function spellValue(value: string): string {
  return value.replace(/[\0-\x04]/g, '\ufffd').replaceAll('*', STAR)
}
