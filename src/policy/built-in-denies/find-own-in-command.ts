/** What of ours one command of a shell line names: by its words, by where they lead, by the program that it runs. */

import { posix } from 'node:path'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { foldCase, spellingsOf } from '../matchers/spellings.ts'
import { excludedWords } from '../shell/options/command-line.ts'
import type { PathMention, ShellCommand, ShellReading, ShellWord } from '../shell/reading.ts'
import { spendSteps } from '../steps.ts'
import type { OwnAddresses } from './own-addresses.ts'
import type { OwnRule } from './own-denial.ts'
import type { OwnPath } from './own-path.ts'
import type { OwnPaths } from './own-paths.ts'
import { isOwnProgram, runsOwnProgram } from './runs-own-program.ts'
import type { TextPrefilter } from './text-prefilter.ts'

export interface OwnMatchers {
  readonly paths: OwnPaths
  readonly addresses: OwnAddresses
  /** In lower case. */
  readonly program: string
  /** What matches nowhere in a text makes every closer look at it needless. */
  readonly trigger: TextPrefilter
  /** Whether a word of a command that may write is nothing that it writes. Absent: every word counts. */
  passes?(command: ShellCommand, word: string): boolean
  /** Texts of several words in arguments that are no commands are for readers. */
  readonly isProse?: boolean
}

export interface ShellLineContext {
  /** As it was given. */
  readonly text: string
  readonly reading: ShellReading
  /** The folders that it may run in; none where that is not known. */
  readonly bases: readonly string[]
  /** Where a path leads, links followed; undefined where nobody has looked. */
  resolved(path: string): string | undefined
  /** Where paths may lead of which it can't be told. */
  readonly unsure: readonly string[]
  /** Whether somebody has looked at all: then a path that is not resolved leads to where nobody can say. */
  readonly isLookedUp: boolean
}

export interface CommandWithBases {
  readonly command: ShellCommand
  /** The folders that it may run in; none where that is not known. */
  readonly bases: readonly string[]
  /** Whether all else in the line only reads, so that what was looked up beforehand is still right. */
  isSettled(): boolean
  /** The paths that it names, by the word that they come from. */
  mentions(): ReadonlyMap<string, readonly PathMention[]>
  /** What git finds by words with magic, or behind `-C`. */
  spelledOut(): readonly ShellWord[]
}

export interface OwnMention {
  readonly rule: OwnRule
  /** As in "`rm -rf .` reaches /srv/app/.banksman". */
  readonly why: Reason
}

/** With `reading`, what may be read is left out, and so is the program's name where it does not run. */
export function namedByCommand(
  placed: CommandWithBases,
  line: ShellLineContext,
  own: OwnMatchers,
  reading: boolean,
): OwnMention | undefined {
  const { command } = placed
  const { program, addresses } = own
  if (command.program !== undefined && isOwnProgram(foldCase(command.program), program))
    return {
      rule: 'own program',
      why: reasonOf('own.command-runs', { command: shortCommand(command), program }),
    }
  const words = wordsOf(placed)
  const written = new Set(command.words)
  // Each is compared with what it may be spelled as, with addresses and with paths.
  spendSteps(40 * words.length)
  for (const word of words) {
    if (!reading && written.has(word) && own.passes?.(command, word.text) === true) continue
    const owner = namedByWord(word, placed, line, own, reading)
    if (owner !== undefined)
      return {
        rule: 'own files',
        why: reasonOf('own.command-names', { command: shortCommand(command), path: owner }),
      }
  }
  const leads = (path: string) => isOwnProgram(foldCase(posix.basename(line.resolved(path) ?? '')), program)
  if (!reading && [...placed.mentions().values()].flat().some(({ path }) => leads(path)))
    return {
      rule: 'own program',
      why: reasonOf('own.command-leads', { command: shortCommand(command), path: program }),
    }
  const values = words.map(({ value, text }) => foldCase(value ?? text))
  const spellings = spellingsOf([foldCase(command.path ?? command.program ?? ''), ...values].join(' '))
  if (spellings.some((text) => addresses.namedIn(text)) || addresses.isPair(values))
    return { rule: 'own address', why: reasonOf('own.command-address', { command: shortCommand(command) }) }
  if (!reading && spellings.some((text) => runsOwnProgram(text, program)))
    return {
      rule: 'own program',
      why: reasonOf('own.command-runs', { command: shortCommand(command), program }),
    }
  return undefined
}

/** The same for a command with nothing of ours in its text but what a wildcard may stand for. */
export function namedByWildcards(
  { command, bases, spelledOut }: CommandWithBases,
  { paths }: OwnMatchers,
): OwnMention | undefined {
  for (const word of [...command.words, ...spelledOut()]) {
    const owner = meantBy(asItFinds(word, command), bases, paths)
    if (owner !== undefined)
      return {
        rule: 'own files',
        why: reasonOf('own.command-names', { command: shortCommand(command), path: owner.given }),
      }
  }
  return undefined
}

/** The own file or folder that the word names or leads to. */
export function namedByWord(
  word: ShellWord,
  placed: CommandWithBases,
  line: ShellLineContext,
  { paths, trigger }: OwnMatchers,
  reading: boolean,
): string | undefined {
  const { command, bases } = placed
  const counts = (owner: OwnPath | undefined) => owner !== undefined && !(reading && owner.readable)
  const meant = meantBy(asItFinds(word, command), bases, paths)
  if (meant !== undefined && counts(meant)) return meant.given
  const { value } = word
  if (value === undefined) return undefined
  // A pattern of the program's own, as in `find -path '*/x'`, leads to where nobody has looked.
  let unresolved = /[*?[]/.test(value)
  for (const { path } of placed.mentions().get(word.text) ?? []) {
    const resolved = line.resolved(path)
    unresolved ||= resolved === undefined
    const places = line.bases.map((base): [string, string] => [path, base])
    if (resolved !== undefined) places.push([resolved, '/'])
    const owner = places.map(([at, base]) => own(at, base)).find(counts)
    if (owner !== undefined) return owner.given
  }
  // Where nobody has looked, a name like ours is taken to be ours.
  if (!unresolved && trigger.test(foldCase(value))) unresolved = !placed.isSettled()
  const shown = unresolved ? `${command.program} ${value}` : value
  for (const spelling of [...spellingsOf(shown), ...(unresolved ? spellingsOf(value) : [])]) {
    const named = trigger.test(spelling) ? paths.namedIn(spelling, bases, reading) : undefined
    if (named !== undefined) return named
  }
  return undefined

  function own(at: string, base: string): OwnPath | undefined {
    return trigger.test(foldCase(at)) ? paths.ownerOf(at, base) : undefined
  }
}

/** A word of git's is a pattern in quotes too. */
function asItFinds(word: ShellWord, { program }: ShellCommand): ShellWord {
  const { value } = word
  if (program !== 'git' || value === undefined || !/[*?[]/.test(value)) return word
  return { ...word, pattern: true, value: value.replace(/^:(?:\([^)]*\)|[!^/]*:?)/, '') }
}

function meantBy(word: ShellWord, bases: readonly string[], paths: OwnPaths): OwnPath | undefined {
  const pattern = word.pattern ? (word.value ?? wildcardsIn(word)) : undefined
  if (pattern === undefined) return undefined
  return bases.map((base) => paths.meantBy(pattern, base)).find((owner) => owner !== undefined)
}

/** A pattern like `.?x` has no fixed value, because it might find `..` too. */
function wildcardsIn({ text }: ShellWord): string | undefined {
  const bare = text.replace(/["'\\]/g, '')
  return /[$`{}()<>]/.test(bare) ? undefined : bare
}

/** The path to the program, and the files that input and output are tied to, count like words. */
function wordsOf({ command, spelledOut }: CommandWithBases): ShellWord[] {
  const { path, words, redirections } = command
  const leftOut = excludedWords(command)
  const targets = redirections.map(({ target, text }) => asWord(target, target ?? text))
  return [
    ...(path === undefined ? [] : [asWord(path, path)]),
    ...words.filter((word) => !leftOut.has(word)),
    ...spelledOut(),
    ...targets,
  ]
}

export function asWord(value: string | undefined, text: string): ShellWord {
  return { value, text, pattern: false }
}

export function shortCommand({ text }: ShellCommand): string {
  return text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text
}
