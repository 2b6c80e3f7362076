/**
 * Whether a search of ripgrep's passes over a folder that has ignore files with `*` in it. Ripgrep reads them as long as
 * nothing tells it otherwise: an option, a glob that wants something, the way through a link, or a configuration that the
 * line names. What was not seen to leave them in force counts as lifting them.
 */

import { readWritten } from '../shell/options/read-options.ts'
import type { ShellCommand, ShellReading } from '../shell/reading.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import type { CallSubject } from '../subject/subject.ts'

export const RIPGREP = 'rg'

/** Wrappers that give the same program the same surroundings. */
const SAME_SURROUNDINGS = new Set(['sh', 'bash', 'zsh', 'dash', 'timeout', 'time', 'nice'])

export function commandHonoursIgnores(command: ShellCommand, reading: ShellReading | undefined): boolean {
  const { program, path, words, through, folder } = command
  // A variable that is set, a function, a script that is read: each may name other settings.
  if (reading === undefined || reading.doubts.length > 0) return false
  if (program !== RIPGREP || path !== undefined || folder === undefined) return false
  if (!through.every((one) => SAME_SURROUNDINGS.has(one))) return false
  // A wildcard of the shell may come to a file in the folder, which is then named.
  if (words.some(({ value, pattern }) => value === undefined || pattern)) return false
  if (judgeProgram(command, () => 'yes').kind !== 'reads') return false
  const options = readWritten(RIPGREP, words)
  return (
    words.every(({ value = '' }) => !LIFTS.test(value)) &&
    !options.has('-u', '-f', '-L') &&
    options.values('-g', '--glob', '--iglob').every((glob) => /^![^!\s]/.test(glob))
  )
}

/** `--ignore` after `--no-ignore` undoes it; whoever writes both is asked. */
const LIFTS = /^--(?:no-ignore|unr|ignore-file|file|follow|pre|type-add|glob-case|config|no-config)/

/**
 * A tool that is built in, by its name. Its glob may come to several, each of which may want files; and what begins like an
 * option may be handed on as one by whoever has a tool of that name.
 */
export function toolHonoursIgnores({ call, entry, strange }: CallSubject): boolean {
  if (entry?.honoursIgnores !== true || strange !== undefined || call.arguments.glob !== undefined)
    return false
  return Object.values(call.arguments).every((value) => typeof value !== 'string' || !OPTION.test(value))
}

const OPTION = /^--?[\w.]/
