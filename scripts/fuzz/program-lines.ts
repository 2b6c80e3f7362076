/**
 * Lines that repeat what a program takes: for every program that the policy knows, each of its options, sub-commands and
 * nestings, as often as a share of each limit allows. The cost of such a line must not depend on how the share is filled.
 */

import { knownPrograms } from '../../src/policy/known-programs.ts'
import { LINE_LIMITS } from '../../src/policy/shell/parse/line-limits.ts'
import { WRAPPERS } from '../../src/policy/shell/wrappers/wrapper-table.ts'
import type { ProgramOptions } from '../../src/policy/starter/profile.ts'
import { CONSOLE_PROGRAMS } from '../../src/policy/typed-programs/console-table.ts'
import type { Random } from './random.ts'
import type { Recipe } from './recipe.ts'

/** How much of a limit a line fills. */
const SHARES = [0.25, 0.5, 0.75, 0.99] as const

interface ProgramLine {
  readonly program: string
  /** What the line is made of: `head` once, `piece` again and again with its number for each `#`, `tail` once. */
  readonly head: string
  readonly piece: string
  readonly tail: string
}

/** Every program that some table of the policy names. */
function knownNames(): string[] {
  return [
    ...new Set([
      ...knownPrograms().keys(),
      ...Object.keys(WRAPPERS),
      ...CONSOLE_PROGRAMS.keys(),
      'nobody-knows-it',
    ]),
  ]
}

/** What stands behind every program: words that some reader looks at more closely. */
const WORDS = [
  'a# ',
  'a ',
  '.env# ',
  '/etc/x# ',
  './a#/../b ',
  '~/x# ',
  'a#=b ',
  '--a#=b# ',
  '--a b# ',
  '-a ',
  '-abc ',
  '-- ',
  '- ',
  '+a ',
  '@a ',
  '*.env ',
  '{a,b} ',
  '"$X" ',
  '$X ',
  '"$(a)" ',
  '-x"$X" ',
  '--a="$X" ',
  'https://a#.example/x ',
  'a.example:/b# ',
  'a.example/b:c ',
  'x:y:z ',
  '127.0.0.1:4790 ',
  '\'{"a":1}\' ',
  "'*/a[b]?' ",
  'codex ',
  'goose -a ',
  'exec ',
  'run ',
  'curl ',
  'git ',
  'docker ',
  '-c ',
  '-e ',
  '--config=a ',
  '/proc/self/cwd ',
  'banksman.yaml ',
  '>a ',
  '<a ',
  '<<<a ',
  '2>&1 ',
  "'a b; c' ",
  'A="$X" ',
]

/** All lines about one program. */
function linesOf(program: string): ProgramLine[] {
  const found: ProgramLine[] = []
  const put = (head: string, piece: string, tail = 'x') => found.push({ program, head, piece, tail })
  const subs = subCommandsOf(program)
  for (const word of WORDS) put(`${program} `, word)
  for (const join of ['; ', ' && ', ' | ', ' & ', '\n']) put('', `${program} a#${join}`, program)
  put('', `$X ${program} a#; `)
  put('', `${program} a#; 1.2; `)
  put('', `${program} `)
  put('', `${program} -- `)
  put('', `$(${program} `, 'x')
  for (const option of optionsOf(program)) {
    put(`${program} `, `${option} `)
    put(`${program} `, `${option} a# `)
    put(`${program} `, `${option}=a# `)
    put('', `${program} ${option} `)
    put('', `${program} ${option} a `)
  }
  for (const sub of subs) {
    put('', `${program} ${sub} `)
    put('', `${program} ${sub} a `)
    put('', `${program} ${sub} a -- `)
    put(`${program} ${sub} `, 'a# ')
    put(`${program} ${sub} `, '.env# ')
    put(`${program} ${sub} `, '--a#=b ')
    put(`${program} ${sub} `, `${program} `)
    put(`${program} ${sub} `, `${sub} `)
  }
  return found
}

/** The line at that share of a limit: of words, or of characters. */
function fill({ head, piece, tail }: ProgramLine, share: number, limit: ShareOf): Recipe {
  const words = Math.max(1, piece.trim().split(/\s+/).length)
  // A number takes up to four digits.
  const length = piece.length + 3 * (piece.split('#').length - 1)
  const most = (LINE_LIMITS.parsed - head.length - tail.length) / length
  const times = limit === 'words' ? Math.min(most, LINE_LIMITS.words / words) : most
  return { $join: [head, { $number: piece, times: Math.max(1, Math.floor(times * share)) }, tail] }
}

type ShareOf = 'words' | 'characters'

/** Any line about any program, at any share of any limit. */
export function anyLine(random: Random): Recipe {
  const line = random.pick(linesOf(random.pick(knownNames())))
  return fill(line, random.pick(SHARES), random.pick(['words', 'characters']))
}

function optionsOf(program: string): string[] {
  const profile = knownPrograms().get(program)
  const sets = [profile?.before ?? {}, ...Object.values(profile?.sets ?? {})].flatMap((set) =>
    Object.keys(set),
  )
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined
  const names = [
    ...namesIn(profile?.options ?? {}),
    ...sets.flatMap((names) => names.split(' ')),
    ...(wrapper?.options === undefined ? [] : namesIn({ names: [wrapper.options] })),
  ]
  return [...new Set(names)].filter((name) => /^-/.test(name))
}

function namesIn(options: ProgramOptions): string[] {
  const own = (options.names ?? [])
    .flatMap((line) => line.split(', '))
    .flatMap((entry) => entry.replace(/(?:\[=\]|[=?;])$/, '').split(' '))
  return [...own, ...Object.values(options.commands ?? {}).flatMap(namesIn)]
}

const RUNS = ['run', 'exec', 'x', 'compose', 'run --rm', 'exec -it']

function subCommandsOf(program: string): string[] {
  const profile = knownPrograms().get(program)
  const names = [
    ...Object.keys(profile?.commands ?? {}),
    ...Object.keys(profile?.options?.commands ?? {}).flatMap((names) => names.split(' ')),
    ...RUNS,
  ]
  return [...new Set(names)]
}
