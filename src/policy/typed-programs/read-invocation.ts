/** What a program is called with: which options, and what else. Only as far as it tells whether it waits for what is typed. */
import type { ProgramOptionTable } from '../shell/options/option-table.ts'
import { readWords } from '../shell/options/read-words.ts'
import type { ShellWord } from '../shell/reading.ts'

export interface OptionForms {
  /** Options whose value follows, where no row of the program says so. */
  readonly values?: string
  /** Long names begin with one dash, and letters can't be put together. */
  readonly singleDash?: true
  /** Behind the first word that is no option, everything belongs to that. */
  readonly endsAtOperand?: true
}

export interface CalledWith {
  /** `-c`, `--command`; with the value where one follows. */
  readonly options: ReadonlyMap<string, string>
  readonly operands: readonly string[]
  /** The words from the first operand on. */
  readonly rest: readonly ShellWord[]
  /** A word that is known only when the line runs, and may be any option, or nothing. */
  readonly isUnsure: boolean
}

/** What is known only when the line runs. */
export const UNKNOWN_VALUE = '\0'

/** The program's own input, by a name. */
const OWN_INPUT = /^(?:-|\/dev\/(?:stdin|tty|fd\/\d+|pts\/\d+|console)|\/proc\/\w+\/fd\/\d+)$/

export function isOwnInput(value: string): boolean {
  return OWN_INPUT.test(value)
}

export function readInvocation(
  table: ProgramOptionTable,
  words: readonly ShellWord[],
  { values = '', endsAtOperand }: OptionForms = {},
): CalledWith {
  // Where long names have one dash, two mean the same.
  const valued = new Set(
    values.split(' ').flatMap((name) => (/^-\w\w/.test(name) ? [name, `-${name}`] : name)),
  )
  // No word is a sub-command, and options may stand behind every operand: `ssh host -t`.
  const line = readWords(table, words, { mayBeOption: isUnsure, valued, depth: Number.POSITIVE_INFINITY })
  // `+x` turns an option off.
  const given = line.operands.filter(
    ({ word, behindDashes }) => behindDashes || !/^\+./.test(word.value ?? ''),
  )
  const first = given[0] === undefined ? words.length : words.indexOf(given[0].word)
  const own = new Set(endsAtOperand ? words.slice(0, first) : words)
  const options = new Map<string, string>()
  for (const { name, key, value, holder, sure, word, table: row } of line.options) {
    if (!own.has(word)) continue
    const text = value ?? (holder === undefined ? '' : UNKNOWN_VALUE)
    for (const one of [name, ...((sure && row.find(key)?.names) || [])]) options.set(one, text)
  }
  const rest = words.slice(first)
  const operands = (endsAtOperand ? rest : given.map(({ word }) => word)).filter((word) => !isUnsure(word))
  return {
    options,
    operands: operands.map(({ value }) => value ?? UNKNOWN_VALUE),
    rest,
    isUnsure: words.some((word) => isUnsure(word)),
  }
}

/** A path is no option, whatever the rest of it is; and `find` and `xargs` put files in. */
function isUnsure({ value, text }: ShellWord): boolean {
  return value === undefined && !/\/|^(?:…|\{\})$/.test(text)
}
