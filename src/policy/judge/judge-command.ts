/** What the profiles of programs say of the commands of a call: which only read inside the roots, which destroy. */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { isInside } from '../matchers/inside-roots.ts'
import type { MatchResult } from '../matchers/match-result.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { isDisk } from '../starter/destruction.ts'
import { judgeProgram, type ProgramJudgement } from '../starter/judge-program.ts'
import { steeredGroups } from '../steering/steered-groups.ts'
import { groupsReason } from '../steering-files/group-reason.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, CommandPart } from '../subject/subject.ts'

export function judgeCommand(
  subject: CallSubject,
  part: CommandPart,
  roots: readonly string[],
): ProgramJudgement {
  const disk = part.command.redirections.find(
    ({ kind, target }) => kind === 'write' && target !== undefined && isDisk(target),
  )
  if (disk !== undefined) return { kind: 'destroys', why: reasonOf('destroys.whole-disk') }
  const isOwnFolder = (folder: string) => {
    const resolved = resolvedOf(subject, folder)
    return resolved !== undefined && roots.includes(resolved)
  }
  const command = inItsFolder(subject, part.command, roots)
  const judged = judgeProgram(command, insideOf(subject, roots), isOwnFolder, subject.entry?.atTerminal)
  const steeredBy = judged.kind === 'reads' ? steeredGroups(subject, part) : []
  return steeredBy.length === 0 ? judged : { kind: 'unknown', why: whySteered(steeredBy), steeredBy }
}

export function whySteered(groups: readonly string[]): Reason {
  return reasonOf('program.steered', { groups: groupsReason(groups) })
}

/**
 * A command in the folder of the call is judged as one in a folder that is named, unless that is a root: what is
 * destroyed there, or whose files rule the program, is told by the folder.
 */
function inItsFolder({ facts }: CallSubject, command: ShellCommand, roots: readonly string[]): ShellCommand {
  const folder = facts?.folder
  if (command.folder !== '' || folder === undefined || roots.includes(folder)) return command
  return { ...command, folder }
}

export function onlyReads(subject: CallSubject, part: CommandPart, roots: readonly string[]): boolean {
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

/**
 * What keeps a command from counting as one that only reads inside the roots: it would, if what it reads were inside; or
 * something else about it.
 */
export function whyNotReading(
  subject: CallSubject,
  part: CommandPart,
  roots: readonly string[],
): 'outside' | 'somewhere' | 'other' {
  const inside = insideOf(subject, roots)
  const asked: MatchResult[] = []
  const noted = (path: string): MatchResult => {
    asked.push(inside(path))
    return 'yes'
  }
  const command = inItsFolder(subject, part.command, roots)
  const judged = judgeProgram(command, noted, () => true, subject.entry?.atTerminal)
  const read = part.mentions.filter(({ access }) => access === 'read').map(({ path }) => inside(path))
  const places = [...asked, ...read]
  if (judged.kind !== 'reads' || !places.some((place) => place !== 'yes')) return 'other'
  return places.includes('no') ? 'outside' : 'somewhere'
}

/** Whether all that the line does is to read inside the roots. */
export function lineOnlyReads(subject: CallSubject, roots: readonly string[]): boolean {
  const commands = commandsOf(subject)
  return (
    commands.length > 0 &&
    subject.reading?.doubts.length === 0 &&
    subject.reading.tells === undefined &&
    commands.every((part) => part.command.transparent || onlyReads(subject, part, roots)) &&
    commands.every((part) => part.command.redirections.every(({ kind }) => kind === 'read'))
  )
}

function insideOf(subject: CallSubject, roots: readonly string[]): (path: string) => MatchResult {
  return (path) => {
    const resolved = resolvedOf(subject, path)
    if (resolved === undefined) return 'unknown'
    return isInside(resolved, roots) ? 'yes' : 'no'
  }
}

function resolvedOf(subject: CallSubject, path: string): string | undefined {
  const folder = subject.facts?.folder
  if (path === folder) return folder
  // Looked up as the line writes it, where the folder of the call was put before it.
  if (folder !== undefined && path.startsWith(`${folder}/`)) {
    const written = subject.resolved({ path: path.slice(folder.length + 1), access: 'unknown', text: path })
    if (written !== undefined) return written
  }
  return subject.resolved({ path, access: 'unknown', text: path })
}
