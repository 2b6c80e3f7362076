/**
 * What a text that can't be parsed might run: every piece between the marks that end a command is taken for one. Much
 * of it is no command at all. It is there so that a deny finds its program in a text that only some shell understands,
 * and it always goes with a doubt.
 */
import { putAnywhere } from './anywhere.ts'
import type { ShellWord } from './reading.ts'
import type { Scope, Span } from './scope.ts'

const WORDS_BEFORE_A_COMMAND =
  /^(\s*(if|then|elif|else|while|until|do|for|in|case|select|function|time|coproc|!))*\s+/

export function readLoosely(text: string, span: Span, scope: Scope): void {
  for (const piece of text.split(/[;&|\n(){}`]+/)) {
    const bare = ` ${piece}`.replace(WORDS_BEFORE_A_COMMAND, '')
    const words = bare
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(looseWord)
    if (words.length > 0) putAnywhere(words, 0, span, scope, () => {})
  }
}

function looseWord(text: string): ShellWord {
  const value = text.replace(/['"\\]/g, '')
  return text.includes('$')
    ? { text, value: undefined, pattern: true }
    : { text: value, value, pattern: false }
}
