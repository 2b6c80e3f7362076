/** The options and operands of a command of a line, read once. */

import { kept } from '../../../core/support/kept.ts'
import { optionTableOf } from '../../known-programs.ts'
import type { ShellCommand, ShellWord } from '../reading.ts'
import { type ReadLine, readWords } from './read-words.ts'
import { READING } from './word-reading.ts'

export const lineOf = kept(({ program, words }: ShellCommand) => readLine(program, words))

export function readLine(program: string | undefined, words: readonly ShellWord[]): ReadLine<ShellWord> {
  return readWords(optionTableOf(program), words, READING)
}

/** The module that Python runs, however its options are put together, and the words behind it: `-Im pip`, `-mpip`. */
export function moduleOf(
  words: readonly ShellWord[],
): { name: string | undefined; rest: readonly ShellWord[] } | undefined {
  const { options } = readLine('python', words)
  const option = options.find(({ key }) => key === '-m' || key === '-c')
  if (option?.key !== '-m') return undefined
  return { name: option.value, rest: words.slice(words.indexOf(option.holder ?? option.word) + 1) }
}

export interface SubCommand {
  readonly word: ShellWord
  /** Its place among the words of the command. */
  readonly at: number
  /** The operands behind it. */
  readonly operands: readonly ShellWord[]
}

/**
 * The words that may be the sub-command: the first operand, and where that may be the value of an option that nobody
 * knows, the next one too.
 */
export function subCommandsOf(
  { operands }: ReadLine<ShellWord>,
  words: readonly ShellWord[],
): readonly SubCommand[] {
  const sure = operands.findIndex(({ inDoubt }) => !inDoubt)
  const first = operands.slice(0, sure === -1 ? MAX_SUB_COMMANDS : Math.min(sure + 1, MAX_SUB_COMMANDS))
  return first.map(({ word }, at) => ({
    word,
    at: words.indexOf(word),
    operands: operands.slice(at + 1).map((one) => one.word),
  }))
}

/** More words in doubt than that nobody writes before a sub-command. */
const MAX_SUB_COMMANDS = 8

/**
 * The words of a command that only say what it leaves out: `--exclude-dir=x` of `grep`, `-g '!x'` of `rg`. The file that
 * they name is not opened. The program's row names such options, and a word counts only where it can be nothing else.
 */
export function excludedWords(command: ShellCommand): ReadonlySet<ShellWord> {
  const { table, options, operands } = lineOf(command)
  if (table.of.excludes === undefined && table.of.negates === undefined) return NONE
  const found = new Set<ShellWord>()
  const places = new Map(command.words.map((word, at) => [word, at]))
  // Behind an operand some systems take every word for one, and a word in doubt may be `--`.
  const end = Math.min(...operands.map(({ word }) => places.get(word) ?? 0))
  const open = new Set(options.flatMap((option) => (takesMore(option) ? [option.word] : [])))
  for (const { key, value, holder, sure, word, table: row } of options) {
    if (!sure || value === undefined || holder === undefined) continue
    if (!row.does('excludes', key) && !(row.does('negates', key) && value.startsWith('!'))) continue
    const at = places.get(word) ?? 0
    const before = command.words[at - 1]
    if (holder !== word && (at > end || (before !== undefined && open.has(before)))) continue
    found.add(word)
    found.add(holder)
  }
  return found
}

/** Whether the word behind an option may be its value, although it looks like an option, or that of letters behind this one. */
function takesMore({
  key,
  name,
  table,
  holder,
  word,
}: ReturnType<typeof lineOf>['options'][number]): boolean {
  const takes = table.find(key)?.takes
  if (holder === word) return /^-[^-]$/.test(name) && takes !== 'value' && takes !== 'nothing'
  return takes === undefined || takes === 'maybe'
}

const NONE: ReadonlySet<ShellWord> = new Set()
