/** Finds the paths through a process in a call, and denies those that might be ours. See `own-process.ts`. */
import { posix } from 'node:path'
import { isProcessPath } from '../../core/process-path.ts'
import type { DenyVerdict } from '../../core/verdict.ts'
import { commandsOf } from '../known-commands.ts'
import { joinFolder } from '../shell/folder.ts'
import { judgeProgram, opensNoFile } from '../starter/judge-program.ts'
import type { CommandPart, Subject } from '../subject.ts'
import { argumentKind } from './argument-kind.ts'
import type { House } from './own-command.ts'
import { denial } from './own-denial.ts'
import { ownThroughProcess, withWildcards } from './own-process.ts'

export function lookAtProcesses(subject: Subject, { paths }: House): DenyVerdict | undefined {
  const { call, facts, entry } = subject
  const reading = entry?.kind === 'read'
  for (const place of facts?.unsure ?? []) {
    const owner = paths.ownerOf(place, '/')
    if (owner !== undefined && !(reading && owner.readable))
      return denial('own files', `a path in the call may lead to ${owner.given}`)
  }
  const folders = [call.cwd, facts?.folder].filter((one) => one !== undefined && !isProcessPath(one))
  const bases = [...new Set(folders as string[])]
  const isCommand = entry?.kind === 'shell'
  if (call.cwd !== undefined) {
    const owned = ownThroughProcess(call.cwd, undefined, { bases, isCommand, reading: false }, paths)
    if (owned !== undefined) return denial('own files', `the working folder may be in ${owned}`)
  }
  for (const path of pathsOf(subject)) {
    const owned = ownThroughProcess(path, call.cwd, { bases, isCommand, reading }, paths)
    if (owned !== undefined)
      return denial('own files', `${JSON.stringify(path).slice(0, 100)} may be ${owned}`)
  }
  return undefined
}

function pathsOf(subject: Subject): string[] {
  const { call, entry } = subject
  if (entry?.kind === 'shell') {
    // Most lines have nothing of this in them, and need not be read.
    return mayGoThere(call.arguments)
      ? commandsOf(subject).flatMap((part) => pathsOfCommand(subject, part))
      : []
  }
  const known = entry?.kind === 'read' || entry?.kind === 'edit'
  const found = new Set<string>()
  if (known) for (const part of subject.parts) if (part.kind === 'path') found.add(part.text)
  if (!known) collect(call.arguments, '', call.tool, found)
  return [...found]
}

const GOES_THERE = /proc|dev|\.vol|[*?[{]/i

function mayGoThere(value: unknown): boolean {
  if (typeof value === 'string') return GOES_THERE.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(mayGoThere)
}

/** What the words of a command may open. Of a program that is known to only read it is known which words that are. */
function pathsOfCommand({ call }: Subject, part: CommandPart): string[] {
  const { command } = part
  const { words, folder, redirections } = command
  const at = (path: string) => joinFolder(folder, path) ?? path
  const found = [
    ...redirections.map(({ target, text }) =>
      at(target ?? withWildcards(text.replace(/^[^<>]*[<>&|]+\s*/, ''))),
    ),
  ]
  if (folder !== undefined && folder !== '') found.push(folder)
  if (opensNoFile(command)) return found
  const looked: string[] = []
  const { kind } = judgeProgram(command, (path) => {
    looked.push(path)
    return 'yes'
  })
  found.push(...(kind === 'reads' ? looked : part.mentions.map(({ path }) => path)))
  for (const { value, text, pattern } of words) {
    if (value !== undefined && !pattern) continue
    const open = value ?? withWildcards(text)
    // `--file=$X/y`, and what follows the letters of options.
    for (const piece of new Set([
      open,
      open.slice(open.indexOf('=') + 1),
      open.slice(Math.max(0, open.indexOf('/'))),
    ]))
      if (piece !== '') found.push(at(piece))
  }
  return found.filter((path) =>
    isProcessPath(path, call.cwd && posix.isAbsolute(call.cwd) ? call.cwd : '/x/x'),
  )
}

const MAX_TEXTS = 10_000

/** Of a tool that nothing is known of, every text may be a path, and the words of a command too. */
function collect(value: unknown, key: string, tool: string, found: Set<string>): void {
  if (found.size > MAX_TEXTS) return
  if (typeof value === 'string') {
    if (!GOES_THERE.test(value)) return
    const text = value.trim()
    if (!/\s/.test(text)) found.add(text)
    else if (argumentKind(tool, key) === 'command')
      for (const [word] of text.matchAll(/[^\s"'`;|&<>()=,:]+/g)) if (word.startsWith('/')) found.add(word)
  } else if (Array.isArray(value)) for (const one of value) collect(one, key, tool, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) collect(one, name, tool, found)
}
