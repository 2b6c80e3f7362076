/**
 * When an approval reaches the quorum. Every rule that asked keeps its own condition, and all must be met; one
 * person's vote counts once for each condition under which that person may decide.
 */
import type { Vote } from './decision.ts'
import type { ApprovalCondition } from './verdict.ts'

export type MayApprove = (subject: string, condition: ApprovalCondition) => boolean

/** Whether the person may decide at all: an approver under at least one of the conditions. */
export function mayDecideAny(
  subject: string,
  conditions: readonly ApprovalCondition[],
  may: MayApprove,
): boolean {
  return conditions.some((condition) => may(subject, condition))
}

/** An editor changes what everybody is asked, so they must be an approver under each condition. */
export function mayDecideAll(
  subject: string,
  conditions: readonly ApprovalCondition[],
  may: MayApprove,
): boolean {
  return conditions.every((condition) => may(subject, condition))
}

/** Authority is looked up now, for every voter: a vote of someone who has lost it no longer counts. */
export function reachesQuorum(
  votes: readonly Vote[],
  digest: string,
  conditions: readonly ApprovalCondition[],
  may: MayApprove,
): boolean {
  const voters = new Set(votes.filter((vote) => vote.digest === digest).map((vote) => vote.by))
  return conditions.every((condition) => {
    let count = 0
    for (const voter of voters) if (may(voter, condition)) count++
    return count >= Math.max(1, condition.quorum)
  })
}
