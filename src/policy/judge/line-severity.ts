/**
 * How gravely a person is asked about a shell line. A shell can do anything, but much of what is asked about is ordinary
 * work in the workspace, and who has to confirm everything twice soon confirms without reading. So a line is asked about
 * as usual where it is known to be ordinary, and gravely in every other case: each of its commands must be understood, must
 * only read or only write files, or be a sub-command that is listed as running nothing that it is given, and must name
 * nothing outside the folder, by how it looks, and no hidden file.
 *
 * This never decides whether somebody is asked, only how.
 */
import type { Severity } from '../../core/verdict.ts'
import { knownPrograms } from '../known-programs.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import { mayReveal } from '../starter/reveals.ts'
import type { CallSubject } from '../subject/subject.ts'

export function severityOfLine({ entry, reading }: CallSubject): Severity | undefined {
  if (entry === undefined || reading === undefined || !entry.dangerIsOfLine) return entry?.danger
  const { doubts, commands } = reading
  const isOrdinary = commands.length > 0 && doubts.length === 0 && commands.every(isOrdinaryCommand)
  return isOrdinary ? 'normal' : entry.danger
}

function isOrdinaryCommand(command: ShellCommand): boolean {
  const { program, words, doubts, through, path, redirections } = command
  if (program === undefined || path !== undefined || doubts.length > 0) return false
  // Whatever is behind `sudo` or `xargs` has more to it than it says.
  if (through.some((wrapper) => (knownPrograms().get(wrapper)?.can ?? []).length > 0)) return false
  const profile = knownPrograms().get(program)
  if (profile === undefined) return false
  const values = [...words.map(({ value }) => value), ...redirections.map(({ target }) => target)]
  if (!values.every((value) => value !== undefined && isNear(value))) return false
  if (judgeProgram(command, () => 'yes').kind === 'reads') return true
  if (mayReveal(command)) return false
  if (profile.commands === undefined) return (profile.can ?? []).every((power) => power === 'write')
  return profile.shapes?.includes(words[0]?.value ?? '') ?? false
}

/** Neither from the root or a home folder, nor upwards, nor hidden; also behind the sign of an option (`of=/dev/sda`). */
const FAR = /(?:^|[=:,])(?:[~/]|\.\.(?:\/|$))|(?:^|[/=:])\.(?!\/|$)|\/\.\.(?:\/|$)/

function isNear(word: string): boolean {
  return !FAR.test(word)
}
