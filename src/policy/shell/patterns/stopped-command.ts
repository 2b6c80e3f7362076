/** A command as a deny or an ask compares it: its options as a set, and its operands in every reading that there is. */
import { kept } from '../../../core/support/kept.ts'
import { lineOf } from '../options/command-line.ts'
import type { ProgramOptionTable } from '../options/option-table.ts'
import type { ReadOperand, ReadOption } from '../options/read-words.ts'
import { mayBeOption } from '../options/word-reading.ts'
import type { ShellCommand, ShellWord } from '../reading.ts'
import { MANY, type Spelled, spellCommand, spellWord } from './command-pattern.ts'

export interface StoppedCommand {
  readonly table: ProgramOptionTable
  /** How many of the operands are the words of the sub-command. */
  readonly depth: number
  readonly options: readonly ReadOption<ShellWord>[]
  readonly byKey: ReadonlyMap<string, readonly ReadOption<ShellWord>[]>
  /** Some word may be any option. */
  readonly mayHaveMore: boolean
  /** It has neither options nor words in doubt: what is written is all there is. */
  readonly isPlain: boolean
  /** The program with its operands, once for each reading. */
  readonly readings: readonly Spelled[]
  /** Where there are too many readings: one in which every word in doubt stands for anything, and the words that there are. */
  readonly rest: { readonly spelled: Spelled; readonly values: ReadonlySet<string | undefined> } | undefined
}

/** So many characters are written down for the readings of a command. */
const MAX_WRITTEN = 32_768

export const stoppedCommand = kept(create)

function create(command: ShellCommand): StoppedCommand {
  const { table, depth, options, operands } = lineOf(command)
  const byKey = new Map<string, ReadOption<ShellWord>[]>()
  for (const option of options) {
    const already = byKey.get(option.key)
    if (already === undefined) byKey.set(option.key, [option])
    else already.push(option)
  }
  const spelled = operands.map(({ word, inDoubt }) => (inDoubt && mayBeOption(word) ? MANY : spellWord(word)))
  const doubtful = operands.flatMap(({ word, inDoubt }, at) => (inDoubt && !mayBeOption(word) ? [at] : []))
  const isPlain = options.length === 0 && operands.every(({ inDoubt }) => !inDoubt)
  return {
    table,
    depth,
    options,
    byKey,
    mayHaveMore: operands.some(({ word, inDoubt }) => inDoubt && mayBeOption(word)),
    isPlain: isPlain && operands.length === command.words.length,
    ...readingsOf(command, operands, spelled, doubtful),
  }
}

function readingsOf(
  command: ShellCommand,
  operands: readonly ReadOperand<ShellWord>[],
  spelled: readonly string[],
  doubtful: readonly number[],
): Pick<StoppedCommand, 'readings' | 'rest'> {
  const length = spelled.reduce((sum, word) => sum + word.length, 1)
  const without = (left: (place: number) => boolean) => {
    const out = new Set(doubtful.filter((_, place) => left(place)))
    return spellCommand(
      command,
      spelled.filter((_, at) => !out.has(at)),
    )
  }
  if (doubtful.length <= 8 && length * 2 ** doubtful.length <= MAX_WRITTEN) {
    const readings = Array.from({ length: 2 ** doubtful.length }, (_, set) =>
      without((place) => (set & (1 << place)) !== 0),
    )
    return { readings, rest: undefined }
  }
  const all = new Set(doubtful)
  const open = spelled.map((word, at) => (all.has(at) ? MANY : word))
  return {
    readings: [without(() => false), without(() => true)],
    rest: {
      spelled: spellCommand(command, open),
      values: new Set(operands.map(({ word }) => word.value)),
    },
  }
}
