/** The words of a command as options with their values, and arguments. */

import { defined } from '../../../core/defined.ts'
import { optionTableOf } from '../../known-programs.ts'
import { spendSteps } from '../../steps.ts'
import type { ShellWord } from '../reading.ts'
import { type ReadLine, type ReadOption, readWords } from './read-words.ts'
import { READING } from './word-reading.ts'

export interface CommandOptions {
  readonly arguments: readonly ShellWord[]
  /** The arguments behind `--`. */
  readonly behindDashes: readonly ShellWord[]
  /** Arguments that may be the value of the option before. */
  readonly doubtful: ReadonlySet<ShellWord>
  /** Every option in its order. */
  readonly found: readonly FoundOption[]
  /** By any of its names, whole or cut short as far as the program's row knows them. */
  has(...names: string[]): boolean
  values(...names: string[]): string[]
}

export interface FoundOption {
  /** As it is written, and every other name that it has. */
  readonly names: readonly string[]
  /** Its value as a word; undefined where it has none. */
  readonly word: ShellWord | undefined
  /** Whether it surely is this option. */
  readonly sure: boolean
  /** It is known what it takes. */
  readonly isKnown: boolean
}

/**
 * `words` are those behind the program. `valued`: options that take a value, besides those that its row says. A word that is known
 * only when the line runs may be an option.
 */
export function readOptions(
  program: string,
  words: readonly ShellWord[],
  valued: ReadonlySet<string> = NO_NAMES,
): CommandOptions {
  return optionsIn(readWords(optionTableOf(program), words, { ...READING, valued }), valued)
}

/** The same where each word is what it looks like: `--include=*.ts` finds no file. */
export function readWritten(
  program: string,
  words: readonly ShellWord[],
  valued?: ReadonlySet<string>,
): CommandOptions {
  return optionsIn(
    readWords(optionTableOf(program), words, { mayBeOption: () => false, ...defined({ valued }) }),
  )
}

const NO_NAMES: ReadonlySet<string> = new Set()

export function optionsIn(
  { options, operands }: ReadLine<ShellWord>,
  valued: ReadonlySet<string> = NO_NAMES,
): CommandOptions {
  const isOneOf = (names: readonly string[]) => {
    spendSteps(options.length)
    return ({ name, key, sure }: (typeof options)[number]) =>
      names.includes(name) || (sure && names.includes(key))
  }
  return {
    arguments: operands.map(({ word }) => word),
    behindDashes: operands.filter(({ behindDashes }) => behindDashes).map(({ word }) => word),
    doubtful: new Set(operands.filter(({ inDoubt }) => inDoubt).map(({ word }) => word)),
    get found() {
      spendSteps(options.length)
      return options.map((option) => foundOption(option, valued))
    },
    has: (...names) => options.some(isOneOf(names)),
    values: (...names) => options.filter(isOneOf(names)).map(({ value = '' }) => value),
  }
}

function foundOption(option: ReadOption<ShellWord>, valued: ReadonlySet<string>): FoundOption {
  const { name, key, sure, table } = option
  const known = table.find(key)
  const names = [name, key, ...(known?.names ?? [])]
  return { names, word: valueWord(option), sure, isKnown: known !== undefined || valued.has(key) }
}

/** Where it is glued to the option, without that. */
function valueWord({ value, holder, next, word }: ReadOption<ShellWord>): ShellWord | undefined {
  if (holder === undefined || holder !== word) return holder ?? next
  const { pattern, text } = holder
  if (value !== undefined) return { text: value, value, pattern }
  const glued = /^(?:--[\w-]+=|-\w)(.*)$/s.exec(text)?.[1]
  return glued === undefined ? undefined : { text: glued, value, pattern }
}
