/**
 * Rules that nobody, or too few people, can approve. A request under such a rule is never approved: that is safe, and never
 * meant. They are warnings because people come and go without the policy being changed.
 */

import { DEFAULT_APPROVERS, type Directory, eligiblePeople } from '../../core/authority.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { Reason, ReasonValue } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { CheckedRule } from '../language/policy-block.ts'
import type { PolicyWarning } from '../policy.ts'
import { policyWarning, quoted, withNearest } from './policy-warning.ts'

const GROUP = 'group:'

/** The pointers begin in the block, and with `/people` in the file. */
export function peopleWarnings(rules: readonly CheckedRule[], directory: Directory): PolicyWarning[] {
  const asking = rules.map((rule, index) => ({ rule, at: `/rules/${index}` }))
  return [
    ...asking.flatMap(({ rule, at }) => {
      const named = (rule.approvers ?? []).flatMap((who, index) => {
        const why = unknownApprover(who, directory)
        return why === undefined ? [] : [{ why, pointer: `${at}/approvers/${index}` }]
      })
      return [...named, ...tooFew(rule, at, directory)].map(({ why, pointer }) =>
        policyWarning(reasonOf('warn.in-rule', { rule: quoted(rule.name), why }), pointer),
      )
    }),
    ...misspeltGroups(rules, directory),
  ]
}

function unknownApprover(who: string, { owner, people }: Directory): Reason | undefined {
  if (who === 'owner') return undefined
  const groups = groupsOf(people)
  const names = [...new Set([owner, ...people.keys()])]
  if (!who.startsWith(GROUP)) {
    if (names.includes(who)) return undefined
    if (groups.includes(who)) return reasonOf('people.group', { name: quoted(who), wanted: `${GROUP}${who}` })
    return withNearest(reasonOf('people.nobody', { name: quoted(who) }), who, [...names, 'owner'])
  }
  const group = who.slice(GROUP.length)
  if (groups.includes(group)) return undefined
  if (names.includes(group)) return reasonOf('people.person', { name: quoted(group), wanted: group })
  const code = group === 'approvers' ? 'people.empty-tokens' : 'people.empty'
  return withNearest(reasonOf(code, { name: quoted(group) }), group, groups)
}

function tooFew({ name, then, approvers, quorum }: CheckedRule, at: string, directory: Directory) {
  if (then !== 'ask') return []
  const named = approvers ?? DEFAULT_APPROVERS
  const eligible = eligiblePeople({ rule: name, quorum, approvers: [...named] }, directory, undefined)
  // Whoever started the session counts as its owner, and may be somebody else than the owner of the installation.
  const most = eligible.length + (named.includes('owner') ? 1 : 0)
  if (eligible.length >= quorum) return []
  const pointer = quorum === 1 ? `${at}/approvers` : `${at}/quorum`
  if (eligible.length === 0) return [{ why: reasonOf('people.none'), pointer }]
  const who = listed(
    eligible.map((one) => (one === directory.owner && named.includes('owner') ? `${one} (owner)` : one)),
  )
  const count = eligible.length
  const only = count === 1 ? reasonOf('people.only-one', { who }) : reasonOf('people.only', { count, who })
  const why = reasonOf(quorum > most ? 'people.quorum' : 'people.quorum-others', { quorum, only })
  return [{ why, pointer }]
}

/** A person in the group `approver`, where the rules name `approvers`. */
function misspeltGroups(rules: readonly CheckedRule[], { people }: Directory): PolicyWarning[] {
  const named = new Set([
    'approvers',
    ...rules.flatMap(({ approvers = [] }) =>
      approvers.filter((who) => who.startsWith(GROUP)).map((who) => who.slice(GROUP.length)),
    ),
  ])
  return [...people].flatMap(([person, { groups }]) =>
    groups.flatMap((group, index) => {
      const near = named.has(group) ? undefined : nearestWord(group, [...named])
      if (near === undefined) return []
      const why = reasonOf('people.unused', { group: quoted(group), person })
      const pointer = `/people${pointerStep(person)}/groups/${index}`
      return [policyWarning(withNearest(why, group, [...named]), pointer)]
    }),
  )
}

function groupsOf(people: Directory['people']): string[] {
  return [...new Set([...people.values()].flatMap(({ groups }) => groups))]
}

function listed(names: readonly string[]): ReasonValue {
  const [first, count] = [names.slice(0, 5), names.length - 5]
  return count <= 0 ? first : reasonOf('list.more', { names: first, count })
}
