/** Where the votes on a request stand, for who is about to add theirs. */
import type { WireView } from '../../../src/client/index.ts'

export interface VoteStatus {
  /** Whether one approval may not be enough. */
  isShared: boolean
  /** Who has said yes to what is asked now. */
  voters: string[]
  hasVoted: boolean
  /** How many more are needed now, and how many after this person's. The server counts; this is what it will find. */
  missing: number
  missingAfter: number
  /** Somebody changed the call, and what others had said of it before no longer counts. */
  isEdited: boolean
}

export function voteStatusOf(
  { request, eligible }: Pick<WireView, 'request' | 'eligible'>,
  me: string,
): VoteStatus {
  const { votes, digest, approvers, edited } = request
  const voters = [...new Set(votes.filter((vote) => vote.digest === digest).map(({ by }) => by))]
  /** One person may meet several rules, so the rule that lacks most says how many are missing. */
  const missingWith = (people: readonly string[]) =>
    Math.max(
      0,
      ...approvers.map(({ rule, quorum }) => {
        const known = Object.hasOwn(eligible, rule) ? eligible[rule] : undefined
        const counted = known === undefined ? people : people.filter((each) => known.includes(each))
        return Math.max(1, quorum) - counted.length
      }),
    )
  const missingAfter = missingWith([...new Set([...voters, me])])
  return {
    isShared: missingAfter > 0 || voters.length > 0 || approvers.some(({ quorum }) => quorum > 1),
    voters,
    hasVoted: voters.includes(me),
    missing: missingWith(voters),
    missingAfter,
    isEdited: edited !== undefined,
  }
}
