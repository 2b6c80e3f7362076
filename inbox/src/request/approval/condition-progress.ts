/** How far each condition of a request is met: who has approved, and who still could. */

import type { WireView } from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'

export interface ConditionProgress {
  rule: string
  approvers: string[]
  needed: number
  /** Who has approved what is shown now and counts for this rule. */
  given: string[]
  /** Who could still. Undefined where the server did not say who is eligible. */
  open?: string[]
}

export function conditionProgressOf({
  request,
  eligible,
}: Pick<WireView, 'request' | 'eligible'>): ConditionProgress[] {
  const voters = request.votes.filter(({ digest }) => digest === request.digest).map(({ by }) => by)
  return request.approvers.map(({ rule, approvers, quorum }) => {
    const people = Object.hasOwn(eligible, rule) ? eligible[rule] : undefined
    const given = people === undefined ? voters : voters.filter((by) => people.includes(by))
    const open = people?.filter((person) => !voters.includes(person))
    return { rule, approvers, needed: quorum, given, ...defined({ open }) }
  })
}

/** The condition that lacks most, where more than one person is needed: the one to tell of in a line. */
export function hardestCondition(conditions: readonly ConditionProgress[]): ConditionProgress | undefined {
  const [hardest] = conditions
    .filter(({ needed }) => needed > 1)
    .toSorted((one, other) => missing(other) - missing(one))
  return hardest
}

/** Rules that want the same of the same people are told of together. */
export function alikeConditions(conditions: readonly ConditionProgress[]): ConditionProgress[][] {
  const groups = new Map<string, ConditionProgress[]>()
  for (const condition of conditions) {
    const { rule: _, ...wants } = condition
    const key = JSON.stringify(wants)
    groups.set(key, [...(groups.get(key) ?? []), condition])
  }
  return [...groups.values()]
}

function missing({ needed, given }: ConditionProgress): number {
  return Math.max(0, needed - given.length)
}
