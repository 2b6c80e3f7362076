/** The names of groups of steering files, for people. A test looks up the message of every group. */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'

export function groupReason(name: string): Reason {
  return { code: `group.${name.replaceAll(' ', '-')}` }
}

/** Three are enough for a sentence. */
export function groupsReason(names: readonly string[]): Reason {
  const [first, second, third] = names.map(groupReason)
  if (first === undefined || second === undefined) return first ?? groupReason('')
  if (third === undefined) return reasonOf('groups.two', { first, second })
  return reasonOf(names.length > 3 ? 'groups.more' : 'groups.three', { first, second, third })
}
