/** Why something was decided, as it goes out: the sentence in the reader's language, and its values as they are shown (P9). */

import { told } from '../../core/reasons/english.ts'
import type { Because, Reason } from '../../core/reasons/reason.ts'
import { sayReason } from '../../display/reasons/say-reason.ts'
import { type ShowText, showReason } from '../../display/reasons/show-reason.ts'
import type { Locale } from '../../display/words/rendering-words.ts'

export interface SaidToWire {
  because: string
  reason?: Reason
}

/** `show`: how what is quoted of the call is shown. */
export function becauseToWire(one: Because, locale: Locale, show?: ShowText): SaidToWire {
  const { reason } = one
  return {
    because: sayReason(one, locale, show),
    ...(reason === undefined ? {} : { reason: showReason(reason, show) }),
  }
}

export function reasonToWire(reason: Reason, locale: Locale, show?: ShowText): SaidToWire {
  return becauseToWire(told(reason), locale, show)
}
