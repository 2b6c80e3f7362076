/** Whether an allow says some words of a command itself, and leaves none of them to a `*`. */
import type { ShellCommand, ShellWord } from '../reading.ts'
import { compileCommandPattern, parseCommandPattern } from './command-pattern.ts'

export function saysWords(pattern: string, command: ShellCommand, words: readonly ShellWord[]): boolean {
  if (words.length === 0) return parseCommandPattern(pattern)?.open === false && matches(pattern, command)
  const written = parseCommandPattern(pattern)?.words.map(({ value }) => value) ?? []
  const says = ({ value }: ShellWord) =>
    value !== undefined && !value.includes('*') && written.includes(value)
  return words.every(says) && matches(pattern, command)
}

function matches(pattern: string, command: ShellCommand): boolean {
  return compileCommandPattern(pattern)(command) === 'yes'
}
