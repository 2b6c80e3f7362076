/**
 * What a command takes along without naming it: whoever removes, moves or re-permits a folder does so to all that is
 * in it, and whoever copies a file into a folder writes the file of that name there.
 */
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import { fitsText } from './shell-wildcards.ts'
import { writeOutBraces } from './spellings.ts'

export interface Reach {
  /** As it stands in the command. */
  readonly path: string
  readonly kind:
    | /** What lies in the folder, or is found by the pattern, is changed. */
    'takes'
    /** The file at the path is written. */
    | 'lands'
  readonly pattern: boolean
  /** Also what lies in the folders that it is about. */
  readonly deep: boolean
  /** Whether it passes over a file or folder, by the path under which it is found; absent: over none. */
  readonly spares?: (found: string) => boolean
}

export function reachesOf(command: ShellCommand): Reach[] {
  const look = command.program === undefined ? undefined : REACHES.get(command.program)
  const reaches = look === undefined ? [] : look(command.words)
  for (const { kind, target, text } of command.redirections) {
    if (kind === 'write' && target === undefined)
      reaches.push(
        ...taken([{ text: text.replace(/^[^<>]*[<>&|]+\s*/, ''), value: undefined, pattern: true }], false),
      )
  }
  return reaches
}

/** Whether a line may hold such a command. It need not be exact: it only says that the line is worth reading. */
export const MAY_REACH =
  /(?:^|[^a-z0-9_-])(?:rm|mv|cp|ln|install|scp|rsync|ch(?:mod|own|grp)|shred|truncate|rimraf|srm|trash(?:-put)?|clean|stash|tee|chattr|setfacl)(?![a-z0-9])|-delete|-exec|-ok|(?:^|\s)-[a-z]*i|--in-place/

type Look = (words: readonly ShellWord[]) => Reach[]

const REACHES: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['rm', (words) => taken(argumentsIn(words), hasOption(words, 'rR', 'recursive'))],
  ...['rimraf', 'srm', 'trash', 'trash-put'].map((name): [string, Look] => [name, all]),
  ...['npx', 'bunx', 'pnpx'].map((name): [string, Look] => [name, remover]),
  ...['chmod', 'chown', 'chgrp'].map((name): [string, Look] => [name, permitted]),
  ...['chattr', 'setfacl'].map((name): [string, Look] => [
    name,
    (words) => taken(argumentsIn(words), hasOption(words, 'R', 'recursive')),
  ]),
  ...['shred', 'truncate', 'tee'].map((name): [string, Look] => [
    name,
    (words) => taken(argumentsIn(words), false),
  ]),
  ...['sed', 'gsed', 'perl', 'ruby'].map((name): [string, Look] => [name, inPlace]),
  ['mv', (words) => [...taken(sourcesIn(words), true), ...landings(words)]],
  ...['cp', 'gcp', 'install', 'ln', 'scp'].map((name): [string, Look] => [name, landings]),
  ['rsync', mirrored],
  ['find', found],
  ['gfind', found],
  ['git', cleaned],
])

function all(words: readonly ShellWord[]): Reach[] {
  return taken(argumentsIn(words), true)
}

function remover(words: readonly ShellWord[]): Reach[] {
  const [program, ...rest] = argumentsIn(words)
  return /^(?:rimraf|del-cli|del|trash-cli|trash)(?:@|$)/.test(program?.value ?? '') ? taken(rest, true) : []
}

/** The first word says what is permitted, unless an option does: `chmod -R -w .` */
function permitted(words: readonly ShellWord[]): Reach[] {
  const said = words.some(({ value }) => /^(?:-[rwxXst]+|--ref.*)$/.test(value ?? ''))
  return taken(argumentsIn(words).slice(said ? 0 : 1), hasOption(words, 'R', 'recursive'))
}

function inPlace(words: readonly ShellWord[]): Reach[] {
  const writes = words.some(({ value }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(value ?? ''))
  return writes ? taken(argumentsIn(words), false) : []
}

function mirrored(words: readonly ShellWord[]): Reach[] {
  const deletes = words.some(({ value }) => /^--del/.test(value ?? ''))
  const moves = words.some(({ value }) => /^--remove-s/.test(value ?? ''))
  return [
    ...landings(words),
    ...(deletes ? taken(argumentsIn(words).slice(-1), true) : []),
    ...(moves ? taken(sourcesIn(words), true) : []),
  ]
}

/** Also in the script of a shell: `-exec sh -c 'rm "$1"'`. */
const CHANGERS = /(?:^|[\s;&|/])(?:rm|mv|shred|truncate|chmod|chown|chgrp|unlink|tee)(?:\s|$)|^(?:.*\/)?sed$/

function found(words: readonly ShellWord[]): Reach[] {
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

/** `find` passes over what has another name, as long as every alternative names one and nothing is turned round. */
function sparedByFind(tests: readonly string[]): (found: string) => boolean {
  const patterns: { path: boolean; pattern: string }[] = []
  let alternatives = 1
  for (const [at, test] of tests.entries()) {
    const pattern = (tests[at + 1] ?? '').toLowerCase()
    if (/^-i?name$/.test(test)) patterns.push({ path: false, pattern })
    else if (/^-i?(?:path|wholename)$/.test(test)) patterns.push({ path: true, pattern })
    else if (test === '-empty') patterns.push({ path: true, pattern: '' })
    else if (/^(?:!|-not|,)$/.test(test)) return () => false
    else if (/^-or?$/.test(test)) alternatives++
  }
  if (patterns.length < alternatives) return () => false
  return (found) => {
    const name = found.slice(found.lastIndexOf('/') + 1)
    return patterns.every(
      ({ path, pattern }) =>
        !fitsText(pattern, path ? found : name) && !(path && fitsText(pattern, `${found}/x`)),
    )
  }
}

function cleaned(words: readonly ShellWord[]): Reach[] {
  let folder = ''
  let at = 0
  for (; at < words.length && words[at]?.value?.startsWith('-'); at++) {
    if (words[at]?.value === '-C') folder = pathOf(words[at + 1]) ?? folder
    if (/^-[Cc]$/.test(words[at]?.value ?? '')) at++
  }
  const command = words[at]?.value
  const rest = words.slice(at + 1)
  const named = argumentsIn(
    rest.filter((_, index) => !/^(?:-e|--exclude)$/.test(rest[index - 1]?.value ?? '')),
  )
    // `:/` and its like begin at the top of the repository.
    .map((word) => (word.value?.startsWith(':') ? { text: '.', value: '.', pattern: false } : word))
  const here = [{ text: '.', value: '.', pattern: false }]
  const inFolder = (reach: Reach): Reach =>
    folder === '' || /^[/~]/.test(reach.path) ? reach : { ...reach, path: `${folder}/${reach.path}` }
  if (command === 'clean' && hasOption(rest, 'xX', 'x') && !hasOption(rest, 'n', 'dry-run'))
    return taken(named.length === 0 ? here : named, true).map(inFolder)
  if (command === 'stash' && hasOption(rest, 'a', 'all')) return taken(here, true).map(inFolder)
  if (command === 'rm' && !hasOption(rest, '', 'cached') && !hasOption(rest, 'n', 'dry-run'))
    return taken(named, hasOption(rest, 'r', 'r')).map(inFolder)
  return []
}

/** `cp a/x b` writes `b/x` where b is a folder, and which it is nobody knows here. */
function landings(words: readonly ShellWord[]): Reach[] {
  const folder = targetOption(words) ?? argumentsIn(words).at(-1)
  if (folder?.pattern) return taken([folder], false)
  const into = pathOf(folder)
  const deep = hasOption(words, 'rRa', 'recursive') || hasOption(words, '', 'archive')
  if (into === undefined) return []
  return sourcesIn(words).flatMap((source): Reach[] => {
    const path = pathOf(source)
    const name = path?.replace(/\/+$/, '').split(/[/:]/).at(-1)
    if (name === undefined || name === '' || name === '.' || name === '..') return []
    return [{ path: `${into}/${name}`, kind: 'lands', pattern: source.pattern, deep }]
  })
}

function sourcesIn(words: readonly ShellWord[]): ShellWord[] {
  const target = targetOption(words)
  return target === undefined
    ? argumentsIn(words).slice(0, -1)
    : argumentsIn(words).filter((word) => word !== target)
}

function targetOption(words: readonly ShellWord[]): ShellWord | undefined {
  for (const [at, { value }] of words.entries()) {
    if (value === '--target-directory' || /^-[a-zA-Z]*t$/.test(value ?? '')) return words[at + 1]
    const glued = /^(?:--target-directory=|-t)(.+)$/s.exec(value ?? '')?.[1]
    if (glued !== undefined) return { text: glued, value: glued, pattern: false }
  }
  return undefined
}

function taken(words: readonly ShellWord[], deep: boolean): Reach[] {
  return words.flatMap(writtenOut).flatMap((word): Reach[] => {
    const path = pathOf(word)
    return path === undefined
      ? []
      : [{ path, kind: 'takes', pattern: /[*?[]/.test(path) && word.pattern, deep }]
  })
}

/** `{.,}*` is `.*` and `*`. */
function writtenOut(word: ShellWord): ShellWord[] {
  if (word.value !== undefined || !word.text.includes('{')) return [word]
  const texts = writeOutBraces(word.text.replace(/["'\\]/g, '')).split(' ')
  return texts.map((text) => ({ text, value: undefined, pattern: true }))
}

function argumentsIn(words: readonly ShellWord[]): ShellWord[] {
  const end = words.findIndex(({ value }) => value === '--')
  return words.filter((word, at) => (end !== -1 && at > end) || !(word.value ?? word.text).startsWith('-'))
}

/** By one of the letters, alone or among others, or by the long name or its beginning. */
function hasOption(words: readonly ShellWord[], letters: string, long: string): boolean {
  for (const { value = '' } of words) {
    if (value === '--') return false
    if (value.length > 3 && `--${long}`.startsWith(value)) return true
    if (/^-[^-]/.test(value) && [...letters].some((letter) => value.includes(letter))) return true
  }
  return false
}

/** Where a word leads, also by the names that a shell has for the folder it is in. */
function pathOf(word: ShellWord | undefined): string | undefined {
  if (word?.value !== undefined) return word.value
  const written = word?.text
    .replace(/["']/g, '')
    .replace(/^(?:\$PWD\b|\$\{PWD\}|\$\(pwd\)|`pwd`|~\+)/, '.')
    .replace(/^(?:\$HOME\b|\$\{HOME\})/, '~')
  return written === undefined || /[$`{(…]/.test(written) ? undefined : written
}
