/** What a word of a command must be like to be of a kind that profiles name. */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { MatchResult } from '../matchers/match-result.ts'
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import { whyAwkMayWrite } from '../shell/scripts/awk.ts'
import { whyJqMayReveal } from '../shell/scripts/jq.ts'
import { whySedMayWrite } from '../shell/scripts/sed.ts'
import { whyTemplateShowsMore } from '../shell/scripts/template.ts'
import type { ArgumentKind } from './profile.ts'
import { folderOfPattern, whereItLeads } from './where-it-leads.ts'

/** Whether a path leads into a root. Links are followed by whoever answers. */
export type Inside = (path: string) => MatchResult

export interface ProgramContext {
  command: ShellCommand
  inside: Inside
  /** Whether what it prints may go to a terminal, where pagers start. */
  atTerminal: boolean
}

/**
 * Undefined where the value is of the kind, else what is in the way, as a clause. `value` is the word's, or the part
 * of it that follows the option it is glued to.
 */
export function whyNotOfKind(
  kind: ArgumentKind,
  value: string,
  word: ShellWord,
  judged: ProgramContext,
): Reason | undefined {
  const shown = { word: word.text }
  if (kind === 'any') return word.pattern ? reasonOf('program.other-words', shown) : undefined
  if (word.pattern && kind !== 'path' && kind !== 'local' && kind !== 'text') {
    return reasonOf('program.other-words', shown)
  }
  if (kind === 'path' || kind === 'local') {
    if (kind === 'local' && /^@|:/.test(value)) return reasonOf('program.elsewhere', shown)
    return whyNotInside(value, word, judged)
  }
  if (kind === 'text') return word.pattern ? whyNotInside(value, word, judged) : undefined
  const choice = CHOICES.find(([prefix]) => kind.startsWith(prefix))
  if (choice !== undefined) {
    const [prefix, isOne] = choice
    return isOne(value, kind.slice(prefix.length).split('|'))
      ? undefined
      : reasonOf('program.not-read-only', shown)
  }
  if (kind.startsWith('template of ')) {
    const why = whyTemplateShowsMore(value, kind.slice('template of '.length).split('|'))
    return why === undefined ? undefined : reasonOf('program.script', { ...shown, why })
  }
  if (kind.startsWith('script:')) {
    const why = SCRIPTS[kind as keyof typeof SCRIPTS](value)
    return why === undefined ? undefined : reasonOf('program.script', { ...shown, why })
  }
  return SHAPES[kind as keyof typeof SHAPES].test(value)
    ? undefined
    : reasonOf('program.not-plain', { ...shown, kind })
}

const SHAPES = {
  number: /^[-+]?\d[\d.,:+-]*[%A-Za-z]{0,5}$/,
  word: /^(?!-)(?!.*\.\.)[\w.,:@+/-]+$/,
  name: /^(?!-)(?!.*\.\.)[\w.,:@+-]+$/,
  format: /^\+/,
  keys: /^(\.|(\.?\[(\d+|"[\w.-]+")?\]|\.[A-Za-z_][\w-]*)+)$/,
}

/** By how the kind begins, whether a value is one of the words that follow. */
const CHOICES: readonly [prefix: string, isOne: (value: string, words: readonly string[]) => boolean][] = [
  ['one of ', (value, words) => words.includes(value)],
  [
    'list of ',
    (value, words) => value.split(',').every((item) => words.includes(item.replace(/(:\d+|=[\w %-]*)$/, ''))),
  ],
  ['like ', (value, words) => words.some((word) => fits(value.split('.'), word.split('.')))],
]

/** Step by step, so that a star never stands for a dot: no value has so many steps that it takes long. */
function fits(value: readonly string[], pattern: readonly string[]): boolean {
  return (
    value.length === pattern.length &&
    pattern.every((step, index) =>
      step === '*' ? /^[\w-]+$/.test(value[index] ?? '') : step === value[index],
    )
  )
}

const SCRIPTS = { 'script:sed': whySedMayWrite, 'script:awk': whyAwkMayWrite, 'script:jq': whyJqMayReveal }

function whyNotInside(
  value: string,
  word: ShellWord,
  { command, inside }: ProgramContext,
): Reason | undefined {
  if (!word.pattern && (value === '-' || value === '/dev/null')) return undefined
  const path = word.pattern ? folderOfPattern(value) : value
  const leads = path === undefined ? undefined : whereItLeads(path, command.folder)
  if (leads === undefined) return reasonOf('program.leads-where', { word: word.text })
  const holds = inside(leads)
  if (holds === 'yes') return undefined
  return holds === 'no'
    ? reasonOf('program.outside', { word: word.text })
    : reasonOf('program.may-be-outside', { word: word.text })
}
