/** The values of a reason as they are shown: texts from outside visible, masked and cut (P9). */
import { mapTexts } from '../../core/reasons/fill-message.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { makeVisible } from '../text/visible.ts'

/** How a text from outside is shown. */
export type ShowText = (text: string) => string

export function visible(text: string): string {
  return makeVisible(text).text
}

/** For those who make the sentence themselves. */
export function showReason(reason: Reason, show: ShowText = visible): Reason {
  return mapTexts(reason, show)
}
