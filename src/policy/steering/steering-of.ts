/**
 * What a call has to do with files that steer programs: which of them its programs read, and which it may write. The
 * gateway keeps for each session what was written without a person, and gives it to the next evaluation.
 */
import type { CallSteering } from '../policy.ts'
import { groupsReadBy } from '../steering-files/steering-groups.ts'
import type { CallSubject, CommandPart } from '../subject/subject.ts'
import { steeringWrites } from './steering-writes.ts'

const NONE: CallSteering = { reads: [], writes: [] }

export function steeringOf(subject: CallSubject, roots: readonly string[]): CallSteering {
  const { entry, parts } = subject
  if (entry?.kind !== 'edit' && entry?.kind !== 'shell') return NONE
  const { named, unnamed } = steeringWrites(subject, roots)
  const reads = parts.flatMap((part) => (part.kind === 'command' ? namesReadBy(part) : []))
  return {
    reads: [...new Set(reads)],
    writes: [...new Set([...unnamed, ...named.map(({ steering }) => steering.group.name)])],
  }
}

function namesReadBy({ command: { program } }: CommandPart): string[] {
  return program === undefined ? [] : groupsReadBy(program).map(({ name }) => name)
}

/** The groups for which a program that only reads is not vouched for any more. */
export function steeredGroups(subject: CallSubject, part: CommandPart): string[] {
  return subject.steered.size === 0 ? [] : namesReadBy(part).filter((name) => subject.steered.has(name))
}
