/** What is certain about a word before the line runs. */
import type { ShellWord } from '../reading.ts'

/** A number, as arithmetic in a shell takes it. */
export const NUMBER = /^\s*[+-]?(\d+|0[xX][0-9a-fA-F]+)\s*$/

/** One word with a value that is known. */
export function isFixed(word: ShellWord | undefined): word is ShellWord & { value: string } {
  return word !== undefined && word.value !== undefined && !word.pattern
}

/** A word that is a number whatever happens: `5`, `$#`, `$?`. */
export function isNumber(word: ShellWord): boolean {
  return NUMBER.test(word.value ?? '') || /^"?\$[#?$!]"?$/.test(word.text)
}
