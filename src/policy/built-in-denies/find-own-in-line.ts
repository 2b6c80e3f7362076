/**
 * Looks at a shell line by what it comes to: the commands in it, through wrappers, quotes and `cd`, where their words
 * lead when links are followed, and what they take along without naming it. What is named is denied unless the line is
 * excused (`only-mentions-own.ts`); what is taken along always is.
 */

import { posix } from 'node:path'
import { processMeanings } from '../../core/process/process-meaning.ts'
import { isProcessPath } from '../../core/process/process-path.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { foldCase } from '../matchers/spellings.ts'
import { type ImplicitChange, implicitChangesOf } from '../shell/effects/implicit-changes.ts'
import { joinFolder } from '../shell/paths/folder.ts'
import { pathMentions } from '../shell/paths/path-mentions.ts'
import { spelledOut } from '../shell/paths/pathspecs.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import {
  type CommandWithBases,
  namedByCommand,
  namedByWildcards,
  type OwnMatchers,
  type OwnMention,
  type ShellLineContext,
  shortCommand,
} from './find-own-in-command.ts'
import { onlyMentionsOwn } from './only-mentions-own.ts'
import type { OwnPath } from './own-path.ts'
import type { OwnPaths } from './own-paths.ts'

export interface LineSearch {
  /** Whether whatever of ours the line names is only read, or only spoken of. */
  excused(): boolean
  find(): OwnMention | undefined
}

export function createLineSearch(line: ShellLineContext, own: OwnMatchers): LineSearch {
  const placed = placeCommands(line)
  let known: boolean | undefined
  const excused = () => {
    known ??= onlyMentionsOwn(placed, line, own)
    return known
  }
  return {
    excused,
    find() {
      for (const one of placed) {
        // An excuse is for the line as a whole.
        const named = known === true ? undefined : nameIn(one, line, own)
        if (named !== undefined && !excused()) return named
        const taken = takenBy(one, line, own.paths)
        if (taken !== undefined) return taken
      }
      return undefined
    },
  }
}

/** Behind `cd x;` the folder is not certain. That it is x is what the line is written for. */
function placeCommands(line: ShellLineContext): CommandWithBases[] {
  let assumed = line.bases
  let changing: ShellCommand[] | undefined
  const isSettled = (command: ShellCommand) => {
    changing ??= line.reading.commands.filter(mayChange)
    return changing.every((one) => one === command)
  }
  return line.reading.commands.map((command) => {
    const { folder } = command
    const bases = folder === undefined ? assumed : moved(line.bases, folder, line.resolved(folder))
    assumed = isMove(command) ? afterMove(command, bases, line) : bases
    return {
      command,
      bases,
      isSettled: () => isSettled(command),
      mentions: mentionsOf(command),
      spelledOut: () => spelledOut(command),
    }
  })
}

function mentionsOf(command: ShellCommand): CommandWithBases['mentions'] {
  let mentions: ReturnType<CommandWithBases['mentions']> | undefined
  return () => {
    mentions ??= Map.groupBy(pathMentions(command), ({ text }) => text)
    return mentions
  }
}

function mayChange(command: ShellCommand): boolean {
  return !command.transparent && judgeProgram(command, () => 'yes').kind !== 'reads'
}

function isMove({ program }: ShellCommand): boolean {
  return program === 'cd' || program === 'pushd'
}

function afterMove(
  { words, folder }: ShellCommand,
  bases: readonly string[],
  line: ShellLineContext,
): readonly string[] {
  const [word] = words.filter(({ value }) => value !== '--')
  if (word?.value === undefined || word.pattern) return []
  const path = joinFolder(folder, word.value)
  const real = path === undefined ? undefined : line.resolved(path)
  // A link to the folder of a process, as `cd x` follows it, may lead anywhere.
  if (path !== undefined && real === undefined && line.isLookedUp) return []
  return moved(bases, word.value, real)
}

/** Longer than any that is meant: a chain of `cd` must not cost its length squared. */
const LONGEST_FOLDER = 1024

function moved(bases: readonly string[], folder: string, real: string | undefined): readonly string[] {
  if (folder === '') return bases
  // Which folder that is, only the process knows: relative paths may then be meant in any.
  if (isProcessPath(folder, bases[0])) return []
  const there = posix.isAbsolute(folder) ? [folder] : bases.map((base) => posix.join(base, folder))
  if (real !== undefined && !there.includes(real)) there.push(real)
  return there.filter((path) => path.length <= LONGEST_FOLDER)
}

/** Most commands have nothing in them that could be ours. */
function nameIn(placed: CommandWithBases, line: ShellLineContext, own: OwnMatchers): OwnMention | undefined {
  const { text, path, redirections } = placed.command
  const { trigger } = own
  const texts = [text, path ?? '', ...redirections.map(({ target }) => target ?? '')]
  const mayName =
    texts.some((one) => trigger.test(foldCase(one)) || /[\\%]/.test(one)) ||
    pathMentions(placed.command).some((mention) => trigger.test(foldCase(line.resolved(mention.path) ?? '')))
  if (mayName) return namedByCommand(placed, line, own, false)
  return /[*?[]/.test(text) ? namedByWildcards(placed, own) : undefined
}

function takenBy(
  { command, bases }: CommandWithBases,
  line: ShellLineContext,
  paths: OwnPaths,
): OwnMention | undefined {
  for (const reach of implicitChangesOf(command)) {
    for (const [path, base] of placesOf(reach, command, bases, line, paths)) {
      const owner = ownerIn(reach, path, base, paths)
      if (owner === undefined) continue
      if (reach.kind === 'lands')
        return {
          rule: 'own files',
          why: reasonOf('own.command-writes', { command: shortCommand(command), path: owner.given }),
        }
      return {
        rule: 'own files inside',
        why: reasonOf('own.command-reaches', { command: shortCommand(command), path: owner.given }),
      }
    }
  }
  return undefined
}

function placesOf(
  { path, pattern, kind }: ImplicitChange,
  { folder }: ShellCommand,
  bases: readonly string[],
  line: ShellLineContext,
  paths: OwnPaths,
): [path: string, base: string][] {
  const look = (written: string) => {
    const joined = pattern ? undefined : joinFolder(folder, written)
    return joined === undefined ? undefined : line.resolved(joined)
  }
  const into = kind === 'lands' ? look(posix.dirname(path)) : undefined
  const real = look(path) ?? (into === undefined ? undefined : posix.join(into, posix.basename(path)))
  if (/^~(?:\/|$)/.test(path))
    return real === undefined ? paths.homes.map((home) => [home + path.slice(1), '/']) : [[real, '/']]
  const written = posix.isAbsolute(path) ? ['/'] : bases
  const places = written.map((base): [string, string] => [path, base])
  if (real !== undefined) return [...places, [real, '/']]
  for (const meaning of processMeanings(joinFolder(folder, path) ?? path, bases[0])) {
    if (meaning.kind === 'absolute') places.push([meaning.path, '/'])
    if (meaning.kind === 'folder')
      places.push(...bases.map((base): [string, string] => [meaning.tail.join('/'), base]))
  }
  return pattern ? places : [...places, ...line.unsure.map((place): [string, string] => [place, '/'])]
}

function ownerIn(reach: ImplicitChange, path: string, base: string, paths: OwnPaths): OwnPath | undefined {
  const { deep } = reach
  if (reach.kind === 'takes') {
    if (reach.pattern) return paths.takenBy(path, base, deep)
    const counts = (own: OwnPath) => reach.spares?.(foundAt(own, path, base, reach.path)) !== true
    return deep ? paths.below(path, base, counts) : undefined
  }
  if (reach.pattern) return paths.meantBy(path, base)
  return paths.ownerOf(path, base) ?? (deep ? paths.below(path, base) : undefined)
}

/** Under which path `find` comes upon it. */
function foundAt(owner: OwnPath, path: string, base: string, written: string): string {
  const depth = posix
    .resolve(base, path)
    .split('/')
    .filter((name) => name !== '').length
  return [written.toLowerCase().replace(/(?<!\/)\/+$/, ''), ...owner.names.slice(depth)].join('/')
}
