/** Which files that steer programs a command reads, and which of them nobody vouches for any more. */
import { groupsReadBy } from '../steering-files/steering-groups.ts'
import type { CallSubject, CommandPart } from '../subject/subject.ts'

export function namesReadBy({ command: { program } }: CommandPart): string[] {
  return program === undefined ? [] : groupsReadBy(program).map(({ name }) => name)
}

/** The groups because of which a program that only reads no longer counts as one. */
export function steeredGroups(subject: CallSubject, part: CommandPart): string[] {
  return subject.steered.size === 0 ? [] : namesReadBy(part).filter((name) => subject.steered.has(name))
}
