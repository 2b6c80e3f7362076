/**
 * Text that goes to a terminal. What came from outside and was not rendered yet goes through `display`; what a server
 * has rendered is not rendered twice, but no control character of it gets through either, since it is the server's
 * word that it did (P9).
 */
import { makeVisible } from '../../display/text/visible.ts'

/** One line of a text from outside. */
export function visible(text: string): string {
  return makeVisible(text).text
}

/** Several lines of a text from outside. */
export function visibleLines(text: string): string {
  return makeVisible(text, { lines: 'keep' }).text
}

/** A text that was rendered elsewhere. */
export function rendered(text: string): string {
  return text.replace(UNSEEN, (character) => makeVisible(character).text)
}

/** JSON in which every character can be seen: what can't is written as an escape, which says the same. */
export function safeJson(value: unknown, indent?: number): string {
  return escapeUnseen(JSON.stringify(value, undefined, indent))
}

/** The same for text that is JSON already. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}

/** Controls, format characters, and whatever has no picture; line breaks and tabs do their own work. */
const UNSEEN = /[[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]--[\n\t\ufe0f]]/gv
