/**
 * What the profiles say of one command of a shell line. `reads` only where everything about it is known: the program,
 * its sub-command, each option and each value, and that every path leads into a root. `destroys` whatever else is in
 * doubt. `unknown` is everything between, which the lists, the rules and the mode decide.
 *
 * Where its input goes (redirections) is not judged here. Calling it with an `inside` that writes down what it is
 * asked gives the paths that must be looked up.
 */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { knownPrograms } from '../known-programs.ts'
import { isPlainlyKnown } from '../shell/commands/told-variables.ts'
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import { isRuledByFolder } from '../steering-files/steering-groups.ts'
import { spendSteps } from '../steps.ts'
import { findDestruction } from './destruction.ts'
import { entryFor } from './entry-for.ts'
import { whyNotFitting } from './fit-invocation.ts'
import type { Profile } from './profile.ts'
import { mayReveal } from './reveals.ts'
import { type Inside, type ProgramContext, whyNotOfKind } from './value-kinds.ts'

export interface ProgramJudgement {
  kind: 'reads' | 'destroys' | 'unknown'
  why: Reason
  /** It would only read, but for files that steer it: the groups of those. */
  steeredBy?: readonly string[]
}

/** Whether a folder is that of the line itself, or a root, written in another way: `cd /srv/project && git status`. */
export type IsOwnFolder = (folder: string) => boolean

export function judgeProgram(
  command: ShellCommand,
  inside: Inside,
  isOwnFolder: IsOwnFolder = () => false,
  /** Whether what it prints may go to a terminal. */
  atTerminal = true,
): ProgramJudgement {
  const { program } = command
  if (program === undefined) return unknown(reasonOf('program.late'))
  const profile = knownPrograms().get(program)
  return profile === undefined
    ? unknown(reasonOf('program.unknown', { program }))
    : judgeByProfile(command, profile, inside, isOwnFolder, atTerminal)
}

/** Whether none of its words is a file: `echo`, `printf`, `[ -n … ]`. Then it does not matter what they come to. */
export function opensNoFile(command: ShellCommand): boolean {
  const { folder } = command
  const isFolder = (path: string) => path === (folder === '' ? '.' : folder)
  return judgeProgram(command, (path) => (isFolder(path) ? 'yes' : 'no')).kind === 'reads'
}

/** The same for a profile that is given. */
export function judgeByProfile(
  command: ShellCommand,
  profile: Profile,
  inside: Inside,
  isOwnFolder: IsOwnFolder = () => false,
  atTerminal = true,
): ProgramJudgement {
  spendSteps(20 * command.words.length)
  const destruction = findDestruction(command, profile)
  if (destruction !== undefined) return { kind: 'destroys', why: { code: destruction.why } }
  const why =
    whyInDoubt(command, inside, isOwnFolder) ??
    whyNotReading(command.words, profile, { command, inside, atTerminal })
  return why === undefined
    ? { kind: 'reads', why: reasonOf('program.reads', { command: command.text }) }
    : unknown(mayReveal(command) ? reasonOf('program.reveals') : why)
}

function unknown(why: Reason): ProgramJudgement {
  return { kind: 'unknown', why }
}

/** These give their command words that nobody has seen. */
const ADDS_WORDS = ['xargs', 'gxargs', 'parallel']

/** These run their command once for each file that they find, in folders that nobody has named. */
const RUNS_FOR_EACH = ['find', 'gfind', 'fd', 'fdfind']

/** Options that name a project in another folder, as a `cd` would. (Cargo takes its settings from where it is started.) */
const PROJECT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['tsc', /^(?:-p|--project)(?:=(.*))?$/s],
  ['biome', /^--config-path(?:=(.*))?$/s],
  ['npm', /^(?:--prefix|-C)(?:=(.*))?$/s],
])

function namesFolder({ program, words }: ShellCommand, isOwnFolder: IsOwnFolder): boolean {
  const option = PROJECT_OPTIONS.get(program ?? '')
  if (option === undefined) return false
  return words.some(({ value = '' }, at) => {
    const found = option.exec(value)
    if (found === null) return false
    const path = found[1] ?? words[at + 1]?.value ?? ''
    const slash = path.replace(/^(?:\.\/)+/, '').lastIndexOf('/')
    return (
      path === '..' ||
      (slash !== -1 && !isOwnFolder(path.slice(0, path.lastIndexOf('/')))) ||
      isFolderName(path)
    )
  })
}

/** A project is named by its file (`tsconfig.build.json`) or by its folder. */
function isFolderName(path: string): boolean {
  return path !== '.' && path !== './' && path !== '' && !/\.\w+$/.test(path)
}

/** What is in the way whatever the words are. */
function whyInDoubt(command: ShellCommand, inside: Inside, isOwnFolder: IsOwnFolder): Reason | undefined {
  const doubt = command.doubts[0]
  if (doubt !== undefined) return doubt.reason
  const adding = command.through.find((wrapper) => ADDS_WORDS.includes(wrapper))
  if (adding !== undefined) return reasonOf('program.extended', { wrapper: adding })
  if (command.given?.every(isPlainlyKnown) === false) return reasonOf('program.input')
  if (command.folder === undefined) return reasonOf('program.folder-late')
  if (isRuledByFolder(command.program ?? '')) {
    const isOwn = command.folder === '' || isOwnFolder(command.folder)
    const forEach = command.through.some((wrapper) => RUNS_FOR_EACH.includes(wrapper))
    if (!isOwn || forEach || namesFolder(command, isOwnFolder))
      return reasonOf('program.folder-rules', { program: command.program ?? '' })
  }
  const holds = inside(command.folder === '' ? '.' : command.folder)
  return holds === 'yes' ? undefined : reasonOf('program.folder-outside')
}

function whyNotReading(
  words: readonly ShellWord[],
  profile: Profile,
  judged: ProgramContext,
): Reason | undefined {
  if (asksForHelp(words, profile)) return undefined
  const at = subCommandAt(words, profile, judged)
  const name = words[at]
  if (name?.value !== undefined && !name.pattern) {
    const invocation = entryFor(profile.commands, name.value)
    if (invocation !== undefined) return whyNotFitting(words.slice(at + 1), invocation, profile, judged)
  }
  if (profile.reads !== undefined) return whyNotFitting(words, profile.reads, profile, judged)
  return reasonOf('program.not-read-only', { word: judged.command.text })
}

function asksForHelp(words: readonly ShellWord[], profile: Profile): boolean {
  const values = words.map((word) => (word.pattern ? undefined : word.value))
  const option = values.pop()
  if (option === undefined || profile.help?.includes(option) !== true) return false
  if (!values.every((value) => value !== undefined && /^[a-z][a-z-]*$/.test(value))) return false
  const [first] = values
  return values.length === 1 || (values.length === 2 && isGroup(profile, first))
}

function isGroup(profile: Profile, name: string | undefined): boolean {
  const invocation = name === undefined ? undefined : entryFor(profile.commands, name)
  return [invocation ?? []].flat().some((one) => one.commands !== undefined)
}

/** Where the sub-command stands: after the options that may stand before it. -1 where another one does. */
function subCommandAt(words: readonly ShellWord[], profile: Profile, judged: ProgramContext): number {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (word?.value === undefined || word.pattern) return -1
    if (!word.value.startsWith('-')) return at
    const equals = word.value.startsWith('--') ? word.value.indexOf('=') : -1
    const kind = entryFor(profile.before, equals === -1 ? word.value : word.value.slice(0, equals))
    if (kind === undefined) return -1
    if (kind === 'flag' || kind === 'command' || (kind === 'optional' && equals === -1)) {
      if (equals !== -1) return -1
      continue
    }
    if (kind === 'optional') continue
    const holder = equals === -1 ? words[++at] : word
    const value = equals === -1 ? holder?.value : word.value.slice(equals + 1)
    if (holder === undefined || value === undefined || holder.pattern) return -1
    if (whyNotOfKind(kind, value, holder, judged) !== undefined) return -1
  }
  return -1
}
