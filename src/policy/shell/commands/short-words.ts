/**
 * Of a command in a line that is too long, the first and the last words, with a hole for the words between: the beginning
 * says what the command does, and the end often to what.
 */
import type { ShellWord } from '../reading.ts'
import { UNKNOWN_WORDS } from './inner-command.ts'

/** How many words of each command are looked at, one try after the other. Absent: all. */
export const TRIED_LENGTHS: readonly (number | undefined)[] = [undefined, 48, 6]

export function shortWords(words: readonly ShellWord[], most: number | undefined): readonly ShellWord[] {
  if (most === undefined || words.length <= most) return words
  const last = Math.floor(most / 3)
  return [...words.slice(0, most - last), UNKNOWN_WORDS, ...words.slice(words.length - last)]
}
