/** The settings that must be read before it is known what the commands of a line reach. */

import type { HostLookup } from '../network/reach.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject } from '../subject/subject.ts'

/** More than any real line needs. What is past it stays unknown. */
const MAX_LOOKUPS = 32

/** Undefined where there is nothing to look up. */
export function hostLookups(subject: CallSubject): HostLookup[] | undefined {
  const found = new Map<string, HostLookup>()
  for (const { reach } of commandsOf(subject)) {
    for (const { lookup } of reach.lookups) {
      if (found.size < MAX_LOOKUPS) found.set(lookup.key, lookup)
    }
  }
  return found.size === 0 ? undefined : [...found.values()]
}
