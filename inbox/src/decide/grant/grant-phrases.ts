/** How long an approval holds, in words: on the button that leaves a grant behind, so that nobody leaves one unknowingly. */
import type { DecideWords } from '../words/words.ts'
import { type GrantDraft, type GrantSpan, grantUsesOf } from './grant-draft.ts'

type GrantButtonWords = DecideWords['grant']

/** What is offered, with the bounds that somebody gave it. */
export function grantSpanText(words: GrantButtonWords, span: GrantSpan, choice: GrantDraft): string {
  const isChosen = choice.span === span
  if (span === 'hour') return words.duration[(isChosen && choice.expiresIn) || '1h']
  if (span === 'times') return words.times(isChosen ? grantUsesOf(choice) : 5)
  return words.span[span]
}

/** What the button says. */
export function approveButtonText(words: GrantButtonWords, choice: GrantDraft): string {
  return words.approve(choice.where, choice.expiresIn, grantUsesOf(choice))
}

/** What is left behind: which calls, where, and for how long. */
export function grantLeftText(words: GrantButtonWords, choice: GrantDraft): string {
  return `${choice.what === '' ? words.exact : choice.what}, ${words.left(choice.where, choice.expiresIn, grantUsesOf(choice))}`
}
