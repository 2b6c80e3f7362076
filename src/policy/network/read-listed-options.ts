/**
 * The words of a command as options with their values, and arguments, by a list of the options that take a value. What is known
 * of a program beyond that isn't asked: a host that is read out of a word too many has a person asked, one too few doesn't.
 */

import type { ShellWord } from '../shell/reading.ts'

export interface ListedOptions {
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

/** `valued`: options that take a value. `cut`: long ones of them may be cut short, and are then found by their whole name. */
export function readListedOptions(
  words: readonly ShellWord[],
  valued: readonly string[] = [],
  cut = false,
): ListedOptions {
  const takesValue = new Set(valued)
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
