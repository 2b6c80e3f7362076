/** Finds the paths through a process in a call, and denies those that might be ours. See `own-through-process.ts`. */

import { posix } from 'node:path'
import { isProcessPath } from '../../core/process/process-path.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { DenyVerdict } from '../../core/verdict.ts'
import { joinFolder } from '../shell/paths/folder.ts'
import { judgeProgram, opensNoFile } from '../starter/judge-program.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, CommandPart } from '../subject/subject.ts'
import { someText, textsIn } from '../subject/texts-in.ts'
import { argumentUse } from './argument-use.ts'
import type { OwnMatchers } from './find-own-in-command.ts'
import { ownDenial } from './own-denial.ts'
import { ownThroughProcess, withWildcards } from './own-through-process.ts'

export function denyProcessPaths(subject: CallSubject, { paths }: OwnMatchers): DenyVerdict | undefined {
  const { call, facts, entry } = subject
  const reading = entry?.kind === 'read'
  for (const place of facts?.unsure ?? []) {
    const owner = paths.ownerOf(place, '/')
    if (owner !== undefined && !(reading && owner.readable))
      return ownDenial('own files', reasonOf('own.path-may-lead', { path: owner.given }))
  }
  const folders = [call.cwd, facts?.folder].filter((one) => one !== undefined && !isProcessPath(one))
  const bases = [...new Set(folders as string[])]
  const isCommand = entry?.kind === 'shell'
  if (call.cwd !== undefined) {
    const owned = ownThroughProcess(call.cwd, undefined, { bases, isCommand, reading: false }, paths)
    if (owned !== undefined) return ownDenial('own files', reasonOf('own.may-be-folder', { place: owned }))
  }
  for (const path of pathsOf(subject)) {
    const owned = ownThroughProcess(path, call.cwd, { bases, isCommand, reading }, paths)
    if (owned !== undefined)
      return ownDenial('own files', reasonOf('own.path-may-be', { word: path.slice(0, 100), place: owned }))
  }
  return undefined
}

function pathsOf(subject: CallSubject): string[] {
  const { call, entry } = subject
  if (entry?.kind === 'shell') {
    // Most lines have nothing of this in them, and need not be read.
    return someText([call.arguments, call.cwd], GOES_THERE)
      ? commandsOf(subject).flatMap((part) => pathsOfCommand(subject, part))
      : []
  }
  const known = entry?.kind === 'read' || entry?.kind === 'edit'
  if (!known) return pathsInTexts(subject)
  return subject.parts.flatMap((part) => (part.kind === 'path' ? [part.text] : []))
}

const GOES_THERE = /proc|dev|\.vol|[*?[{]/i

/** What the words of a command may open. Of a program that is known to only read it is known which words that are. */
function pathsOfCommand({ call }: CallSubject, part: CommandPart): string[] {
  const { command } = part
  const { words, folder, redirections } = command
  const texts = [command.text, folder ?? '', call.cwd ?? '', ...redirections.map(({ text }) => text)]
  if (!texts.some((text) => GOES_THERE.test(text))) return []
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
    found.push(at(open))
    // `--file=$X/y`, and what follows the letters of options.
    if (open.startsWith('-'))
      found.push(open.slice(Math.max(0, open.indexOf('=') + 1)), open.slice(Math.max(0, open.indexOf('/'))))
  }
  const base = call.cwd !== undefined && posix.isAbsolute(call.cwd) ? call.cwd : '/x/x'
  return found.filter((path) => !SAYS_NOTHING.test(path) && isProcessPath(path, base))
}

/** `/*\/*\/x` may go through a process, as it may go anywhere. */
const SAYS_NOTHING = /^\/+[*?]+\/+[*?]+(?:\/|$)/

/** Of a tool that nothing is known of, every text may be a path, and the words of a command too. */
function pathsInTexts({ call }: CallSubject): string[] {
  const found = new Set<string>()
  for (const { key, text } of textsIn(call.arguments)) {
    if (!GOES_THERE.test(text)) continue
    if (!/\s/.test(text.trim())) found.add(text.trim())
    else if (argumentUse(call.tool, key) === 'command')
      for (const [word] of text.matchAll(/[^\s"'`;|&<>()=,:]+/g)) if (word.startsWith('/')) found.add(word)
  }
  return [...found]
}
