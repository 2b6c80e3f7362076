/**
 * Patterns of commands as a deny or an ask reads them. For an allow only what is written matches; here an option
 * matches however it is spelled, combined or placed.
 *
 * - A word of the pattern that begins with `-`, before a `--`, is an option. All others are operands.
 * - Each option of the pattern must be among the options of the command, by any of its names, with the value that the
 *   pattern gives it. Further options of the command don't matter.
 * - The operands are compared in order, as ever. A `*` among them stands for any number of words, none included. Further
 *   operands match only where the pattern ends in ` *`.
 * - Whatever matches as it is written matches.
 *
 * `unknown` where some reading of the command would match: a word that may be an option's value or an operand, letters
 * that may be options or a value, words that are known only when the line runs.
 */
import { compileGlob } from '../../matchers/globs/glob.ts'
import { bothMatch, eitherMatches, type MatchResult } from '../../matchers/match-result.ts'
import type { ProgramOptionTable } from '../options/option-table.ts'
import { type ReadLine, type ReadOption, readWords } from '../options/read-words.ts'
import type { ShellWord } from '../reading.ts'
import {
  type CommandMatcher,
  compileCommandPattern,
  compileWords,
  type ParsedPattern,
  parseCommandPattern,
  type Spelled,
} from './command-pattern.ts'
import type { PatternWord } from './split-pattern.ts'
import { type StoppedCommand, stoppedCommand } from './stopped-command.ts'

export function compileStoppingPattern(pattern: string): CommandMatcher {
  const asWritten = compileCommandPattern(pattern)
  const parsed = parseCommandPattern(pattern)
  if (parsed === undefined) return asWritten
  // A `*` at the end of an option stands for words too.
  const open = parsed.open || /^-.*\*$/s.test(parsed.words.at(-1)?.value ?? '')
  const isPlain = parsed.words.every(({ value }) => !value.startsWith('-') && value !== '*')
  const wantsOption = parsed.words.some(
    ({ value }, at) => value.startsWith('-') && isBeforeDashes(parsed.words, at),
  )
  const byTable = new Map<ProgramOptionTable, PatternReading[]>()
  return (command) => {
    const written = asWritten(command)
    if (written === 'yes' || command.program === undefined) return written
    const stopped = stoppedCommand(command)
    // Most commands have no options, and most patterns want one.
    if (stopped.isPlain && (isPlain || (wantsOption && !stopped.table.has('none')))) return written
    let readings = byTable.get(stopped.table)
    if (readings === undefined) {
      readings = readPattern({ ...parsed, open }, stopped)
      byTable.set(stopped.table, readings)
    }
    return eitherMatches(written, agreed(readings.map((reading) => matchesReading(reading, stopped))))
  }
}

function isBeforeDashes(words: readonly PatternWord[], at: number): boolean {
  const dashes = words.findIndex(({ value }) => value === '--')
  return dashes === -1 || at < dashes
}

/** One way to understand the pattern with the options of a program or sub-command. */
interface PatternReading {
  readonly options: readonly WantedOption[]
  readonly keys: ReadonlySet<string>
  /** Of several one must match: with and without the words that a `*` stands for. */
  readonly operands: readonly ((spelled: Spelled) => MatchResult)[]
  /** Operands without a wildcard. */
  readonly plain: readonly string[]
}

interface WantedOption {
  /** Undefined for one with a wildcard in its name. */
  readonly key: string | undefined
  readonly name: (written: string) => boolean
  readonly value: ((value: string) => boolean) | undefined
}

/** More words than that in a pattern of which it is not known what they are: only the two plainest readings are tried. */
const MAX_DOUBTS = 5

function readPattern(
  { program, words, open }: ParsedPattern,
  { table, depth }: StoppedCommand,
): PatternReading[] {
  const dashes = words.findIndex(({ value }) => value === '--')
  const wild = words
    .slice(0, dashes === -1 ? undefined : dashes)
    .filter(({ value }) => isWildOption(value, table))
  const read = words
    .filter((word) => !wild.includes(word))
    .map((word) => (/^-[a-zA-Z]+\*$/.test(word.value) ? { ...word, value: word.value.slice(0, -1) } : word))
  const line = readWords(table, read, { mayBeOption: () => false, depth })
  const doubts = line.operands.filter(({ inDoubt }) => inDoubt).map(({ word }) => word)
  const sets =
    doubts.length > MAX_DOUBTS ? [0, -1] : Array.from({ length: 2 ** doubts.length }, (_, set) => set)
  return sets.map((set) => {
    const taken = new Set(doubts.filter((_, place) => (set & (1 << place)) !== 0))
    return createReading({ program, words: [], open }, line, wild, taken)
  })
}

function isWildOption(value: string, table: ProgramOptionTable): boolean {
  const name = value.replace(/=.*$/s, '')
  if (!name.startsWith('-') || !name.includes('*')) return false
  return table.has('words') || !/^-[a-zA-Z]+\*$/.test(value)
}

function createReading(
  { program, open }: ParsedPattern,
  line: ReadLine<PatternWord>,
  wild: readonly PatternWord[],
  taken: ReadonlySet<PatternWord>,
): PatternReading {
  const operands = line.operands.map(({ word }) => word).filter((word) => !taken.has(word))
  const options = line.options.filter(
    ({ word, name }, at) =>
      // Of an option that stands for others, itself is wanted and not they.
      at === line.options.findIndex((one) => one.word === word && one.name === name),
  )
  let end = operands.length
  while (end > 0 && operands[end - 1]?.value === '*') end--
  const words = operands.slice(0, end)
  const stars = words.filter(({ value }) => value === '*')
  const kept = stars.length === 0 ? [words] : [words, words.filter((word) => !stars.includes(word))]
  return {
    options: [
      ...options.map((option) => wantedOf(option, taken)),
      ...wild.map(({ value }) => wantedByName(value)),
    ],
    keys: new Set(options.map(({ key }) => key)),
    operands: kept.map((each) => compileWords({ program, words: each, open: open || end < operands.length })),
    plain: words.map(({ value }) => value).filter((value) => !value.includes('*')),
  }
}

function wantedOf(option: ReadOption<PatternWord>, taken: ReadonlySet<PatternWord>): WantedOption {
  const { key, name, next } = option
  const value = next !== undefined && taken.has(next) ? next.value : option.value
  return {
    key,
    name: (written) => written === name,
    value: value === undefined ? undefined : compileGlob(value),
  }
}

function wantedByName(value: string): WantedOption {
  return { key: undefined, name: compileGlob(value), value: undefined }
}

/** Where the readings don't agree, some of them match. */
function agreed(results: readonly MatchResult[]): MatchResult {
  const [first = 'no'] = results
  return results.every((result) => result === first) ? first : 'unknown'
}

function matchesReading(reading: PatternReading, command: StoppedCommand): MatchResult {
  let holds: MatchResult = 'yes'
  for (const wanted of reading.options) {
    holds = bothMatch(holds, isThere(wanted, reading.keys, command))
    if (holds === 'no') return 'no'
  }
  return bothMatch(holds, operandsMatch(reading, command))
}

function operandsMatch({ operands, plain }: PatternReading, { readings, rest }: StoppedCommand): MatchResult {
  const matches = (spelled: Spelled) =>
    operands.reduce<MatchResult>(
      (holds, match) => (holds === 'yes' ? holds : eitherMatches(holds, match(spelled))),
      'no',
    )
  const holds = agreed(readings.map(matches))
  if (rest === undefined || holds !== 'no') return holds
  const has = (value: string) => rest.values.has(value) || rest.values.has(undefined)
  return plain.every(has) && matches(rest.spelled) !== 'no' ? 'unknown' : 'no'
}

function isThere(wanted: WantedOption, keys: ReadonlySet<string>, command: StoppedCommand): MatchResult {
  const { byKey, table, options, mayHaveMore } = command
  let holds: MatchResult = 'no'
  for (const option of wanted.key === undefined ? options : (byKey.get(wanted.key) ?? [])) {
    if (wanted.key === undefined && !isNamed(option, wanted, table)) continue
    holds = eitherMatches(holds, bothMatch(isSure(option, keys), hasValue(option, wanted)))
    if (holds === 'yes') return holds
  }
  const { key } = wanted
  const meaning = key === undefined ? [] : table.meaning(key)
  if (meaning.length > 0)
    holds = eitherMatches(
      holds,
      meaning.map((one) => isThere({ ...wanted, key: one }, keys, command)).reduce(bothMatch),
    )
  const isBegun = ({ name }: ReadOption<ShellWord>) =>
    key !== name && key?.startsWith(name) === true && name.length > 2 && table.find(name) === undefined
  if (holds !== 'no') return holds
  return mayHaveMore || (key?.startsWith('--') === true && options.some(isBegun)) ? 'unknown' : 'no'
}

function isNamed(
  { key, name, value, word }: ReadOption<ShellWord>,
  wanted: WantedOption,
  table: ProgramOptionTable,
): boolean {
  const names = [name, ...(table.find(key)?.names ?? [])]
  const isIt = (one: string) => wanted.name(one) || (value !== undefined && wanted.name(`${one}=${value}`))
  return names.some(isIt) || (word.value !== undefined && wanted.name(word.value))
}

/** Letters that nobody knows are options where all of them are wanted: `-ba` is `-ab`, and `-banana` a word. */
function isSure({ sure, letters }: ReadOption<ShellWord>, keys: ReadonlySet<string>): MatchResult {
  if (sure) return 'yes'
  return letters !== undefined && [...letters].every((letter) => keys.has(`-${letter}`)) ? 'yes' : 'unknown'
}

function hasValue({ value, holder, next, rest }: ReadOption<ShellWord>, wanted: WantedOption): MatchResult {
  // `--force=false` does not force, where the program takes that at all.
  if (wanted.value === undefined) return value === 'false' && wanted.key !== undefined ? 'unknown' : 'yes'
  if (value !== undefined) return wanted.value(value) ? 'yes' : 'no'
  if (holder !== undefined) return 'unknown'
  if (rest !== undefined && rest !== '' && wanted.value(rest)) return 'unknown'
  if (next === undefined) return 'no'
  return next.value === undefined || wanted.value(next.value) ? 'unknown' : 'no'
}
