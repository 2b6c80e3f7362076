/**
 * When an approval reaches the quorum. Every rule that asked keeps its own condition, and all must be met; one
 * person's vote counts once for each condition under which that person may decide. Whoever voted is named with the
 * decision: the last vote is no more of it than the others.
 */
import type { Decision, DecisionKind, Vote } from '../decision.ts'
import { canonicalize } from '../json/json.ts'
import type { Reason } from '../reasons/reason.ts'
import { reasonOf } from '../reasons/reason-of.ts'
import type { ApprovalCondition } from '../verdict.ts'

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

/** A request as far as it says who decided it, as it is kept or as it went over the wire. */
export interface VotedOn {
  decision?: { kind: DecisionKind; by: string } | undefined
  votes?: readonly { by: string }[] | undefined
}

/** Everybody whose word the decision is: of an approval all who approved, of anything else the one who said it. */
export function decidersOf({ decision, votes = [] }: VotedOn): string[] {
  if (decision === undefined) return []
  if (decision.kind !== 'approve' && decision.kind !== 'edit') return [decision.by]
  return [...new Set([...votes.map(({ by }) => by), decision.by])]
}

/** Who had approved what was then decided otherwise, or is not decided yet. */
export function approvedBefore({ decision, votes = [] }: VotedOn): string[] {
  if (decision?.kind === 'approve' || decision?.kind === 'edit') return []
  return [...new Set(votes.map(({ by }) => by))]
}

/** `ana, ben and eve`. */
export function enumerateNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** For who comes too late. */
export function alreadyDecided(decided: VotedOn & { decision: { kind: DecisionKind } }): Reason {
  const names = decidersOf(decided)
  const decision = reasonOf(`decision.${decided.decision.kind}`)
  const last = names.at(-1) ?? ''
  if (names.length < 2) return reasonOf('request.decided', { by: last, decision })
  const by = reasonOf('names.and', { names: names.slice(0, -1), last })
  return reasonOf('request.decided-together', { by, decision })
}

/** Other words, other answers or other arguments are another decision: who sends them must hear that the first one holds. */
export function saysTheSame(recorded: Decision, said: Decision): boolean {
  return (
    recorded.kind === said.kind &&
    recorded.digest === said.digest &&
    recorded.text === said.text &&
    canonicalize(recorded.answers ?? null) === canonicalize(said.answers ?? null)
  )
}
