/** How a command could still get past a deny or an ask of its options, although it means the same. */

import type { Reason } from '../../../core/reasons/reason.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { optionTableOf } from '../../known-programs.ts'
import { readWords } from '../options/read-words.ts'
import { parseCommandPattern } from './command-pattern.ts'

/** Clauses for people, as in "another name of `-f` would still pass: …". None for a pattern without options. */
export function escapesFrom(pattern: string): Reason[] {
  const parsed = parseCommandPattern(pattern)
  if (parsed === undefined) return []
  const program = parsed.program.value.replace(/^.*\//s, '')
  const { table, options } = readWords(optionTableOf(program), parsed.words, { mayBeOption: () => false })
  const dashed = options.filter(({ name }) => name.startsWith('-') && !name.includes('*'))
  if (dashed.length === 0) return []
  const unknown = [
    ...new Set(dashed.filter(({ name }) => table.find(name) === undefined).map(({ name }) => name)),
  ]
  const line = [program, ...parsed.words.map(({ value }) => value)].join(' ')
  const isOpen = parsed.open || parsed.words.at(-1)?.value.endsWith('*') === true
  const why = table.isKnown
    ? reasonOf('gap.unknown-option', { program })
    : program.includes('*')
      ? reasonOf('gap.any-program')
      : reasonOf('gap.unknown-program', { program })
  return [
    ...(unknown.length === 0 ? [] : [reasonOf('gap.option', { options: unknown, why })]),
    ...(isOpen ? [] : [reasonOf('gap.words', { example: `${line} x`, wider: `${line} *` })]),
  ]
}
