/** The words of a command that changes files, as such programs commonly read them. */

import { writeOutBraces } from '../../matchers/spellings.ts'
import type { CommandOptions } from '../options/read-options.ts'
import type { ShellWord } from '../reading.ts'

/** What is copied or moved: all but the last argument, where it lands, unless an option says that. */
export function sourcesIn(options: CommandOptions): readonly ShellWord[] {
  return targetOption(options) === undefined ? options.arguments.slice(0, -1) : options.arguments
}

export function targetOption({ found }: CommandOptions): ShellWord | undefined {
  return found.find(({ names, sure }) => sure && names.includes('--target-directory'))?.word
}

/** Where a word leads, also by the names that a shell has for the folder it is in. */
export function pathOf(word: ShellWord | undefined): string | undefined {
  if (word?.value !== undefined) return word.value
  const written = word?.text
    .replace(/["']/g, '')
    .replace(/^(?:\$PWD\b|\$\{PWD\}|\$\(pwd\)|`pwd`|~\+)/, '.')
    .replace(/^(?:\$HOME\b|\$\{HOME\})/, '~')
  return written === undefined || /[$`{(…]/.test(written) ? undefined : written
}

/** `{.,}*` is `.*` and `*`. */
export function writtenOut(word: ShellWord): ShellWord[] {
  if (word.value !== undefined || !word.text.includes('{')) return [word]
  const texts = writeOutBraces(word.text.replace(/["'\\]/g, '')).split(' ')
  return texts.map((text) => ({ text, value: undefined, pattern: true }))
}
