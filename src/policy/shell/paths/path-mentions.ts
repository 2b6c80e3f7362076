/**
 * The files and folders that a command names. What a word means to a program is not known here, so every word that
 * could be a path is given, and so is every part of one that could: `--output=x`, `-Ix`, `@x`, `of=x`, `host:x`,
 * `file:///x`. Many of them are no paths at all.
 *
 * A word whose value is not known gives none, and neither does a relative path where the folder of the command is not
 * known: whoever has to be certain looks at `words` and at `folder` too.
 */

import { spendSteps } from '../../steps.ts'
import { isHomePath } from '../commands/normal-form.ts'
import { excludedWords } from '../options/command-line.ts'
import type { PathMention, ShellCommand, ShellWord } from '../reading.ts'
import { joinFolder } from './folder.ts'

/** No system takes a longer path. */
const LONGEST_PATH = 4096

export function pathMentions(command: ShellCommand): PathMention[] {
  const found = new Map<string, PathMention>()
  if (command.path !== undefined) add(command.path, 'unknown', command.path)
  const leftOut = excludedWords(command)
  for (const word of command.words) {
    if (leftOut.has(word)) continue
    const paths = pathsOf(word)
    spendSteps(1 + paths.length)
    for (const path of paths) add(path, 'unknown', word.text)
  }
  for (const { kind, target } of command.redirections) {
    if (target !== undefined) add(target, kind, target)
  }
  return [...found.values()]

  function add(written: string, access: PathMention['access'], text: string): void {
    const path = joinFolder(command.folder, written)
    if (path === undefined || path.length > LONGEST_PATH || path.includes('\0')) return
    const key = `${access} ${path}`
    if (!found.has(key)) found.set(key, { path, access, text })
  }
}

function pathsOf(word: ShellWord): string[] {
  const { value } = word
  if (value === undefined || value === '' || value === '-' || value === '--') return []
  if (word.pattern) return candidates(value).map(folderOf)
  const paths = candidates(value)
  // A `~` in quotes is a name to the shell, but some programs take it for the home folder all the same.
  return value.startsWith('~') && !isHomePath(word) ? [`./${value}`, ...paths] : paths
}

function candidates(value: string): string[] {
  const hidden = processPathIn(value)
  // Behind letters of options, or in a script: `-xf/proc/self/cwd/x`, `r /proc/self/cwd/x`.
  return hidden > 0 ? [...pathsIn(value), value.slice(hidden)] : pathsIn(value)
}

/**
 * Where a path through a process begins in a word, whatever stands before it; -1 where there is none. It is looked for
 * from its name backwards: an expression that begins at every slash would take time in the square of their number.
 */
function processPathIn(value: string): number {
  for (const { index } of value.matchAll(PROCESS)) {
    if (value.charAt(index - 1) !== '/') continue
    let start = index - 1
    for (let step = stepBefore(value, start); step > 0; step = stepBefore(value, start)) start -= step
    return start
  }
  return -1
}

const PROCESS = /(?:proc|dev\/+(?:fd|std(?:in|out|err))|\.vol)(?=\/|$)/gi

/** How long a `/`, `/.` or `/..` before that place is; 0 where there is none. */
function stepBefore(value: string, at: number): number {
  for (let dots = 0; dots <= 2; dots++) {
    const before = value.charAt(at - dots - 1)
    if (before === '/') return dots + 1
    if (before !== '.') return 0
  }
  return 0
}

function pathsIn(value: string): string[] {
  const url = /^([a-z][a-z0-9+.-]*):(\/\/)?/i.exec(value)
  if (url?.[1]?.toLowerCase() === 'file') return fileOf(value)
  if (url?.[2] !== undefined) return []
  const isOption = value.startsWith('-')
  const paths = isOption ? [] : [value]
  if (/^-[^-]./s.test(value)) paths.push(value.slice(2))
  if (value.startsWith('@') || value.startsWith('+')) paths.push(value.slice(1))
  if (!/[=:,@]/.test(value)) return paths
  const equals = value.indexOf('=')
  if (equals !== -1) paths.push(value.slice(equals + 1))
  // Whatever lies between marks that programs put between paths: `type=bind,source=/x`, `/x:/y:ro`, `name=@x`.
  const pieces = value.split(/[=:,@]/)
  for (const piece of pieces.slice(isOption ? 1 : 0)) addIfPath(piece)
  const address = value.slice(value.indexOf(':') + 1)
  if (address !== value) addIfPath(address)
  return paths.filter((path) => path !== '')

  function addIfPath(text: string): void {
    if (/^[~.]|\/|\.\w/.test(text)) paths.push(text)
  }
}

/** With or without a host, and with what some programs take for parameters. */
function fileOf(value: string): string[] {
  const rest = value.slice('file:'.length)
  const path = rest.replace(/^\/\/[^/]*/, '')
  return [path, path.replace(/[?#].*$/s, ''), rest].flatMap((each) => [each, decoded(each)])
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What is found lies somewhere below the folder before the first wildcard. */
function folderOf(pattern: string): string {
  const wildcard = pattern.search(/[*?[]/)
  if (wildcard === -1) return pattern
  const slash = pattern.lastIndexOf('/', wildcard)
  return slash === -1 ? '' : slash === 0 ? '/' : pattern.slice(0, slash)
}
