/** The commands that the options of a program run: `tar --to-command`, `git rebase -x`, `rsync -e`. */
import { type InnerCommand, type InnerDoubt, innerScript } from '../commands/inner-command.ts'
import type { ShellWord } from '../reading.ts'
import { optionTableOf, type ProgramOptionTable } from './option-table.ts'
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
    const { value, word } = option
    if (line.table.mayRun(option.key, value)) doubts.push(code(word, 'is a setting that may name a program'))
    else if (isPipe(option, line.table)) inner.push(innerScript(value?.slice(1) ?? ''))
    else if (!line.table.does('runs', option.key)) continue
    else if (value === undefined) doubts.push(code(word, 'makes it run a program that is not known here'))
    else inner.push(innerScript(value))
  }
  return inner.length + doubts.length === 0 ? RUNS_NONE : { inner, doubts }
}

/** `-o '|cmd'` of `psql`. */
function isPipe({ key, value }: ReadOption<ShellWord>, table: ProgramOptionTable): boolean {
  return value?.startsWith('|') === true && table.does('writes', key)
}

function code({ text }: ShellWord, why: string): InnerDoubt {
  return { kind: 'inline code', text, why }
}
