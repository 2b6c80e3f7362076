/** What another policy would have changed, the worst first: what people refused and would now run, before all else. */

import type { WireReplay } from '../../../../../src/client/index.ts'
import { REPLAY_CHANGES } from '../../../../../src/core/verdict.ts'

export type ReplayedGroup = WireReplay['groups'][number]

export function worstFirst(groups: readonly ReplayedGroup[]): ReplayedGroup[] {
  return groups.toSorted(
    (one, other) =>
      refusedNowRunning(other) - refusedNowRunning(one) ||
      placeOf(one) - placeOf(other) ||
      other.rejected - one.rejected ||
      other.calls - one.calls,
  )
}

/** How many calls of the group a person refused, that would now run without anybody being asked. */
export function refusedNowRunning({ would, rejected }: ReplayedGroup): number {
  return would === 'allow' ? rejected : 0
}

export interface ReplayTotals {
  /** Would run without asking, and did not before. */
  freed: number
  /** Of these, what people refused. */
  refused: number
  /** Would be asked about, and were not before. */
  newlyAsked: number
  /** Would be denied, and were not before. */
  newlyDenied: number
}

export function totalsOf(groups: readonly ReplayedGroup[]): ReplayTotals {
  const sum = (of: (group: ReplayedGroup) => number) => groups.reduce((total, group) => total + of(group), 0)
  const callsThat = (would: ReplayedGroup['would']) =>
    sum((group) => (group.would === would && group.was !== would ? group.calls : 0))
  return {
    freed: callsThat('allow'),
    refused: sum(refusedNowRunning),
    newlyAsked: callsThat('ask'),
    newlyDenied: callsThat('deny'),
  }
}

/** A change that is not known here yet comes first: nobody has said that it is harmless. */
function placeOf({ change }: ReplayedGroup): number {
  return REPLAY_CHANGES.indexOf(change)
}
