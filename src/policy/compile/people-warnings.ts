/**
 * Rules that nobody, or too few people, can approve. A request under such a rule is never approved: that is safe, and never
 * meant. They are warnings because people come and go without the policy being changed.
 */
import { DEFAULT_APPROVERS, type Directory, eligiblePeople } from '../../core/authority.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { CheckedRule } from '../language/policy-block.ts'
import type { PolicyWarning } from '../policy.ts'

const GROUP = 'group:'

/** The pointers begin in the block, and with `/people` in the file. */
export function peopleWarnings(rules: readonly CheckedRule[], directory: Directory): PolicyWarning[] {
  const asking = rules.map((rule, index) => ({ rule, at: `/rules/${index}` }))
  return [
    ...asking.flatMap(({ rule, at }) => {
      const named = (rule.approvers ?? []).flatMap((who, index) => {
        const why = unknownApprover(who, directory)
        return why === undefined ? [] : [{ message: why, pointer: `${at}/approvers/${index}` }]
      })
      return [...named, ...tooFew(rule, at, directory)].map(({ message, pointer }) => ({
        message: `rule ${JSON.stringify(rule.name)}: ${message}`,
        pointer,
      }))
    }),
    ...misspeltGroups(rules, directory),
  ]
}

function unknownApprover(who: string, { owner, people }: Directory): string | undefined {
  if (who === 'owner') return undefined
  const groups = groupsOf(people)
  const names = [...new Set([owner, ...people.keys()])]
  if (!who.startsWith(GROUP)) {
    if (names.includes(who)) return undefined
    if (groups.includes(who)) return `"${who}" is a group: write ${GROUP}${who}`
    return `there is no person "${who}" under people:, and without a token of that name nobody can approve as "${who}"${meant(who, [...names, 'owner'])}`
  }
  const group = who.slice(GROUP.length)
  if (groups.includes(group)) return undefined
  if (names.includes(group)) return `"${group}" is a person and no group: write ${group}`
  const byToken = group === 'approvers' ? ', and nobody holds an approver’s token that is known here' : ''
  return `the group "${group}" has no members: nobody under people: has it among their groups${byToken}${meant(group, groups)}`
}

function tooFew({ name, then, approvers, quorum }: CheckedRule, at: string, directory: Directory) {
  if (then !== 'ask') return []
  const named = approvers ?? DEFAULT_APPROVERS
  const eligible = eligiblePeople({ rule: name, quorum, approvers: [...named] }, directory, undefined)
  // Whoever started the session counts as its owner, and may be somebody else than the owner of the installation.
  const most = eligible.length + (named.includes('owner') ? 1 : 0)
  if (eligible.length >= quorum) return []
  const pointer = quorum === 1 ? `${at}/approvers` : `${at}/quorum`
  if (eligible.length === 0)
    return [{ message: 'nobody may approve, so nothing it asks about can run', pointer }]
  const who = listed(
    eligible.map((one) => (one === directory.owner && named.includes('owner') ? `${one} (the owner)` : one)),
  )
  const only = `only ${eligible.length === 1 ? `one person may approve: ${who}` : `${eligible.length} people may approve: ${who}`}`
  const message =
    quorum > most
      ? `quorum ${quorum} can't be met: ${only}`
      : `quorum ${quorum} can't be met, except in a session that somebody else started: ${only}`
  return [{ message, pointer }]
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
      return [
        {
          message: `no rule names the group "${group}" of ${person}; did you mean "${near}"?`,
          pointer: `/people${pointerStep(person)}/groups/${index}`,
        },
      ]
    }),
  )
}

function groupsOf(people: Directory['people']): string[] {
  return [...new Set([...people.values()].flatMap(({ groups }) => groups))]
}

function meant(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known)
  return near === undefined ? '' : `; did you mean "${near}"?`
}

function listed(names: readonly string[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
}
