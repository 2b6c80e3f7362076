/** The options and operands of a command of a line, read once. */
import type { ShellCommand, ShellWord } from '../reading.ts'
import { optionTableOf } from './option-table.ts'
import { type ReadLine, readWords } from './read-words.ts'
import { READING } from './word-reading.ts'

const LINES = new WeakMap<ShellCommand, ReadLine<ShellWord>>()

export function lineOf(command: ShellCommand): ReadLine<ShellWord> {
  const known = LINES.get(command)
  if (known !== undefined) return known
  const line = readWords(optionTableOf(command.program), command.words, READING)
  LINES.set(command, line)
  return line
}
