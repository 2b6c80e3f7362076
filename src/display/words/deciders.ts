/** Who decided a request, in words. Every vote of a quorum is named, not only the last. */

import { approvedBefore, decidersOf, enumerateNames, type VotedOn } from '../../core/decisions/votes.ts'
import type { RequestState } from '../../core/request.ts'
import { makeVisible } from '../text/visible.ts'
import type { Locale } from './rendering-words.ts'

export { decidersOf }

/** `ana, ben and eve`, or `ana、ben 和 eve`; made visible. */
export function sayNames(names: readonly string[], locale: Locale): string {
  const shown = names.map((name) => makeVisible(name).text)
  return locale === 'en' ? enumerateNames(shown) : enumerateInChinese(shown)
}

/** Everybody whose word the decision is; undefined where nothing was decided. */
export function sayDeciders(request: VotedOn, locale: Locale): string | undefined {
  const names = decidersOf(request)
  return names.length === 0 ? undefined : sayNames(names, locale)
}

/** Who has approved what is pending, or had approved what came to nothing; undefined where nobody did. */
export function sayApprovedBefore(
  request: VotedOn & { state?: RequestState },
  locale: Locale,
): string | undefined {
  const names = approvedBefore(request)
  if (names.length === 0) return undefined
  const said = sayNames(names, locale)
  if (request.state === 'pending') return locale === 'en' ? `approved so far by ${said}` : `${said} 已批准`
  return locale === 'en' ? `${said} had approved it` : `${said} 此前已批准`
}

/** Between letters and Chinese characters stands a space. */
function enumerateInChinese(names: readonly string[]): string {
  const [others, last] = [names.slice(0, -1).join('、'), names.at(-1) ?? '']
  if (others === '') return last
  return `${others}${/\p{Script=Han}$/u.test(others) ? '' : ' '}和${/^\p{Script=Han}/u.test(last) ? '' : ' '}${last}`
}
