/**
 * Programs that are no interpreters and still run commands that stand in their words: `awk` with `system`, `sed` with
 * `e`, an editor that is told a command to begin with, a database's own shell with a way out.
 */

import type { InnerDoubt } from '../commands/inner-command.ts'
import type { ShellWord } from '../reading.ts'
import { whyAwkMayWrite } from '../scripts/awk.ts'
import { whySedMayWrite } from '../scripts/sed.ts'

const AWKS = ['awk', 'gawk', 'mawk', 'nawk', 'original-awk', 'goawk']
const SEDS = ['sed', 'gsed', 'ssed']
const EDITORS = ['vim', 'vi', 'nvim', 'view', 'vimdiff', 'gvim', 'rvim', 'ex', 'vim.basic', 'vim.tiny']

/** What a word must look like to run something. */
const WAYS_OUT: readonly [programs: readonly string[], form: RegExp][] = [
  [EDITORS, /^(?:\+.|-[cSsu]|--cmd|--startuptime)/],
  [
    ['sqlite3', 'sqlite'],
    /(?:^|\n)[ \t\r\f\v]*\.(?!(?:tables?|schema|headers?|mode|indexes|indices|databases|show|help|width|nullvalue|timer|stats|eqp|explain|fullschema|quit|exit|separator|echo|bail|print|version|dbinfo|changes|dump|limit|timeout|parameter)(?:\s|$))|^-+(?:A|ar)|\b(?:writefile|load_extension|readfile|fsdir|zipfile|fts3_tokenizer|attach)\b|\bedit\b["\]`]?\s*(?:\(|\/\*|--)|^(?=[\s\S]*\bvacuum\b)[\s\S]*\binto\b|^-+(?:append|zip)/i,
  ],
  [
    ['psql'],
    /\\(?:!|[oweg](?![a-z]*x?\s*$)|out|write|include|edit|ef|ev|i|ir|copy|gexec|gset|s\b|setenv|lo_|password|cd|watch)|^(?=[\s\S]*\bcopy\b)[\s\S]*\bprogram\b/i,
  ],
  [['mysql', 'mariadb'], /\\[!.TPe]|\b(?:system|tee|pager|source|edit)\s|\binto\s+(?:out|dump)file\b/i],
  [['less', 'more', 'most', 'pg'], /^\++(?:[!|#svE&:]|.*\n)/],
  [['gnuplot', 'octave', 'octave-cli'], /^(?:-e|--eval|-)/],
  [['crontab'], /^-$/],
  [['make', 'gmake'], /^(?:-[a-zA-Z]*f-$|-$|--(?:file|makefile)=-$|--eval|-E|\.?SHELL(?:FLAGS)?[:?+!]*=)/],
]

export function scriptDoubt(
  program: string,
  words: readonly ShellWord[],
  at: number,
): InnerDoubt | undefined {
  // A shell without the keyword hands `time` its own options.
  if (program.startsWith('-')) return { kind: 'unknown wrapper', why: 'part.not-followed' }
  if (program === 'batch' || program === 'ed') return { kind: 'inline code', why: 'part.code-input' }
  const rest = words.slice(at + 1)
  if (AWKS.includes(program))
    return script(rest, whyAwkMayWrite, /^(?:-f|--file|-i|--include|-l|--load|-E|--exec)/)
  if (SEDS.includes(program)) return script(rest, whySedMayWrite, /^(?:-f|--file)/)
  const [, form] = WAYS_OUT.find(([programs]) => programs.includes(program)) ?? []
  const found =
    form === undefined ? undefined : rest.find(({ value }) => value !== undefined && form.test(value))
  return found === undefined ? undefined : { kind: 'inline code', text: found.text, why: 'part.code-maybe' }
}

/** The script is the first word that is no option, or what follows `-e`. Any word that would be a dangerous one counts. */
function script(
  words: readonly ShellWord[],
  why: (text: string) => object | undefined,
  fromFile: RegExp,
): InnerDoubt | undefined {
  const file = words.find(({ value }) => value !== undefined && fromFile.test(value))
  if (file !== undefined) return { kind: 'inline code', text: file.text, why: 'part.code-file' }
  const first = words.findIndex(({ value }) => value === undefined || !value.startsWith('-'))
  const scripts = words.filter(
    ({ value }, index) =>
      index === first ||
      /^(?:-[a-z]*e|--e|--so)/.test(words[index - 1]?.value ?? '') ||
      /^(?:-[a-zA-Z]*e.|--(?:e|so)\w*=)/s.test(value ?? ''),
  )
  for (const { text, value } of scripts) {
    if (value === undefined) return { kind: 'inline code', text, why: 'part.code-late' }
    const reason = why(value.replace(/^(?:-[a-zA-Z]*?e|--(?:e|so)\w*=)/, ''))
    if (reason !== undefined) return { kind: 'inline code', text, why: 'part.code-maybe' }
  }
  return undefined
}
