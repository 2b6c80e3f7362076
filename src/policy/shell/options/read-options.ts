/** The words of a command as options with their values, and arguments. */

import { knownPrograms } from '../../known-programs.ts'
import type { Invocation, Profile } from '../../starter/profile.ts'
import type { ShellWord } from '../reading.ts'

export interface CommandOptions {
  readonly arguments: readonly ShellWord[]
  /** The arguments behind `--`. */
  readonly behindDashes: readonly ShellWord[]
  has(...names: string[]): boolean
  /** The same where long options may be cut short, as most programs take them: `--rec` is `--recursive`. */
  hasBeginning(...names: string[]): boolean
  values(...names: string[]): string[]
  /** Every option in its order, with its value as a word; undefined where it has none. */
  readonly found: readonly { readonly name: string; readonly word: ShellWord | undefined }[]
}

/**
 * `valued`: options that take a value, besides those that the program's profile says. `cut`: long ones of them may be cut
 * short, and are then found by their whole name.
 */
export function readOptions(
  program: string,
  words: readonly ShellWord[],
  valued: readonly string[] = [],
  cut = false,
): CommandOptions {
  const takesValue = new Set([...valuedBy(program), ...valued])
  const found: { name: string; word: ShellWord | undefined }[] = []
  const whole = (name: string) =>
    !cut || takesValue.has(name) || !/^--\w{2}/.test(name)
      ? name
      : (valued.find((one) => one.startsWith(name)) ?? name)
  const rest: ShellWord[] = []
  const dashed: ShellWord[] = []
  let ended = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const { value } = word
    if (ended || value === undefined || !/^-./.test(value)) {
      rest.push(word)
      if (ended) dashed.push(word)
    } else if (value === '--') ended = true
    else if (value.startsWith('--')) {
      const equals = value.indexOf('=')
      const name = whole(equals === -1 ? value : value.slice(0, equals))
      const takes = equals === -1 && takesValue.has(name)
      const glued = equals === -1 ? undefined : fixedWord(value.slice(equals + 1), word)
      found.push({ name, word: takes ? words[++at] : glued })
    } else if (takesValue.has(value)) found.push({ name: value, word: words[++at] })
    else {
      for (let letter = 1; letter < value.length; letter++) {
        const name = `-${value[letter]}`
        const glued = value.slice(letter + 1)
        if (!takesValue.has(name)) found.push({ name, word: undefined })
        else {
          found.push({ name, word: glued === '' ? words[++at] : fixedWord(glued, word) })
          break
        }
      }
    }
  }
  return {
    arguments: rest,
    behindDashes: dashed,
    found,
    has: (...names) => found.some(({ name }) => names.includes(name)),
    hasBeginning: (...names) =>
      found.some(({ name }) =>
        names.some((one) => one === name || (/^--\w/.test(name) && one.startsWith(name))),
      ),
    values: (...names) =>
      found.filter(({ name }) => names.includes(name)).map(({ word }) => word?.value ?? ''),
  }
}

function fixedWord(value: string, { pattern }: ShellWord): ShellWord {
  return { text: value, value, pattern }
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
