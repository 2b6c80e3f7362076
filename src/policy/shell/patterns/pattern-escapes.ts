/** How a command could still get past a deny or an ask of its options, although it means the same. */
import { optionTableOf } from '../options/option-table.ts'
import { readWords } from '../options/read-words.ts'
import { parseCommandPattern } from './command-pattern.ts'

/** Clauses for people, as in "no other name of `-f` matches: …". None for a pattern without options. */
export function escapesFrom(pattern: string): string[] {
  const parsed = parseCommandPattern(pattern)
  if (parsed === undefined) return []
  const program = parsed.program.value.replace(/^.*\//s, '')
  const { table, options } = readWords(optionTableOf(program), parsed.words, { mayBeOption: () => false })
  const dashed = options.filter(({ name }) => name.startsWith('-') && !name.includes('*'))
  if (dashed.length === 0) return []
  const unknown = [
    ...new Set(dashed.filter(({ name }) => table.find(name) === undefined).map(({ name }) => name)),
  ]
  const named = unknown.map((name) => `\`${name}\``).join(', ')
  const words = parsed.words.map(({ value }) => value).join(' ')
  const isOpen = parsed.open || parsed.words.at(-1)?.value.endsWith('*') === true
  const why = table.isKnown
    ? `no such option of \`${program}\` is known here`
    : program.includes('*')
      ? 'not of every program are the options known here'
      : `the options of \`${program}\` are not known here`
  const found: string[] = []
  if (unknown.length > 0)
    found.push(
      `another name of ${named} would still pass: ${why}. Name each spelling, or the command without its options`,
    )
  if (!isOpen)
    found.push(
      `further words would still pass, as in \`${program} ${words} x\`. Write \`${program} ${words} *\` to match those too`,
    )
  return found
}
