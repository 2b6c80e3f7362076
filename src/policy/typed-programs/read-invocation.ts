/** What a program is called with: which options, and what else. Only as far as it tells whether it waits for what is typed. */
import type { ProgramOptionTable } from '../shell/options/option-table.ts'
import type { ShellWord } from '../shell/reading.ts'

export interface OptionForms {
  /** Letters whose value follows. */
  readonly values?: string
  /** Long names, without dashes, whose value follows. */
  readonly longValues?: readonly string[]
  /** Long names begin with one dash, and letters can't be put together. */
  readonly singleDash?: true
  /** What is known of the program besides. */
  readonly table?: ProgramOptionTable | undefined
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

export function readInvocation(words: readonly ShellWord[], forms: OptionForms = {}): CalledWith {
  const options = new Map<string, string>()
  const operands: string[] = []
  let first: number | undefined
  let isUnsure = false
  let onlyOperands = false
  for (let at = 0; at < words.length; at++) {
    const { value, text } = words[at]!
    if (value === undefined) {
      // A path is no option, whatever the rest of it is; and `find` and `xargs` put files in.
      if (/\/|^(?:…|\{\})$/.test(text)) operands.push(UNKNOWN_VALUE)
      else isUnsure = true
      first ??= at
    } else if (!onlyOperands && value === '--') onlyOperands = true
    else if (onlyOperands || !/^[-+]./.test(value)) {
      operands.push(value)
      first ??= at
    } else {
      const found = optionsIn(value, forms)
      for (const [name, given] of found.options) options.set(name, given)
      if (found.takesNext && at + 1 < words.length) {
        at++
        options.set(found.last, words[at]!.value ?? UNKNOWN_VALUE)
      }
    }
    if (forms.endsAtOperand && operands.length > 0) onlyOperands = true
  }
  return { options, operands, rest: words.slice(first ?? words.length), isUnsure }
}

interface FoundOptions {
  options: [string, string][]
  last: string
  takesNext: boolean
}

function optionsIn(
  word: string,
  { values = '', longValues = [], singleDash, table }: OptionForms,
): FoundOptions {
  const takesValue = (name: string) => table?.find(name)?.takes === 'value'
  const long = /^(--?[^=]+)(?:=(.*))?$/s.exec(word)
  if (long !== null && (word.startsWith('--') || singleDash)) {
    const [, name = word, given] = long
    const isValued = longValues.includes(name.replace(/^--?/, '')) || takesValue(name)
    const takesNext = given === undefined && isValued
    return { options: [[name, given ?? '']], last: name, takesNext }
  }
  const options: [string, string][] = []
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]}`
    if (values.includes(word[at]!) || takesValue(name)) {
      const given = word.slice(at + 1)
      return { options: [...options, [name, given]], last: name, takesNext: given === '' }
    }
    options.push([name, ''])
  }
  return { options, last: '', takesNext: false }
}
