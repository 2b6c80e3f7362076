/** How long an approval holds, in words: on the button that leaves a grant behind, so that nobody leaves one unknowingly. */
import type { DecideWords } from '../words.ts'
import { type GrantChoice, type Span, usesOf } from './grant-choice.ts'

type Words = DecideWords['grant']

/** What is offered, with the bounds that somebody gave it. */
export function spanWords(words: Words, span: Span, choice: GrantChoice): string {
  const isChosen = choice.span === span
  if (span === 'hour') return words.duration[(isChosen && choice.expiresIn) || '1h']
  if (span === 'times') return words.times(isChosen ? usesOf(choice) : 5)
  return words.span[span]
}

/** What the button says. */
export function approveWords(words: Words, choice: GrantChoice): string {
  return words.approve(choice.where, choice.expiresIn, usesOf(choice))
}

/** What is left behind: which calls, where, and for how long. */
export function leftWords(words: Words, choice: GrantChoice): string {
  return `${choice.what === '' ? words.exact : choice.what}, ${words.left(choice.where, choice.expiresIn, usesOf(choice))}`
}
