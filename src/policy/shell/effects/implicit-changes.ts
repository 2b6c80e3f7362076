/**
 * What a command takes along without naming it: whoever removes, moves or re-permits a folder does so to all that is
 * in it, and whoever copies a file into a folder writes the file of that name there.
 */
import { eachNamed } from '../../../core/support/each-named.ts'
import { spendSteps } from '../../steps.ts'
import { readLine, subCommandsOf } from '../options/command-line.ts'
import { type CommandOptions, readWritten } from '../options/read-options.ts'
import { placesOfMagic } from '../paths/pathspecs.ts'
import type { ShellCommand, ShellWord } from '../reading.ts'
import { pathOf, sourcesIn, targetOption, writtenOut } from './file-arguments.ts'
import { fitsText } from './shell-wildcards.ts'

export interface ImplicitChange {
  /** As it stands in the command. */
  readonly path: string
  /** `takes`: what lies in the folder, or is found by the pattern, is changed. `lands`: the file there is written. */
  readonly kind: 'takes' | 'lands'
  readonly pattern: boolean
  /** Also what lies in the folders that it is about. */
  readonly deep: boolean
  /** Whether it passes over a file or folder, by the path under which it is found; absent: over none. */
  readonly spares?: (found: string) => boolean
}

export function implicitChangesOf(command: ShellCommand): ImplicitChange[] {
  const { program = '', words } = command
  const look = REACHES.get(program)
  // Each asks for some options and for the arguments.
  spendSteps(4 * words.length)
  const reaches = look?.(words, readWritten(program === 'gcp' ? 'cp' : program, words)) ?? []
  for (const { kind, target, text } of command.redirections) {
    if (kind === 'write' && target === undefined)
      reaches.push(
        ...taken([{ text: text.replace(/^[^<>]*[<>&|]+\s*/, ''), value: undefined, pattern: true }], false),
      )
  }
  return reaches
}

/** Whether a line may hold such a command. It need not be exact: it only says that the line is worth reading. */
export const MAY_CHANGE_IMPLICITLY =
  /(?:^|[^a-z0-9_-])(?:rm|mv|cp|ln|install|scp|rsync|ch(?:mod|own|grp)|shred|truncate|rimraf|srm|trash(?:-put)?|clean|stash|tee|chattr|setfacl)(?![a-z0-9])|-delete|-exec|-ok|(?:^|\s)-[a-z]*i|--in-place|--remove-/

type FindImplicitChanges = (words: readonly ShellWord[], options: CommandOptions) => ImplicitChange[]

const RECURSIVE = ['-r', '-R', '--recursive'] as const

const REACHES: ReadonlyMap<string, FindImplicitChanges> = new Map<string, FindImplicitChanges>([
  ...eachNamed<FindImplicitChanges>('rm chattr setfacl', (_, options) =>
    taken(options.arguments, options.has(...RECURSIVE)),
  ),
  ...eachNamed<FindImplicitChanges>('rimraf srm trash trash-put', (_, options) =>
    taken(options.arguments, true),
  ),
  ...eachNamed('npx bunx pnpx', remover),
  ...eachNamed('chmod chown chgrp', permitted),
  ...eachNamed<FindImplicitChanges>('shred truncate tee', (_, options) => taken(options.arguments, false)),
  ...eachNamed('sed gsed perl ruby', inPlace),
  ['mv', (_, options) => [...taken(sourcesIn(options), true), ...landings(options)]],
  ...eachNamed<FindImplicitChanges>('cp gcp install ln', (_, options) => landings(options)),
  ...eachNamed('rsync scp', mirrored),
  ['tar', removed],
  ['curl', (_, options) => (options.has('--remote-name') ? downloads(options, '--output-dir') : [])],
  ['wget', (_, options) => downloads(options, '--directory-prefix')],
  ...eachNamed('find gfind', found),
  ['git', cleaned],
])

function remover(_: readonly ShellWord[], options: CommandOptions): ImplicitChange[] {
  const [program, ...rest] = options.arguments
  return /^(?:rimraf|del-cli|del|trash-cli|trash)(?:@|$)/.test(program?.value ?? '') ? taken(rest, true) : []
}

/** The first word says what is permitted, unless an option does: `chmod -R -w .` */
function permitted(words: readonly ShellWord[], options: CommandOptions): ImplicitChange[] {
  const said = words.some(({ value }) => /^(?:-[rwxXst]+|--ref.*)$/.test(value ?? ''))
  return taken(options.arguments.slice(said ? 0 : 1), options.has('-R', '--recursive'))
}

function inPlace(words: readonly ShellWord[], options: CommandOptions): ImplicitChange[] {
  const writes = words.some(({ value }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(value ?? ''))
  return writes ? taken(options.arguments, false) : []
}

/** What is packed lies in the folders that `-C` names. */
function removed(words: readonly ShellWord[], options: CommandOptions): ImplicitChange[] {
  const others = words.filter(({ value, text }) => !(value ?? text).startsWith('-'))
  return options.has('--remove-files') ? taken(others, true) : []
}

function mirrored(words: readonly ShellWord[], options: CommandOptions): ImplicitChange[] {
  const deletes = words.some(({ value }) => /^--del/.test(value ?? ''))
  const moves = words.some(({ value }) => /^--remove-s/.test(value ?? ''))
  const sources = [...options.arguments]
  const target = sources.pop()
  return [
    ...landing(sources, target, true),
    ...(deletes && target !== undefined ? taken([target], true) : []),
    ...(moves ? taken(sources, true) : []),
  ]
}

/** Also in the script of a shell: `-exec sh -c 'rm "$1"'`. */
const CHANGERS = /(?:^|[\s;&|/])(?:rm|mv|shred|truncate|chmod|chown|chgrp|unlink|tee)(?:\s|$)|^(?:.*\/)?sed$/

function found(words: readonly ShellWord[]): ImplicitChange[] {
  const values = words.map(({ value, text }) => value ?? text)
  const changes = values.some(
    (value, at) =>
      value === '-delete' ||
      (/^-(?:exec|ok)(?:dir)?$/.test(value) &&
        values.slice(at + 1, at + 4).some((one) => CHANGERS.test(one))),
  )
  if (!changes) return []
  const first = values.findIndex((value) => /^(?:-[^HLPOD]|[(!])/.test(value))
  const roots = (first === -1 ? words : words.slice(0, first)).filter(({ value }) => !value?.startsWith('-'))
  const spares = sparedByFind(values.slice(first))
  const here = [{ text: '.', value: '.', pattern: false }]
  return taken(roots.length === 0 ? here : roots, true).map((reach) => ({ ...reach, spares }))
}

/** Tests that take the next word, whatever it looks like. */
const TAKES_A_WORD =
  /^-(?:[ac]?newer.*|samefile|user|group|i?lname|i?regex|regextype|perm|size|fstype|f?printf?0?|fls|x?type|links|inum|[ug]id|[acm](?:min|time)|used|m(?:ax|in)depth|context|i?name|i?path|i?wholename)$/

/**
 * `find` passes over what has another name: where each alternative names one before it acts, and nothing is turned
 * round.
 */
function sparedByFind(tests: readonly string[]): (found: string) => boolean {
  const alternatives: { path: boolean; pattern: string }[][] = [[]]
  let acted = false
  for (const [at, test] of tests.entries()) {
    const pattern = (tests[at + 1] ?? '').toLowerCase()
    if (TAKES_A_WORD.test(tests[at - 1] ?? '')) continue
    if (/^(?:!|-not|,)$/.test(test)) return () => false
    if (/^-or?$/.test(test)) {
      alternatives.push([])
      acted = false
    }
    acted ||= test === '-delete' || /^-(?:exec|ok)/.test(test)
    if (acted) continue
    if (/^-i?name$/.test(test)) alternatives.at(-1)?.push({ path: false, pattern })
    if (/^-i?(?:path|wholename)$/.test(test)) alternatives.at(-1)?.push({ path: true, pattern })
    if (test === '-empty') alternatives.at(-1)?.push({ path: true, pattern: '' })
  }
  return (found) => {
    const name = found.slice(found.lastIndexOf('/') + 1)
    return alternatives.every((patterns) =>
      patterns.some(
        ({ path, pattern }) =>
          !fitsText(pattern, path ? found : name) && !(path && fitsText(pattern, `${found}/x`)),
      ),
    )
  }
}

function cleaned(words: readonly ShellWord[]): ImplicitChange[] {
  const line = readLine('git', words)
  const values = (name: string) =>
    line.options.flatMap(({ key, value }) => (key === name ? (value ?? []) : []))
  const start = values('-C').join('/')
  const trees = [...values('--work-tree'), ...values('-c').flatMap((one) => WORK_TREE.exec(one)?.[1] ?? [])]
  const folders = [
    start,
    ...trees.map((tree) => (start === '' || /^[/~]/.test(tree) ? tree : `${start}/${tree}`)),
  ]
  const has = (...keys: string[]) => line.options.some(({ key }) => keys.includes(key))
  const isDry = line.options.some(({ key, sure }) => sure && key === '--dry-run')
  const here = [{ text: '.', value: '.', pattern: false }]
  return subCommandsOf(line, words).flatMap(({ word, operands }) => {
    const magic = operands.flatMap(({ value = '' }) => (value.startsWith(':') ? placesOfMagic(value) : []))
    const named = operands.filter(({ value }) => value?.startsWith(':') !== true).map(asPattern)
    const found = takenByGit(word.value, named, magic)
    return folders.flatMap((folder) =>
      found.map((reach) =>
        folder === '' || /^[/~]/.test(reach.path) ? reach : { ...reach, path: `${folder}/${reach.path}` },
      ),
    )
  })

  function takenByGit(
    name: string | undefined,
    named: readonly ShellWord[],
    magic: readonly ShellWord[],
  ): ImplicitChange[] {
    const both = (deep: boolean, without: readonly ShellWord[]) => [
      ...taken(named.length + magic.length === 0 ? without : named, deep),
      ...fromTop(taken(magic, deep)),
    ]
    if (name === 'clean' && has('-x', '-X') && !isDry) return both(true, here)
    if (name === 'stash' && has('--all', '-a')) return fromTop(taken(placesOfMagic(':/'), true))
    return name === 'rm' && !isDry && !has('--cached') ? both(has('-r') || magic.length > 0, []) : []
  }
}

/** Of a folder above that may be the top of the repository, only what lies right in it: it may hold other projects. */
function fromTop(changes: readonly ImplicitChange[]): ImplicitChange[] {
  return changes.map((one) => {
    const isAbove = /^\.\.(?:\/\.\.)*$/.test(one.path)
    return isAbove ? { ...one, spares: (found) => found.replace(/^.*\.\.\//, '').includes('/') } : one
  })
}

const WORK_TREE = /^core\.worktree=(.*)$/is

/** In quotes it is a pattern all the same, of git's own. */
function asPattern(word: ShellWord): ShellWord {
  return /[*?[]/.test(word.value ?? '') ? { ...word, pattern: true } : word
}

function landings(options: CommandOptions): ImplicitChange[] {
  const target = targetOption(options) ?? options.arguments.at(-1)
  return landing(sourcesIn(options), target, options.has(...RECURSIVE, '-a', '--archive'))
}

/** `cp a/x b` writes `b/x` where b is a folder, and whether it is one nobody knows here. */
function landing(
  sources: readonly ShellWord[],
  target: ShellWord | undefined,
  deep: boolean,
): ImplicitChange[] {
  if (target?.pattern) return taken([target], false)
  const into = pathOf(target)
  if (into === undefined) return []
  return sources.flatMap((source): ImplicitChange[] => {
    const name = pathOf(source)
      ?.replace(/(?<!\/)\/+$/, '')
      .split(/[/:]/)
      .at(-1)
    if (name === undefined || name === '' || name === '.' || name === '..') return []
    return [{ path: `${into}/${name}`, kind: 'lands', pattern: source.pattern, deep }]
  })
}

/** A download is written under the last name of its address. */
function downloads(options: CommandOptions, into: string): ImplicitChange[] {
  const [folder = '.'] = options.values(into)
  const addresses = [...options.arguments.map(({ value }) => value), ...options.values('--url')]
  return addresses.flatMap((address = ''): ImplicitChange[] => {
    const name = /\/([^/?#]+)(?:[?#].*)?$/s.exec(address)?.[1]
    if (name === undefined) return []
    return [{ path: `${folder}/${name}`, kind: 'lands', pattern: false, deep: false }]
  })
}

function taken(words: readonly ShellWord[], deep: boolean): ImplicitChange[] {
  return words.flatMap(writtenOut).flatMap((word): ImplicitChange[] => {
    const path = pathOf(word)
    return path === undefined
      ? []
      : [{ path, kind: 'takes', pattern: /[*?[]/.test(path) && word.pattern, deep }]
  })
}
