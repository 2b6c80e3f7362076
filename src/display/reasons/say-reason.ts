/**
 * A reason in the reader's language, from the messages of that language. Texts from outside are shown as `show` has them: visible,
 * with secrets masked, and cut. Our own words are not, so they never contain what came from outside (P9).
 *
 * Where there is no reason (an earlier version wrote the record), or its code is not known here (a newer one did), the sentence that
 * stands on the record is shown instead, and that as a text from outside.
 */
import { ENGLISH } from '../../core/reasons/english.ts'
import { fillMessage, type MessageStyle } from '../../core/reasons/fill-message.ts'
import type { Because, Reason } from '../../core/reasons/reason.ts'
import type { Locale } from '../words/rendering-words.ts'
import { CHINESE } from './chinese.ts'
import { type ShowText, visible } from './show-reason.ts'

export function sayReason({ because, reason }: Because, locale: Locale, show: ShowText = visible): string {
  return (reason === undefined ? undefined : sayKnown(reason, locale, show)) ?? show(because)
}

/** Undefined where the code has no message in this version. */
export function sayKnown(reason: Reason, locale: Locale, show: ShowText = visible): string | undefined {
  return fillMessage(reason, { ...LANGUAGES[locale], show })
}

/** Where Chinese and Latin letters meet, readers expect a space. */
function spaceBetween(before: string, after: string): string {
  const [end, start] = [before.at(-1)!, after[0]!]
  const isApart = (HAN.test(end) && LATIN.test(start)) || (LATIN.test(end) && HAN.test(start))
  return isApart ? ' ' : ''
}

const HAN = /\p{Script=Han}/u
const LATIN = /[\p{Script=Latin}\p{N}`"'$%&#@*+./~\\-]/u

const LANGUAGES: Readonly<Record<Locale, Omit<MessageStyle, 'show'>>> = {
  en: { messages: ENGLISH, separator: ', ', clauses: '; ' },
  zh: { messages: CHINESE, separator: '、', clauses: '；', between: spaceBetween },
}
