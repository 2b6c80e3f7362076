/** Which words of a line may be options although their value is known only when it runs. */
import type { ShellWord } from '../reading.ts'
import type { WordReading } from './read-words.ts'

/** How the words of a line are read. */
export const READING: WordReading<ShellWord> = { mayBeOption, beginning }

/** What stands before the first thing that a shell replaces, where that is plain. Quotes are no part of it. */
function beginning({ value, text }: ShellWord): string {
  return /^[\w=.,:/-]*/.exec(value ?? text.replaceAll(/["']/g, ''))?.[0] ?? ''
}

/** A word that is known only when the line runs, or a file that a wildcard finds, may be an option. */
export function mayBeOption({ value, pattern, text }: ShellWord): boolean {
  if (value === undefined) return !/^["']*[\w./~@%+,:=]|^[<>]\(/.test(text)
  return pattern && /^[-*?[{]/.test(value)
}

/**
 * Whether somebody else than the line decides what it is: it begins with a variable of the environment. To set one is a doubt of
 * its own; names of loops and of `read` are in lower case or one letter.
 */
export function isOfEnvironment({ text }: ShellWord): boolean {
  return /^"?\$\{?[A-Z_][A-Z0-9_]+\}?/.test(text)
}
