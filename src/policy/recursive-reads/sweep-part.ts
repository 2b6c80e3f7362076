/** The folders that a call reads through, as the rules are asked about them. */
import { posix } from 'node:path'
import { processMeanings } from '../../core/process-meaning.ts'
import { commandsOf } from '../known-commands.ts'
import { joinFolder } from '../shell/folder.ts'
import type { ShellCommand } from '../shell/reading.ts'
import type { CommandPart, Part, Subject } from '../subject.ts'
import { someText } from '../texts-in.ts'
import { fileNamesOf, type Sweep, sweep } from './sweep.ts'
import { sweepOf, typesOf } from './sweeping-programs.ts'

export interface SweepPart {
  readonly kind: 'sweep'
  readonly text: string
  /** The command that reads; undefined for a tool that searches. */
  readonly command: CommandPart | undefined
  /** The part of the call that it is about. */
  readonly part: Part | undefined
  readonly sweep: Sweep
  /** Where its roots may be; absolute. Empty where nobody knows. */
  readonly folders: readonly string[]
  /** Only names are told, so that it counts only if the names of files are asked for. */
  readonly namesOnly: boolean
}

/** Most lines have none of these in them, and need not be looked at. */
const MAY_SWEEP = /grep|rg|ag|ack|find|fd|tar|cp|rsync|zip|7z|rar|diff|pt|sift|ug|[*?[]/

/** Asked for more than once for a call. */
const known = new WeakMap<Subject, SweepPart[]>()

export function sweepsIn(subject: Subject): SweepPart[] {
  const found = known.get(subject) ?? findSweeps(subject)
  known.set(subject, found)
  return found
}

function findSweeps(subject: Subject): SweepPart[] {
  const { entry } = subject
  if (entry?.kind === 'shell') return someText(subject.call.arguments, MAY_SWEEP) ? sweepsOfLine(subject) : []
  return entry?.kind === 'read' && entry.glob !== undefined ? sweepOfTool(subject) : []
}

const GIVES_WORDS = new Set(['xargs', 'gxargs', 'parallel', 'read', 'mapfile', 'readarray'])
const NAMES_ONLY = /^(?:echo|ls|printf|stat|basename|dirname|realpath|readlink|true|test|du|touch|rm|mkdir)$/

function sweepsOfLine(subject: Subject): SweepPart[] {
  const commands = commandsOf(subject)
  const feeds =
    commands.some(({ command }) => GIVES_WORDS.has(command.program ?? '')) && !givesNamesOnly(commands)
  return commands.flatMap((part): SweepPart[] => {
    const found = sweepOf(part.command, feeds)
    if (found === undefined) return []
    const folders = found.roots.flatMap((root) => foldersOf(subject, part.command, root))
    return [{ kind: 'sweep', text: part.text, command: part, part, sweep: found, folders, namesOnly: false }]
  })
}

/** `find … | xargs ls`. */
function givesNamesOnly(commands: readonly CommandPart[]): boolean {
  const given = commands.filter(({ command }) => command.through.some((one) => GIVES_WORDS.has(one)))
  return given.length > 0 && given.every(({ command }) => NAMES_ONLY.test(command.program ?? ''))
}

/** Where it is, links followed, and where the text says that it is. */
function foldersOf(subject: Subject, command: ShellCommand, root: string): string[] {
  const { call, facts } = subject
  const path = joinFolder(command.folder, root)
  if (path === undefined) return []
  const resolved =
    subject.resolved({ path, access: 'read', text: root }) ??
    (posix.normalize(path).replace(/\/$/, '') === '.' ? facts?.folder : undefined)
  return placesOf(path, resolved, call.cwd)
}

function placesOf(path: string, resolved: string | undefined, cwd: string | undefined): string[] {
  const places = new Set(resolved === undefined ? [] : [resolved])
  const meanings = processMeanings(path, cwd)
  for (const meaning of meanings) {
    if (meaning.kind === 'absolute') places.add(posix.normalize(meaning.path))
    if (meaning.kind === 'folder' && cwd !== undefined) places.add(posix.join(cwd, ...meaning.tail))
  }
  if (meanings.length === 0 && !path.startsWith('~') && !path.includes('\0')) {
    if (posix.isAbsolute(path)) places.add(posix.normalize(path))
    else if (cwd !== undefined && posix.isAbsolute(cwd)) places.add(posix.join(cwd, path))
  }
  return [...places]
}

function sweepOfTool(subject: Subject): SweepPart[] {
  const { call, entry, parts } = subject
  const [root] = parts
  if (entry?.glob === undefined || root?.kind !== 'path') return []
  const { glob, type, pattern } = call.arguments
  const isFinder = entry.glob === '/pattern'
  const namesOnly = isFinder || (call.tool === 'search_files' && pattern === undefined)
  const globs = String((isFinder ? pattern : glob) ?? '')
    .split(/\s+/)
    .filter((one) => one !== '')
  const includes = [
    ...fileNamesOf(globs.filter((one) => !one.startsWith('!'))),
    ...typesOf(typeof type === 'string' ? [type] : []),
  ]
  const folders = placesOf(root.text, root.resolved, call.cwd)
  // A pattern that starts elsewhere is searched from there.
  for (const part of parts.slice(1)) {
    if (part.kind === 'path' && part.text.startsWith('/'))
      folders.push(...placesOf(part.text, part.resolved, call.cwd))
  }
  const found = sweep([root.text], { includes })
  return [
    { kind: 'sweep', text: root.text, command: undefined, part: root, sweep: found, folders, namesOnly },
  ]
}
