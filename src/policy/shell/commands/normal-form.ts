/**
 * The one form in which a command is shown and remembered. It is itself shell text, and reading it gives the same
 * words again: so two commands with different words never look the same.
 */
import { quoteWord } from '../../../core/support/quote-word.ts'
import type { ShellWord } from '../reading.ts'

/** The program is given as it is to stand there: quoted, or from the source. */
export function commandText(program: string, words: readonly ShellWord[]): string {
  let text = program
  for (const word of words) text += ` ${wordText(word)}`
  return text
}

export function wordText(word: ShellWord): string {
  const { value } = word
  if (value === undefined || word.pattern) return sourceText(word.text)
  if (!isHomePath(word)) return quoteWord(value)
  return value.length <= 2 ? value : `~/${quoteWord(value.slice(2))}`
}

/** An unquoted `~` or `~/…`, which the shell turns into the home folder. */
export function isHomePath(word: ShellWord): boolean {
  return word.text.startsWith('~') && word.value !== undefined
}

/** A continued line is one line; inside single quotes nothing is continued. */
function sourceText(text: string): string {
  return text.includes("'") ? text : text.replaceAll('\\\n', '')
}
