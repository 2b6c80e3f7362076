/**
 * Finds where the options of a program end. Options are named, never guessed: one that is not known may take the next
 * word for its value or not, so nothing after it can be told apart, and the caller has to say so.
 */
import type { ShellWord } from '../reading.ts'

export interface OptionTable {
  /** Letters without a value, with a value (glued or the next word), and with one that may only be glued. */
  readonly flags?: string
  readonly values?: string
  readonly optional?: string
  readonly longFlags?: readonly string[]
  readonly longValues?: readonly string[]
  readonly longOptional?: readonly string[]
}

export interface ParsedOptions {
  /** The first word that is no option; the number of words where there is none. */
  readonly end: number
  /** As they were written: `-u`, `--unset`. A value, where it was given, by the last of its kind. */
  readonly found: ReadonlyMap<string, ShellWord | undefined>
  /** The first word that is not understood. Nothing after it was read. */
  readonly unknown: number | undefined
}

export function parseOptions(words: readonly ShellWord[], from: number, table: OptionTable): ParsedOptions {
  const found = new Map<string, ShellWord | undefined>()
  let at = from
  for (; at < words.length; at++) {
    const word = words[at]
    if (word?.value === undefined || word.pattern) return { end: at, found, unknown: at }
    const value = word.value
    if (value === '--') return { end: at + 1, found, unknown: undefined }
    if (value === '-' || !value.startsWith('-')) break
    const next = value.startsWith('--')
      ? readLong(value, words[at + 1], table, found)
      : readShort(value, words[at + 1], table, found)
    if (next === undefined) return { end: at, found, unknown: at }
    at += next
  }
  return { end: Math.min(at, words.length), found, unknown: undefined }
}

/** A word that comes to exactly one word, whatever its value. */
export function isOneWord(word: ShellWord | undefined): boolean {
  return word !== undefined && !word.pattern
}

/** How many words were taken besides the option; undefined where the option is not known. */
function readLong(
  value: string,
  next: ShellWord | undefined,
  table: OptionTable,
  found: Map<string, ShellWord | undefined>,
): number | undefined {
  const equals = value.indexOf('=')
  const name = value.slice(2, equals === -1 ? undefined : equals)
  const glued = equals === -1 ? undefined : fixedWord(value.slice(equals + 1))
  if (table.longFlags?.includes(name) && glued === undefined) return record(found, `--${name}`, undefined, 0)
  if (table.longOptional?.includes(name)) return record(found, `--${name}`, glued, 0)
  if (!table.longValues?.includes(name)) return undefined
  if (glued !== undefined) return record(found, `--${name}`, glued, 0)
  return isOneWord(next) ? record(found, `--${name}`, next, 1) : undefined
}

function readShort(
  value: string,
  next: ShellWord | undefined,
  table: OptionTable,
  found: Map<string, ShellWord | undefined>,
): number | undefined {
  for (let index = 1; index < value.length; index++) {
    const letter = value.charAt(index)
    const rest = value.slice(index + 1)
    if (table.flags?.includes(letter)) found.set(`-${letter}`, undefined)
    else if (table.optional?.includes(letter)) return record(found, `-${letter}`, fixedWord(rest), 0)
    else if (!table.values?.includes(letter)) return undefined
    else if (rest !== '') return record(found, `-${letter}`, fixedWord(rest), 0)
    else return isOneWord(next) ? record(found, `-${letter}`, next, 1) : undefined
  }
  return 0
}

function record(
  found: Map<string, ShellWord | undefined>,
  name: string,
  value: ShellWord | undefined,
  taken: number,
): number {
  found.set(name, value)
  return taken
}

function fixedWord(value: string): ShellWord {
  return { text: value, value, pattern: false }
}
