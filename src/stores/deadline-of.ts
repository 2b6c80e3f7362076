/** When the deadline of a change comes, at the moment of its commit. */
import type { Change } from './store.ts'

export function deadlineOf(deadline: Exclude<Change['deadline'], 'keep'>, now: number): number | null {
  if (deadline === 'none') return null
  return 'at' in deadline ? deadline.at : now + deadline.inMs
}
