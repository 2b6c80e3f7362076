/**
 * Programs that a pattern names by their path: `./gradlew build *`. As a deny that is about every program of the name;
 * an allow is about that one file, in the root that the line is run in.
 */
import { posix } from 'node:path'
import type { Facts } from '../../../core/verdict.ts'
import { isSystemFolder } from '../commands/program-name.ts'
import type { ShellCommand } from '../reading.ts'

/** Undefined where the program is named by its last name, by a wildcard, or in one of the system's folders. */
export function programPathOf(pattern: string): string | undefined {
  const program = /^[^\s'"\\*]+/.exec(pattern.trim())?.[0] ?? ''
  const slash = program.lastIndexOf('/')
  if (slash === -1 || isSystemFolder(program.slice(0, slash))) return undefined
  return /^[\s:]|^$/.test(pattern.trim().slice(program.length)) ? posix.normalize(program) : undefined
}

export function isProgramAt(
  command: ShellCommand,
  path: string,
  { facts }: { facts: Pick<Facts, 'folder'> | undefined },
  roots: readonly string[],
): boolean {
  if (command.path === undefined || posix.normalize(command.path) !== path) return false
  if (posix.isAbsolute(path)) return true
  return (
    command.folder === '' &&
    !path.startsWith('..') &&
    facts?.folder !== undefined &&
    roots.includes(facts.folder)
  )
}
