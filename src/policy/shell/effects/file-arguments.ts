/** The words of a command that changes files, as such programs commonly read them. */

import { writeOutBraces } from '../../matchers/spellings.ts'
import type { ShellWord } from '../reading.ts'

export function argumentsIn(words: readonly ShellWord[]): ShellWord[] {
  const end = words.findIndex(({ value }) => value === '--')
  return words.filter((word, at) => (end !== -1 && at > end) || !(word.value ?? word.text).startsWith('-'))
}

export function sourcesIn(words: readonly ShellWord[]): ShellWord[] {
  const target = targetOption(words)
  return target === undefined
    ? argumentsIn(words).slice(0, -1)
    : argumentsIn(words).filter((word) => word !== target)
}

export function targetOption(words: readonly ShellWord[]): ShellWord | undefined {
  for (const [at, { value }] of words.entries()) {
    if (value === '--target-directory' || /^-[a-zA-Z]*t$/.test(value ?? '')) return words[at + 1]
    const glued = /^(?:--target-directory=|-t)(.+)$/s.exec(value ?? '')?.[1]
    if (glued !== undefined) return { text: glued, value: glued, pattern: false }
  }
  return undefined
}

/** By one of the letters, alone or among others, or by the long name or its beginning. */
export function hasOption(words: readonly ShellWord[], letters: string, long: string): boolean {
  for (const { value = '' } of words) {
    if (value === '--') return false
    if (value.length > 3 && `--${long}`.startsWith(value)) return true
    if (/^-[^-]/.test(value) && [...letters].some((letter) => value.includes(letter))) return true
  }
  return false
}

export function optionValue(words: readonly ShellWord[], long: string, short = ''): string | undefined {
  for (const [at, { value = '' }] of words.entries()) {
    if (value === `--${long}` || (short !== '' && value === `-${short}`)) return words[at + 1]?.value
    if (value.startsWith(`--${long}=`)) return value.slice(long.length + 3)
    if (short !== '' && value.startsWith(`-${short}`)) return value.slice(2)
  }
  return undefined
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
