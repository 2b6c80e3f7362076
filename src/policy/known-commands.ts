/** What the profiles of programs say of the commands of a call: which only read inside the roots, which destroy. */
import type { Holds } from './holds.ts'
import { isInside } from './matchers/inside-roots.ts'
import { isDisk } from './starter/destruction.ts'
import { judgeProgram, type ProgramJudgement } from './starter/judge-program.ts'
import type { CommandPart, Subject } from './subject.ts'

export function commandsOf(subject: Subject): CommandPart[] {
  return subject.parts.filter((part): part is CommandPart => part.kind === 'command')
}

export function judgeCommand(
  subject: Subject,
  part: CommandPart,
  roots: readonly string[],
): ProgramJudgement {
  const disk = part.command.redirections.find(
    ({ kind, target }) => kind === 'write' && target !== undefined && isDisk(target),
  )
  if (disk !== undefined) return { kind: 'destroys', why: 'it writes over a whole disk' }
  return judgeProgram(part.command, insideOf(subject, roots), (folder) => {
    const resolved = resolvedOf(subject, folder)
    return (
      resolved !== undefined &&
      ((subject.base === '' && resolved === subject.facts?.folder) || roots.includes(resolved))
    )
  })
}

export function onlyReads(subject: Subject, part: CommandPart, roots: readonly string[]): boolean {
  const inside = insideOf(subject, roots)
  return (
    judgeCommand(subject, part, roots).kind === 'reads' &&
    part.mentions.every((mention) => mention.access !== 'read' || inside(mention.path) === 'yes') &&
    part.command.redirections.every(
      // What is read must be among the mentions, which a file is not that is known only when the line runs.
      ({ kind, target }) =>
        kind === 'write' || part.mentions.some((one) => one.access === 'read' && one.text === target),
    )
  )
}

/** Whether all that the line does is to read inside the roots. */
export function lineOnlyReads(subject: Subject, roots: readonly string[]): boolean {
  const commands = commandsOf(subject)
  return (
    commands.length > 0 &&
    subject.reading?.doubts.length === 0 &&
    commands.every((part) => part.command.transparent || onlyReads(subject, part, roots)) &&
    commands.every((part) => part.command.redirections.every(({ kind }) => kind === 'read'))
  )
}

function insideOf(subject: Subject, roots: readonly string[]): (path: string) => Holds {
  return (path) => {
    const resolved = resolvedOf(subject, path)
    if (resolved === undefined) return 'unknown'
    return isInside(resolved, roots) ? 'yes' : 'no'
  }
}

function resolvedOf(subject: Subject, path: string): string | undefined {
  return subject.resolved({ path, access: 'unknown', text: path })
}
