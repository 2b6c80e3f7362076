/** Who decided a request, in words. Every vote of a quorum is named, not only the last. */
import { approvedBefore, decidersOf, enumerateNames, type VotedOn } from '../core/votes.ts'
import { makeVisible } from './visible.ts'
import type { Locale } from './words.ts'

/** `ana, ben and eve`, or `ana、ben、eve`; made visible. */
export function sayNames(names: readonly string[], locale: Locale): string {
  const shown = names.map((name) => makeVisible(name).text)
  return locale === 'en' ? enumerateNames(shown) : shown.join('、')
}

/** Everybody whose word the decision is; undefined where nothing was decided. */
export function sayDeciders(request: VotedOn, locale: Locale): string | undefined {
  const names = decidersOf(request)
  return names.length === 0 ? undefined : sayNames(names, locale)
}

/** Of a request that was not approved in the end: who had approved it; undefined where nobody had. */
export function sayApprovedBefore(request: VotedOn, locale: Locale): string | undefined {
  const names = approvedBefore(request)
  if (names.length === 0) return undefined
  return locale === 'en'
    ? `${sayNames(names, locale)} had approved it`
    : `${sayNames(names, locale)} 此前已批准`
}
