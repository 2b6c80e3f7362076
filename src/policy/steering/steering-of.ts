/**
 * What a call has to do with files that steer programs: which of them its programs read, and which it may write. The
 * gateway keeps for each session what was written without a person, and gives it to the next evaluation.
 */
import type { CallSteering } from '../policy.ts'
import type { CallSubject } from '../subject/subject.ts'
import { namesReadBy } from './steered-groups.ts'
import { steeringWrites } from './steering-writes.ts'

const NONE: CallSteering = { reads: [], writes: [] }

export function steeringOf(subject: CallSubject, roots: readonly string[]): CallSteering {
  const { entry, parts, guesses } = subject
  const sure = entry === undefined ? guesses.filter((one) => one.sure) : []
  if (sure.length > 0) {
    const each = sure.map((one) => steeringOf(one.subject, roots))
    return {
      reads: [...new Set(each.flatMap(({ reads }) => reads))],
      writes: [...new Set(each.flatMap(({ writes }) => writes))],
    }
  }
  if (entry === undefined || entry.kind === 'read' || entry.kind === 'network') return NONE
  const { named, unnamed } = steeringWrites(subject, roots)
  const reads = parts.flatMap((part) => (part.kind === 'command' ? namesReadBy(part) : []))
  return {
    reads: [...new Set(reads)],
    writes: [...new Set([...unnamed, ...named.map(({ steering }) => steering.group.name)])],
  }
}
