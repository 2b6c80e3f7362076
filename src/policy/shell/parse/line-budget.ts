/**
 * What is left to be spent on a line. One budget is shared by all that is read of it, however deep, and is counted in
 * things and never in time: the same line is too long everywhere, or nowhere.
 */

import { LineTooLong } from '../../steps.ts'
import type { ShellCommand, ShellWord } from '../reading.ts'
import { LINE_LIMITS } from './line-limits.ts'

type Spent = 'parsed' | 'steps' | 'commands' | 'words' | 'written' | 'doubts'

export interface LineBudget {
  /** Throws `LineTooLong` where there is less left than that. */
  spend(what: Spent, amount: number): void
  /** For a command that is put down. */
  spendOn(command: Pick<ShellCommand, 'words' | 'text' | 'through' | 'folder' | 'redirections'>): void
  left(what: Spent): number
}

/** What a wildcard may come to is compared with every name of a pattern, letter by letter. */
function weigh(sum: number, { text, pattern }: ShellWord): number {
  return sum + (pattern ? 8 + Math.floor(text.length / 8) : 1)
}

/** The file that one names is looked for among all that the command names. */
const WORDS_A_REDIRECTION = 4

export function createLineBudget(): LineBudget {
  const left: Record<Spent, number> = { ...LINE_LIMITS }
  function spend(what: Spent, amount: number): void {
    left[what] -= amount
    if (left[what] < 0) throw new LineTooLong(what)
  }
  return {
    spend,
    spendOn({ words, text, through, folder = '', redirections }) {
      spend('commands', 1)
      // Every command has a list of what it was looked through of its own, and of the files around it.
      spend('words', words.reduce(weigh, through.length + WORDS_A_REDIRECTION * redirections.length))
      // Each word may be a path in the folder.
      spend('written', text.length + folder.length * words.length)
    },
    left: (what) => left[what],
  }
}
