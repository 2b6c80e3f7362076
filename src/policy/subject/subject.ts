/**
 * A call as the rules see it. Its parts are what rules about commands, paths and hosts speak of: an allow must hold
 * for every part, a deny or an ask for one. They are worked out once, and only when a rule asks for them.
 */

import { type KnownTool, UNKNOWN_TOOL } from '../../core/known-tool.ts'
import { isProcessPath } from '../../core/process/process-path.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Facts } from '../../core/verdict.ts'
import { valuesAt } from '../matchers/pointer.ts'
import type { Reach } from '../network/reach.ts'
import { reachOf } from '../network/reach-of.ts'
import { settleReach } from '../network/settle-reach.ts'
import type { JudgedCall, Lookups } from '../policy.ts'
import { writesOf } from '../shell/options/option-effects.ts'
import { LINE_LIMITS } from '../shell/parse/line-limits.ts'
import { joinFolder } from '../shell/paths/folder.ts'
import { pathMentions } from '../shell/paths/path-mentions.ts'
import { pathspecMentions } from '../shell/paths/pathspecs.ts'
import { readShell, readWords } from '../shell/read/read-shell.ts'
import type { PathMention, ShellCommand, ShellReading } from '../shell/reading.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import type { CatalogueEntry } from '../tools/catalogue.ts'
import { type KnownArguments, type Strangeness, strangenessOf } from '../tools/known-arguments.ts'
import { patchedMentions, pathsOf } from './call-paths.ts'
import { type Guess, guessesFor } from './guesses.ts'
import { commandPlaceOf, isTexts } from './line-arguments.ts'
import { possibleCommands } from './possible-commands.ts'
import { shortenReading } from './shorten-reading.ts'
import { trustedFacts, trustedWord } from './trusted-facts.ts'

export type SubjectPart = CommandPart | PathPart | AddressPart

export interface CommandPart {
  readonly kind: 'command'
  readonly text: string
  readonly command: ShellCommand
  /** The files and folders that it names; the folder it runs in where it names none. */
  readonly mentions: readonly PathMention[]
  /** The hosts that it reaches, by its words and by what was looked up. */
  readonly reach: Reach
}

export interface PathPart {
  readonly kind: 'path'
  readonly text: string
  readonly access: PathMention['access']
  /** Undefined where nobody has looked: it is only the agent's word. */
  readonly resolved: string | undefined
}

export interface AddressPart {
  readonly kind: 'address'
  readonly text: string
}

export interface CallSubject {
  readonly call: JudgedCall
  readonly facts: Facts | undefined
  readonly entry: CatalogueEntry | undefined
  /** The shell line of the call; undefined where it is no shell's. */
  readonly reading: ShellReading | undefined
  readonly parts: readonly SubjectPart[]
  /** The groups of steering files that calls of the session may have written without a person. */
  readonly steered: ReadonlySet<string>
  /** An argument that the tool is not known to have: what the call does is not fully understood. */
  readonly strange: Strangeness | undefined
  /** What a tool that nobody listed may do by its arguments, as the tools that are known would: for denies and asks alone. */
  readonly guesses: readonly GuessedSubject[]
  /** What a command may run by its own words, of the programs that rules are about; undefined: too much to be looked at. */
  within(part: CommandPart, isNamed: (program: string) => boolean): readonly CommandPart[] | undefined
  /** Where a path in a command leads. */
  resolved(mention: PathMention): string | undefined
}

export interface GuessedSubject {
  readonly subject: CallSubject
  readonly sure: boolean
}

export interface SubjectContext {
  /** The tools that run shell lines. */
  readonly shells?: readonly string[] | undefined
  /** Of each command of a line that is too long to be judged whole, so many words. Absent: all. */
  readonly most?: number | undefined
  readonly steered?: ReadonlySet<string> | undefined
  /** The arguments that the tool is known to have, one entry a product. Absent: they are not checked. */
  readonly known?: readonly KnownArguments[] | undefined
}

export function createSubject(
  call: JudgedCall,
  given: Facts | undefined,
  entry: CatalogueEntry | undefined,
  { most, steered = NOT_STEERED, known, shells = [] }: SubjectContext = {},
): CallSubject {
  const facts = trustedFacts(call, given)
  let reading: ShellReading | undefined
  let parts: readonly SubjectPart[] | undefined
  let guesses: readonly GuessedSubject[] | undefined
  const isShell = entry?.kind === 'shell'
  return {
    call,
    facts,
    entry,
    steered,
    strange: strangenessOf(known, call.arguments),
    get reading() {
      if (isShell) reading ??= shortenReading(readingOf(call, entry), most)
      return reading
    },
    get parts() {
      parts ??= entry === undefined ? [] : partsOf(this, entry)
      return parts
    },
    get guesses() {
      guesses ??= guessed(call, entry, shells).flatMap(({ tools, entry: as, args, sure }) => {
        const seen = args === undefined ? call : { ...call, arguments: args }
        const first = createSubject(seen, given, as, { most, steered })
        const { reading: read, parts: its } = first
        return tools.map((tool) => ({
          subject: { ...first, call: { ...seen, tool }, reading: read, parts: its, guesses: [] },
          sure,
        }))
      })
      return guesses
    },
    within({ command }, isNamed) {
      const { commands, areMore } = possibleCommands(command, isNamed, readShell)
      return areMore ? undefined : commands.map((one) => commandPart(one, this))
    },
    resolved: (mention) => trustedWord(call, facts, mention.path),
  }
}

function guessed(
  call: JudgedCall,
  entry: CatalogueEntry | undefined,
  shells: readonly string[],
): readonly Guess[] {
  if (entry === undefined) return guessesFor(call.tool, call.arguments, shells)
  return entry.like === undefined
    ? []
    : [{ tools: [entry.like], entry: { ...entry, like: undefined }, sure: true }]
}

const NOT_STEERED: ReadonlySet<string> = new Set()

/** What must be looked up for the parts to be known. */
export function lookupsOf(
  subject: CallSubject,
  /** The arguments that rules want to be looked up, whatever tool it is. */
  pointers: readonly string[],
  /** Whether some rule speaks of the working folder. */
  usesFolder: boolean,
): Lookups {
  const { call, entry } = subject
  // Commands run in it, and what is relative in a path is meant from it.
  const lookups: Lookups = { paths: {}, words: [], folder: usesFolder || entry?.kind === 'shell' }
  for (const pointer of pointers) {
    const [found] = valuesAt(call.arguments, pointer)
    if (typeof found?.value === 'string') lookups.paths[pointer] = found.value
  }
  const words = new Set<string>()
  for (const one of [subject, ...subject.guesses.map((guess) => guess.subject)])
    addLookups(one, lookups, words)
  lookups.words = [...words]
  return lookups
}

function addLookups({ call, entry, reading }: CallSubject, lookups: Lookups, words: Set<string>): void {
  if (entry === undefined) return
  for (const { pointer, path } of pathsOf(call, entry)) lookups.paths[pointer] = path
  if (entry.kind === 'shell') lookups.folder = true
  if (reading !== undefined) {
    const line = lineTextOf(call, entry)
    for (const command of reading.commands) {
      for (const { path } of mentionsOf(command, line)) words.add(path)
      judgeProgram(command, (path) => {
        words.add(path)
        return 'yes'
      })
    }
  }
}

/** A tool says where its commands, paths and addresses are; whether a value there is one of them does not matter. */
export function knownToolOf(
  { arguments: args }: Pick<JudgedCall, 'arguments'>,
  entry: CatalogueEntry | undefined,
): KnownTool {
  if (entry === undefined) return UNKNOWN_TOOL
  return {
    isKnown: true,
    kind: entry.kind,
    command: commandPlaceOf(entry),
    // Every allowed call is asked for this, and hardly any has something to hide.
    get acting() {
      const { command, words, paths, glob, urls } = entry
      return [command, words, ...paths, glob, ...urls]
        .flatMap((pointer) => (pointer === undefined ? [] : valuesAt(args, pointer)))
        .map(({ pointer }) => pointer)
    },
  }
}

function readingOf(call: JudgedCall, entry: CatalogueEntry): ShellReading {
  const reading = lineOf(call, entry)
  return entry.paths.length === 0 ? reading : inFolderOf(call, entry, reading)
}

function lineOf(call: JudgedCall, entry: CatalogueEntry): ShellReading {
  const [line] = valuesAt(call.arguments, entry.command ?? '/command')
  const [more] = entry.words === undefined ? [] : valuesAt(call.arguments, entry.words)
  const words = more?.value
  if (typeof line?.value === 'string') {
    if (words === undefined) return remembered(line.value)
    if (isTexts(words)) return readWords([line.value, ...words])
  }
  if (isTexts(line?.value) && words === undefined) return readWords(line.value)
  const reason = reasonOf('part.textless')
  return { commands: [], doubts: [{ kind: 'unparsable', text: '', reason, start: 0, end: 0 }] }
}

/** A shell's path argument is the folder that it works in. Where it can't be told which, that of no command is known. */
function inFolderOf(call: JudgedCall, entry: CatalogueEntry, reading: ShellReading): ShellReading {
  const named = entry.paths.flatMap((pointer) => valuesAt(call.arguments, pointer))
  if (named.length === 0) return reading
  const [folder] = named
  const written = named.length === 1 && typeof folder?.value === 'string' ? folder.value : ''
  // It comes before every word that may be a path: a long one before many would be too much to look at.
  const words = reading.commands.reduce((sum, command) => sum + command.words.length + 1, 0)
  const base = written === '' || written.length * words > LINE_LIMITS.written ? undefined : written
  const placed = (path: string | undefined) => {
    if (path === undefined || base === undefined) return undefined
    return path === '' ? base : joinFolder(base, path)
  }
  return {
    ...reading,
    commands: reading.commands.map((command) => ({ ...command, folder: placed(command.folder) })),
  }
}

/** A line is read for what must be looked up, and again when it is judged: the last one is kept. */
let last: { line: string; reading: ShellReading } | undefined

function remembered(line: string): ShellReading {
  if (last?.line !== line) last = { line, reading: readShell(line) }
  return last.reading
}

function partsOf(subject: CallSubject, entry: CatalogueEntry): SubjectPart[] {
  const { call, facts } = subject
  const commands = (subject.reading?.commands ?? []).map((command) => commandPart(command, subject))
  const access = entry.kind === 'read' ? 'read' : entry.kind === 'edit' ? 'write' : 'unknown'
  const paths = pathsOf(call, entry).map(({ pointer, path }): PathPart => {
    const resolved = isProcessPath(path, call.cwd) ? undefined : own(facts?.paths, pointer)?.resolved
    return { kind: 'path', text: path, access, resolved }
  })
  const addresses = entry.urls
    .flatMap((pointer) => valuesAt(call.arguments, pointer))
    .map(({ value }): AddressPart => {
      return { kind: 'address', text: typeof value === 'string' ? value : JSON.stringify(value) }
    })
  return [...commands, ...paths, ...addresses]
}

function commandPart(command: ShellCommand, subject: CallSubject): CommandPart {
  let mentions: PathMention[] | undefined
  let reach: Reach | undefined
  return {
    kind: 'command',
    text: command.text,
    command,
    get mentions() {
      mentions ??= mentionsOf(command, lineTextOf(subject.call, subject.entry))
      return mentions
    },
    get reach() {
      reach ??= settleReach(reachOf(command), command.program, subject)
      return reach
    },
  }
}

function mentionsOf(command: ShellCommand, line: string): PathMention[] {
  const mentions = [
    ...pathMentions(command),
    ...pathspecMentions(command),
    ...patchedMentions(command, line),
    ...writtenByOptions(command),
  ]
  if (mentions.length > 0 || command.folder === undefined) return mentions
  return [{ path: command.folder === '' ? '.' : command.folder, access: 'read', text: '' }]
}

function lineTextOf(call: JudgedCall, entry: CatalogueEntry | undefined): string {
  const [line] = entry === undefined ? [] : valuesAt(call.arguments, entry.command ?? '/command')
  return typeof line?.value === 'string' ? line.value : ''
}

function writtenByOptions(command: ShellCommand): PathMention[] {
  return writesOf(command).flatMap(({ path }): PathMention[] => {
    const joined = path === undefined ? undefined : joinFolder(command.folder, path)
    return path === undefined || joined === undefined ? [] : [{ path: joined, access: 'write', text: path }]
  })
}

/** Facts are keyed by texts that the agent chose. */
function own<T>(facts: Record<string, T> | undefined, key: string): T | undefined {
  return facts !== undefined && Object.hasOwn(facts, key) ? facts[key] : undefined
}
