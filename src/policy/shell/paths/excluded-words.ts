/**
 * The words of a command that only say what it leaves out: `--exclude-dir=x` of `grep`, `-g '!x'` of `rg`. The file that
 * they name is not opened.
 */
import type { ShellWord } from '../reading.ts'

const GREP = /^--exclude(?:-dir)?(?:=|$)/
const OPTIONS: Readonly<Record<string, RegExp>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  ggrep: GREP,
  rgrep: GREP,
  ugrep: GREP,
  rg: /^(?:-g|--i?glob)(?:=|$)/,
  ag: /^--ignore(?:-dir)?(?:=|$)/,
  ack: /^--ignore-dir(?:=|$)/,
  fd: /^(?:-E|--exclude)(?:=|$)/,
  fdfind: /^(?:-E|--exclude)(?:=|$)/,
  tar: /^--exclude(?:=|$)/,
  gtar: /^--exclude(?:=|$)/,
  bsdtar: /^--exclude(?:=|$)/,
  rsync: /^--exclude(?:=|$)/,
  diff: /^(?:-x|--exclude)(?:=|$)/,
}

export function excludedWords(
  program: string | undefined,
  words: readonly ShellWord[],
): ReadonlySet<ShellWord> {
  const option = program !== undefined && Object.hasOwn(OPTIONS, program) ? OPTIONS[program] : undefined
  if (option === undefined) return NONE
  const found = new Set<ShellWord>()
  for (const [at, word] of words.entries()) {
    const { value } = word
    if (value === '--') break
    if (value === undefined || !option.test(value)) continue
    const next = words[at + 1]
    const given = value.includes('=') ? value.slice(value.indexOf('=') + 1) : next?.value
    // A glob of `rg` leaves out only behind `!`.
    if (given === undefined || (program === 'rg' && !given.startsWith('!'))) continue
    found.add(word)
    if (!value.includes('=') && next !== undefined) found.add(next)
  }
  return found
}

const NONE: ReadonlySet<ShellWord> = new Set()
