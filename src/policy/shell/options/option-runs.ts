/** The commands that the options of a program run: `tar --to-command`, `git rebase -x`, `rsync -e`. */

import { optionTableOf } from '../../known-programs.ts'
import { type InnerCommand, type InnerDoubt, innerScript, innerWords } from '../commands/inner-command.ts'
import type { DoubtCode } from '../commands/why-doubted.ts'
import type { ShellWord } from '../reading.ts'
import { type ReadOption, readWords } from './read-words.ts'
import { READING } from './word-reading.ts'

export interface OptionRuns {
  readonly inner: readonly InnerCommand[]
  readonly doubts: readonly InnerDoubt[]
}

const RUNS_NONE: OptionRuns = { inner: [], doubts: [] }

/** What the options of a program run. `words` are those behind it. */
export function runsOf(program: string, words: readonly ShellWord[]): OptionRuns {
  const table = optionTableOf(program)
  if (!table.mayRunOthers || words.length === 0) return RUNS_NONE
  const line = readWords(table, words, READING)
  const inner: InnerCommand[] = []
  const doubts: InnerDoubt[] = []
  for (const option of line.options) {
    const { key, value, word, table: known } = option
    if (known.mayRun(key, value)) doubts.push(code(word, 'part.code-setting'))
    else if (isPipe(option)) inner.push(innerScript(value?.slice(1) ?? ''))
    else if (!known.does('runs', key)) continue
    else if (value === undefined) doubts.push(code(word, 'part.code-late'))
    else inner.push(innerScript(value))
  }
  const executed = line.operands.slice(line.depth).map(({ word }) => word)
  const { executes } = line.table.of
  if (executes !== undefined && executed.length > 0) {
    const unknown = executed.find(({ value }) => value === undefined)
    if (executes === 'words') inner.push(innerWords(executed))
    else if (unknown === undefined) inner.push(innerScript(executed.map(({ value }) => value).join(' ')))
    else doubts.push(code(unknown, 'part.code-late'))
  }
  return inner.length + doubts.length === 0 ? RUNS_NONE : { inner, doubts }
}

/** `-o '|cmd'` of `psql`. */
function isPipe({ key, value, table }: ReadOption<ShellWord>): boolean {
  return value?.startsWith('|') === true && table.does('writes', key)
}

function code({ text }: ShellWord, why: DoubtCode): InnerDoubt {
  return { kind: 'inline code', text, why }
}
