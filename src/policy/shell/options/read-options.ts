/** The words of a command as options with their values, and arguments. */

import { knownPrograms } from '../../known-programs.ts'
import type { Invocation, Profile } from '../../starter/profile.ts'
import type { ShellWord } from '../reading.ts'
import { optionTableOf } from './option-table.ts'
import { readWords } from './read-words.ts'

export interface CommandOptions {
  readonly arguments: readonly ShellWord[]
  /** The arguments behind `--`. */
  readonly behindDashes: readonly ShellWord[]
  has(...names: string[]): boolean
  /** The same where long options may be cut short, as most programs take them: `--rec` is `--recursive`. */
  hasBeginning(...names: string[]): boolean
  values(...names: string[]): string[]
}

/** `valued`: options that take a value, besides those that the program's profile says. */
export function readOptions(
  program: string,
  words: readonly ShellWord[],
  valued: readonly string[] = [],
): CommandOptions {
  const takesValue = new Set([...valuedBy(program), ...valued])
  // The words of a sub-command are given without it.
  const how = { mayBeOption: () => false, valued: takesValue, depth: 0 }
  const { options, operands } = readWords(optionTableOf(program), words, how)
  const isOneOf = (names: readonly string[]) => (option: (typeof options)[number]) =>
    names.includes(option.name) || (option.sure && names.includes(option.key))
  return {
    arguments: operands.map(({ word }) => word),
    behindDashes: operands.filter(({ behindDashes }) => behindDashes).map(({ word }) => word),
    has: (...names) => options.some(isOneOf(names)),
    hasBeginning: (...names) =>
      options.some(
        (option) =>
          isOneOf(names)(option) ||
          names.some((one) => /^--\w/.test(option.name) && one.startsWith(option.name)),
      ),
    values: (...names) => options.filter(isOneOf(names)).map(({ value = '' }) => value),
  }
}

const known = new Map<string, ReadonlySet<string>>()

function valuedBy(program: string): ReadonlySet<string> {
  const already = known.get(program)
  if (already !== undefined) return already
  const profile = knownPrograms().get(program)
  const valued = new Set(profile === undefined ? [] : valuedIn(profile))
  known.set(program, valued)
  return valued
}

function valuedIn({ sets = {}, reads = [], commands = {}, before = {} }: Profile): string[] {
  const invocations: Invocation[] = [reads, ...Object.values(commands)].flat()
  return [before, ...Object.values(sets), ...invocations.map(({ options = {} }) => options)].flatMap(
    (options) =>
      Object.entries(options)
        .filter(([, kind]) => kind !== 'flag' && kind !== 'optional' && kind !== 'command')
        .flatMap(([names]) => names.split(' ')),
  )
}
