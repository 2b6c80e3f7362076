/**
 * Finds where the options of a program end. Options are named, never guessed: one that is not known, or is cut short, may take the
 * next word for its value or not, so nothing after it can be told apart, and the caller has to say so.
 */
import { optionTableFrom } from '../options/option-table.ts'
import { type ReadOption, readWords } from '../options/read-words.ts'
import type { ShellWord } from '../reading.ts'

export interface ParsedOptions {
  /** The first word that is no option; the number of words where there is none. */
  readonly end: number
  /** As they were written: `-u`, `--unset`. A value, where it was given, by the last of its kind. */
  readonly found: ReadonlyMap<string, ShellWord | undefined>
  /** The first word that is not understood. Nothing after it was read. */
  readonly unknown: number | undefined
}

/** `names`: the options that are known, as the rows of programs name them. `numbers`: so is `-10`. */
export function parseOptions(
  words: readonly ShellWord[],
  from: number,
  names: string,
  numbers = false,
): ParsedOptions {
  const given = words.slice(from)
  const line = readWords(optionTableFrom(names, 'first'), given, {
    mayBeOption: (word) => !isKnownWord(word),
  })
  // What is left out of a line stands in it more than once, as the same word.
  const places = new Map(given.map((word, at): [ShellWord, number] => [word, from + at]).reverse())
  const placeOf = (word: ShellWord) => places.get(word) ?? words.length
  const [operand] = line.operands
  const end = operand === undefined ? words.length : placeOf(operand.word)
  const found = new Map<string, ShellWord | undefined>()
  for (const option of line.options) {
    const at = placeOf(option.word)
    if (at > end) break
    if (!isUnderstood(option) && !(numbers && /^-\d+$/.test(option.name)))
      return { end: at, found, unknown: at }
    const { name, value, holder, word } = option
    found.set(name, holder === word ? { text: value ?? '', value, pattern: false } : holder)
  }
  return { end, found, unknown: operand?.inDoubt === true ? end : undefined }
}

/** One that is known by this very name, with a value where it takes one and without where it takes none. */
function isUnderstood({ name, value, holder, table }: ReadOption<ShellWord>): boolean {
  const takes = table.find(name)?.takes
  if (takes === undefined || (takes === 'nothing' && value !== undefined)) return false
  return takes !== 'value' || isOneWord(holder)
}

/** A word that comes to exactly one word, whatever its value. */
export function isOneWord(word: ShellWord | undefined): boolean {
  return word !== undefined && !word.pattern
}

function isKnownWord({ value, pattern }: ShellWord): boolean {
  return value !== undefined && !pattern
}
