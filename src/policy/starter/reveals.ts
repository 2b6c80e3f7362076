/**
 * Whether a command may print passwords, keys or tokens, for the sentence that people read. It is read loosely and
 * vouches for nothing: that such a command is not allowed is up to what profiles name.
 */

import { knownPrograms } from '../known-programs.ts'
import type { ShellCommand } from '../shell/reading.ts'
import type { Revelation } from './profile.ts'

export function mayReveal({ program, words }: ShellCommand): boolean {
  const reveals = program === undefined ? undefined : knownPrograms().get(program)?.reveals
  if (reveals === undefined) return false
  const values = words.map(({ value, text }) => value ?? text)
  const options = values.filter((value) => value.startsWith('-')).map((value) => value.replace(/=.*/s, ''))
  const rest = values.filter((value) => !value.startsWith('-'))
  const holds = ({ command = [], options: named, bare }: Revelation) =>
    (bare !== true || values.length === 0) &&
    (named === undefined || named.some((option) => options.includes(option))) &&
    command.every((word) => rest.includes(word))
  return reveals.some(holds)
}
