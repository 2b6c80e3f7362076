/** Which files that steer programs a call would write, as far as it names them, and whether it may write others. */

import { posix } from 'node:path'
import { kept } from '../../core/support/kept.ts'
import { valuesAt } from '../matchers/pointer.ts'
import { writeOutBraces } from '../matchers/spellings.ts'
import { namesMeet, wildcardMeets } from '../matchers/wildcard-meets.ts'
import { type SweepPart, sweepsIn } from '../recursive-reads/sweep-part.ts'
import { joinFolder } from '../shell/paths/folder.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import { findSteering, type Steering } from '../steering-files/find-steering.ts'
import type { SteeringGroup } from '../steering-files/steering-group.ts'
import { EVERY_GROUP, STEERING_GROUPS } from '../steering-files/steering-groups.ts'
import type { CallSubject, CommandPart, SubjectPart } from '../subject/subject.ts'
import { isRefilled, onlyRemoves } from './removed-folders.ts'
import { type WriteReach, writeReachOf } from './writing-programs.ts'
import { derivedPaths, isNoFile, mayReachMore } from './written-words.ts'

export interface SteeringWrites {
  /** The files that the call names. */
  readonly named: readonly NamedWrite[]
  /** Words with wildcards that may come to such a file, unless they begin with one, as `*.ts` does. */
  readonly possible: readonly PossibleWrite[]
  /** The groups of which it may write others. */
  readonly unnamed: readonly string[]
}

export interface PossibleWrite {
  readonly part: SubjectPart
  readonly group: SteeringGroup
  readonly word: string
}

export interface NamedWrite {
  readonly part: SubjectPart
  readonly steering: Steering
  /** A redirection writes it, and not the command itself. */
  readonly redirected: boolean
  readonly path: string
  readonly resolved: string | undefined
}

const NOTHING: SteeringWrites = { named: [], possible: [], unnamed: [] }

/** Asked for more than once for a call. */
export const steeringWrites = kept(findWrites)

function findWrites(subject: CallSubject, roots: readonly string[]): SteeringWrites {
  const { entry, parts } = subject
  if (entry === undefined || entry.kind === 'read' || entry.kind === 'network') return NOTHING
  const isWild = parts.reduce((count, part) => count + wildWordsOf(part).length, 0) > MAX_WILD
  const found = parts.map((part) => {
    if (part.kind === 'command') return ofCommand(subject, part, roots, isWild)
    if (part.kind !== 'path' || part.access === 'read') return NOTHING
    const named = namedAt(part, part.text, part.resolved, roots)
    return { named, possible: [], unnamed: part.resolved === undefined ? EVERY_GROUP : [] }
  })
  if (entry.kind !== 'shell') found.push(ofPattern(subject, sweepsIn(subject)))
  // A line that could not be read into commands may hold any.
  const isUnread =
    entry.kind === 'shell' && (parts.length === 0 || subject.reading?.doubts.some(isUnreadable))
  const isAnything = isUnread === true || found.some(({ unnamed }) => unnamed.length === EVERY_GROUP.length)
  return {
    named: found.flatMap(({ named }) => named),
    possible: found.flatMap(({ possible }) => possible),
    unnamed: isAnything ? EVERY_GROUP : [...new Set(found.flatMap(({ unnamed }) => unnamed))],
  }
}

function isUnreadable({ kind }: { kind: string }): boolean {
  return kind === 'unparsable' || kind === 'unknown program' || kind === 'unknown wrapper'
}

function namedAt(
  part: SubjectPart,
  path: string,
  resolved: string | undefined,
  roots: readonly string[],
  { redirected = false, removes = false } = {},
): NamedWrite[] {
  const found = new Map<string, Steering>()
  // As it is written and as it leads: a link by the name of such a file is one, and so is what a link leads to.
  for (const each of [posix.normalize(path), resolved]) {
    if (each === undefined) continue
    for (const steering of findSteering(each, roots))
      if (!removes || !isRefilled(each, steering)) found.set(steering.group.name, steering)
  }
  return [...found.values()].map((steering) => ({ part, steering, redirected, path, resolved }))
}

/** An edit of all that a pattern finds, unless it asks for an ending, as `*.ts` does. */
function ofPattern({ call, entry }: CallSubject, [found]: readonly SweepPart[]): SteeringWrites {
  if (found?.part === undefined) return NOTHING
  const { part } = found
  const includes = found.sweep.includes.length === 0 ? ['*'] : found.sweep.includes
  const written = valuesAt(call.arguments, entry?.glob ?? '').map(({ value }) => String(value).toLowerCase())
  const all = new Set(written.flatMap((glob) => writeOutBraces(glob).split(' ')).filter((one) => one !== ''))
  // More than anybody writes may be any.
  const globs = all.size > MAX_WILD ? ['**'] : [...all]
  const named = new Set(globs.flatMap((glob) => findSteering(glob).map(({ group }) => group)))
  const isAny = (name: string) => /^\*+$/.test(name)
  const meets = (word: string, name: string) =>
    isAny(word) || (!isAny(name) && namesMeet(word.toLowerCase(), name))
  const met = STEERING_GROUPS.filter(
    (group) =>
      named.has(group) ||
      patternsOf(group).some(
        (file) =>
          globs.some((glob) => wildcardMeets(glob, file)) ||
          includes.some((word) => meets(word, posix.basename(file))),
      ),
  )
  const group = met.find(({ everyday }) => everyday !== true)
  const word = includes.find((one) => !/^[*?]+\.[\w-]+$/.test(one))
  return {
    named: [],
    possible: group === undefined || word === undefined ? [] : [{ part, group, word }],
    unnamed: met.map(({ name }) => name),
  }
}

function ofCommand(
  subject: CallSubject,
  part: CommandPart,
  roots: readonly string[],
  isWild: boolean,
): SteeringWrites {
  const { command } = part
  const named: NamedWrite[] = []
  const unnamed = new Set<string>()
  for (const { kind, target } of command.redirections) {
    if (kind !== 'write') continue
    const mention = part.mentions.find((one) => one.access === 'write' && one.text === target)
    const resolved = mention && subject.resolved(mention)
    if (mention !== undefined)
      named.push(...namedAt(part, mention.path, resolved, roots, { redirected: true }))
    if (resolved === undefined) for (const group of EVERY_GROUP) unnamed.add(group)
  }
  if (command.transparent || judgeProgram(command, () => 'yes').kind === 'reads')
    return { named, possible: [], unnamed: [...unnamed] }
  const reach = writeReachOf(command)
  const removes = onlyRemoves(command)
  for (const mention of part.mentions) {
    const isPatched = /^apply_?patch$/.test(command.program ?? '') && mention.access === 'write'
    if (!isPatched && (mention.access !== 'unknown' || mention.text === command.path)) continue
    if (!isPatched && isNoFile(command, mention.text, reach)) continue
    const found = namedAt(part, mention.path, subject.resolved(mention), roots, { removes })
    named.push(...(command.program === 'mkdir' ? found.filter(isFolderOfIts) : found))
  }
  for (const path of derivedPaths(command)) {
    const landing = joinFolder(command.folder, path)
    if (landing !== undefined) named.push(...namedAt(part, landing, undefined, roots))
  }
  for (const group of reach === 'anything' || mayReachMore(command, reach) ? EVERY_GROUP : groupsOf(reach))
    unnamed.add(group)
  const met = reach === 'named' ? metBy(part, isWild) : []
  for (const { group } of met) unnamed.add(group.name)
  const possible = met.filter(({ word, group }) => !/(?:^|\/)\*[^/]*$/.test(word) && group.everyday !== true)
  return { named: once(named), possible, unnamed: [...unnamed] }
}

/** A folder that is named like a file of a bare repository is none, but for the two that git looks for. */
function isFolderOfIts({ steering, path }: NamedWrite): boolean {
  return (
    steering.group.name !== 'bare git repository' || /^(?:objects|refs)(?:\/|$)/i.test(posix.normalize(path))
  )
}

function groupsOf(reach: WriteReach): readonly string[] {
  return typeof reach === 'object' ? reach.groups : []
}

/** More than anybody writes in a line. With more of them each is taken to come to any file: looking would take too long. */
const MAX_WILD = 64

function wildWordsOf(part: SubjectPart): string[] {
  if (part.kind !== 'command') return []
  return part.command.words.flatMap(({ value, pattern, text }) =>
    pattern ? [value ?? text.replace(/["'\\]/g, '')] : [],
  )
}

/** The groups of which a word with wildcards may come to a file, each with one such word. */
function metBy(part: CommandPart, isWild: boolean): PossibleWrite[] {
  // What only takes away, or makes folders, puts nothing into a file.
  if (/^(?:rm|rmdir|unlink|mkdir|chmod|chown|chgrp)$/.test(part.command.program ?? '')) return []
  const wild = wildWordsOf(part)
  if (wild.length === 0) return []
  return STEERING_GROUPS.flatMap((group) => {
    const word = isWild
      ? wild[0]
      : wild.find((one) => patternsOf(group).some((file) => wildcardMeets(one.toLowerCase(), file)))
    return word === undefined ? [] : [{ part, group, word }]
  })
}

const patternsOf = kept(({ files }: SteeringGroup): string[] =>
  files
    .filter((file) => !/<plain>|~|^\*/.test(file))
    .map((file) => `**/${file.replace(/^\^\//, '').toLowerCase()}`),
)

function once(writes: readonly NamedWrite[]): NamedWrite[] {
  const keyOf = ({ steering, redirected, path }: NamedWrite) => `${steering.group.name} ${redirected} ${path}`
  return [...new Map(writes.map((write) => [keyOf(write), write])).values()]
}
