/** The folders that a call reads through, as the rules are asked about them. */

import { posix } from 'node:path'
import { processMeanings } from '../../core/process/process-meaning.ts'
import { kept } from '../../core/support/kept.ts'
import { valuesAt } from '../matchers/pointer.ts'
import { joinFolder, NOWHERE } from '../shell/paths/folder.ts'
import type { ShellCommand, ShellReading } from '../shell/reading.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, CommandPart, SubjectPart } from '../subject/subject.ts'
import { someText } from '../subject/texts-in.ts'
import { commandHonoursIgnores, RIPGREP, toolHonoursIgnores } from './honours-ignores.ts'
import { fileNamesOf, MAX_GLOBS, type Sweep, sweep, withoutHidden } from './sweep.ts'
import { sweepOf, typesOf } from './sweeping-programs.ts'
import { folderOf } from './word-paths.ts'

export interface SweepPart {
  readonly kind: 'sweep'
  readonly text: string
  /** The command that reads; undefined for a tool that searches. */
  readonly command: CommandPart | undefined
  /** The part of the call that it is about. */
  readonly part: SubjectPart | undefined
  readonly sweep: Sweep
  /** Where its roots may be; absolute. Empty where nobody knows. */
  readonly folders: readonly string[]
  /** Only names are told, so that it counts only if the names of files are asked for. */
  readonly namesOnly: boolean
}

/** Most lines have none of these in them, and need not be looked at. */
const MAY_SWEEP =
  /grep|rg|ag|ack|find|fd|tar|cp|rsync|zip|7z|rar|diff|pt|sift|ug|pax|jar|pigz|xz|zstd|s3|rclone|gcloud|gsutil|[*?[\\]|:[/!^(]|\s:\s/

/** Asked for more than once for a call. */
export const sweepsIn = kept(findSweeps)

function findSweeps(subject: CallSubject): SweepPart[] {
  const { entry } = subject
  if (entry?.kind === 'shell') return someText(subject.call.arguments, MAY_SWEEP) ? sweepsOfLine(subject) : []
  return entry?.glob === undefined ? [] : sweepOfTool(subject)
}

const GIVES_WORDS = new Set(['xargs', 'gxargs', 'parallel', 'read', 'mapfile', 'readarray', 'cpio', 'pax'])
const NAMES_ONLY = /^(?:echo|ls|printf|stat|basename|dirname|realpath|readlink|true|test|du|touch|rm|mkdir)$/

function sweepsOfLine(subject: CallSubject): SweepPart[] {
  const commands = commandsOf(subject)
  const feeds =
    (commands.some(({ command }) => GIVES_WORDS.has(command.program ?? '')) && !givesNamesOnly(commands)) ||
    commands.some(({ command }) => isGivenNames(command)) ||
    (someText(subject.call.arguments, EACH_FOUND) && commands.some(({ command }) => opensNamed(command)))
  const showsHidden = commands.some(({ command }) => mayFindHidden(command))
  const folderBefore = assumedFolders(commands)
  return commands.flatMap((part): SweepPart[] => {
    const swept = sweepOf(part.command, feeds)
    if (swept === undefined) return []
    const visible = showsHidden || !findsVisible(part.command, swept) ? swept : withoutHidden(swept)
    const found = withIgnores(visible, part.command, subject.reading)
    const folders = found.roots.flatMap((root) => foldersOf(subject, folderBefore(part), root))
    return [{ kind: 'sweep', text: part.text, command: part, part, sweep: found, folders, namesOnly: false }]
  })
}

/** Which configuration of ripgrep's a line names may have it search anything. */
function withIgnores(found: Sweep, command: ShellCommand, reading: ShellReading | undefined): Sweep {
  if (command.program !== RIPGREP) return found
  const isConfigured = reading?.doubts.some(
    ({ kind, text }) => kind === 'assignment' && /ripgrep/i.test(text),
  )
  return {
    ...found,
    hidden: found.hidden || isConfigured === true,
    honoursIgnores: commandHonoursIgnores(command, reading),
  }
}

/** `cat $(find …)`. */
function isGivenNames({ program = '', words }: ShellCommand): boolean {
  if (NAMES_ONLY.test(program)) return false
  return words.some(
    ({ value, text }) => value === undefined && /(?:\$\(|`)\s*(?:g?find|fd|rg|ag)\b/.test(text),
  )
}

/** `for x in $(find …)`. */
const EACH_FOUND = /\bin\s+"?(?:\$\(|`)\s*(?:g?find|fd|rg|ag)\b/

/** Whether it opens files whose names are known only when the line runs: `do cat "$x"`. */
function opensNamed({ program = '', words }: ShellCommand): boolean {
  return !NAMES_ONLY.test(program) && words.some(({ value }) => value === undefined)
}

/** Whether a wildcard of the shell may find names that begin with a dot from here on. */
export function mayFindHidden({ words }: Pick<ShellCommand, 'words'>): boolean {
  return words.some(({ value, text }) => /dot_?glob|glob_?dots/i.test(value ?? text))
}

/** Whether all that it reads was found by wildcards that find no hidden names: `grep -r x *`. */
function findsVisible({ words }: ShellCommand, { roots }: Sweep): boolean {
  const isVisible = (value: string) => /^(?:[^*?[{]*\/)?(?!\.)[^/]+$/.test(value)
  const wild = words.flatMap(({ value, pattern }) => (pattern && value !== undefined ? [value] : []))
  const isOpen = words.some(({ value, pattern }) => pattern && value === undefined)
  if (wild.length === 0 || isOpen || !wild.every(isVisible)) return false
  const folders = new Set(wild.map(folderOf))
  const named = new Set(words.flatMap(({ value, pattern }) => (pattern ? [] : [value ?? '.'])))
  return roots.every((root) => folders.has(root) && !named.has(root))
}

/** `find … | xargs ls`. */
function givesNamesOnly(commands: readonly CommandPart[]): boolean {
  const given = commands.filter(({ command }) => command.through.some((one) => GIVES_WORDS.has(one)))
  return given.length > 0 && given.every(({ command }) => NAMES_ONLY.test(command.program ?? ''))
}

/**
 * The folder that each command runs in. Behind `cd x;` that is not certain, for it may fail: that it is x is what the
 * line is written for.
 */
export function assumedFolders(commands: readonly CommandPart[]): (part: CommandPart) => string {
  const folders = new Map<CommandPart, string>()
  let assumed = ''
  for (const part of commands) {
    const { program, words, folder } = part.command
    const at = folder ?? assumed
    folders.set(part, at)
    const to = words.find(({ value }) => value !== '--' && value !== '-P' && value !== '-L')?.value
    const isMove = program === 'cd' || program === 'pushd' || program === 'chdir'
    const moved = isMove && to !== undefined && to !== '-' ? joinFolder(at, to) : at
    assumed = moved === undefined || moved.length > LONGEST_FOLDER ? '' : moved
  }
  return (part) => folders.get(part) ?? ''
}

const LONGEST_FOLDER = 1024

/** Where it is, links followed, and where the text says that it is. */
function foldersOf(subject: CallSubject, folder: string, root: string): string[] {
  const { call, facts } = subject
  const path = joinFolder(folder, root)
  if (path === undefined) return []
  const resolved =
    subject.resolved({ path, access: 'read', text: root }) ??
    (posix.normalize(path).replace(/\/$/, '') === '.' ? facts?.folder : undefined)
  // A link to the folder of a process leads to one of these.
  const unsure = resolved === undefined ? (facts?.unsure ?? []) : []
  return [...placesOf(path, resolved, call.cwd), ...unsure]
}

function placesOf(path: string, resolved: string | undefined, cwd: string | undefined): string[] {
  const places = new Set(resolved === undefined ? [] : [resolved])
  const meanings = processMeanings(path, cwd)
  for (const meaning of meanings) {
    if (meaning.kind === 'absolute') places.add(posix.normalize(meaning.path))
    if (meaning.kind === 'folder' && cwd !== undefined) places.add(posix.join(cwd, ...meaning.tail))
    // The folder of a process holds ways to all that it has open.
    if (meaning.kind === 'other' || meaning.kind === 'descriptor') places.add('/')
  }
  if (meanings.length === 0 && !path.startsWith('~') && !path.includes('\0')) {
    if (posix.isAbsolute(path)) places.add(posix.normalize(path))
    else if (cwd !== undefined && posix.isAbsolute(cwd)) places.add(posix.join(cwd, path))
  }
  return [...places]
}

/** One pattern, with plain names before its first wildcard: `src/**`. */
const STARTS_IN = /^(?:\.\/)?[\w-][\w.-]*\/(?:[\w-][\w.-]*\/)*[^\s/]/

/** What starts from a longer one is unknown. */
const LONGEST_GLOB = 4096

function sweepOfTool(subject: CallSubject): SweepPart[] {
  const { call, entry, parts } = subject
  const [root] = parts
  if (entry?.glob === undefined || root?.kind !== 'path') return []
  const { type, pattern } = call.arguments
  const namesOnly = entry.tellsNames && (entry.glob === '/pattern' || pattern === undefined)
  const [given] = valuesAt(call.arguments, entry.glob)
  const globs = (typeof given?.value === 'string' ? given.value.slice(0, LONGEST_GLOB) : '')
    .trim()
    .split(/\s+|,(?![^{]*\})/, MAX_GLOBS + 1)
    .filter((one) => one !== '')
  const isOpen = parts.some((part) => part.kind === 'path' && part.text === NOWHERE)
  const includes =
    globs.length > MAX_GLOBS || (isOpen && !namesOnly)
      ? ['*']
      : [
          ...fileNamesOf(globs.filter((one) => !one.startsWith('!'))),
          // What others take for a type is not known.
          ...typesOf(typeof type === 'string' && entry.honoursIgnores ? [type] : []),
        ]
  // A pattern that names the folder it starts from is compared with paths from there.
  const start =
    parts.length === 2 && call.arguments.path == null && globs.length === 1 && STARTS_IN.test(globs[0]!)
      ? parts[1]
      : undefined
  const searched = start?.kind === 'path' ? start : root
  const folders = placesOf(searched.text, searched.resolved, call.cwd)
  // A pattern that starts elsewhere is searched from there.
  for (const part of parts.slice(1)) {
    if (part.kind === 'path' && part.text.startsWith('/'))
      folders.push(...placesOf(part.text, part.resolved, call.cwd))
  }
  if (isOpen) folders.push('/')
  const found = sweep([root.text], { includes, honoursIgnores: toolHonoursIgnores(subject) })
  return [
    { kind: 'sweep', text: root.text, command: undefined, part: root, sweep: found, folders, namesOnly },
  ]
}
