/**
 * Whether a path fits a pattern such as `./src/**`, `~/.ssh`, `/etc` or `*.pem`. What is compared is where the path
 * really leads, never how it is written. A pattern that names a folder means all that is below it too.
 *
 * `unknown` is the answer where it depends on what is not known here: the path was not looked up; there are no roots
 * to start from; it would fit if the file system ignored case or the form of letters, as some do; it lies below
 * what a wildcard at the end stands for (`./src/*` and `./src/a/b`), which people mean both ways.
 */

import { posix } from 'node:path'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { checkText, throwInvalidPolicy } from '../language/block-checks.ts'
import { isAtOrBelow, plainPath } from './inside-roots.ts'
import { eitherMatches, type MatchResult } from './match-result.ts'
import { compileNames, type PathFit } from './path-automaton.ts'
import { foldCase } from './spellings.ts'

/** Where patterns start from. Absolute, with every link followed. */
export interface PatternPlaces {
  readonly roots: readonly string[]
  readonly home?: string | undefined
}

/**
 * `anywhere`: a pattern that means any depth, such as `.env` or `**\/.env`, fits outside of the roots as well, as a deny
 * wants it; otherwise it is `unknown` there.
 */
export type PathPattern = (resolved: string | undefined, written: string, anywhere?: boolean) => MatchResult

export function compilePathPattern(pattern: string, places: PatternPlaces, at: string): PathPattern {
  const read = readPattern(pattern, at)
  const folders = startsOf(read, places)
  const exact = compileFrom(folders, read, (text) => text)
  const loose = compileFrom(folders.map(foldName), read, foldName)
  const startsAtTop = read.from === 'top' && !isDrive(pattern)
  if (folders.length === 0 && !read.floats) return () => 'unknown'

  const holdsFor = (path: string, anywhere: boolean): MatchResult => {
    if (read.floats && !folders.some((folder) => isAtOrBelow(path, folder))) {
      const holds = exact.anywhere(path)
      if (holds !== 'no') return anywhere ? holds : 'unknown'
      return loose.anywhere(foldName(path)) === 'no' ? 'no' : 'unknown'
    }
    const holds = exact.below(path)
    if (holds !== 'no') return holds
    return loose.below(foldName(path)) === 'no' ? 'no' : 'unknown'
  }

  return (resolved, written, anywhere = false) => {
    const path = resolved === undefined ? undefined : plainPath(resolved)
    if (path === undefined || (startsAtTop && isDrive(path))) return 'unknown'
    const holds = holdsFor(path, anywhere)
    if (holds !== 'no') return holds
    // Through a link, a path may be named as the pattern says and lead elsewhere. It then is both.
    const named = namedPath(written, places.home)
    return named === undefined || named === path || holdsFor(named, true) === 'no' ? 'no' : 'unknown'
  }
}

/**
 * The folders at or below which a path must lie to match, in the form of `foldName`; undefined where that says nothing: the
 * pattern means any depth, or nobody knows where it starts.
 */
export function basesOf(pattern: string, places: PatternPlaces, at: string): readonly string[] | undefined {
  const read = readPattern(pattern, at)
  const folders = startsOf(read, places)
  if (read.floats || folders.length === 0 || isDrive(pattern)) return undefined
  const names = literalNames(read).map((name) => `/${foldName(name)}`)
  return folders.map((folder) => foldName(folder) + names.join(''))
}

/** The names before the first wildcard. */
function literalNames({ names }: ReadPattern): string[] {
  const wildcard = names.findIndex((name) => /[*?]/.test(name))
  return wildcard === -1 ? names : names.slice(0, wildcard)
}

interface ReadPattern {
  from: 'roots' | 'home' | 'top'
  /** How many folders up it starts from there. */
  up: number
  names: string[]
  /** It means any depth, and so says nothing of where it starts. */
  floats: boolean
  /** It says itself that it means all that is below. */
  deep: boolean
}

export function readPattern(pattern: string, at: string): ReadPattern {
  const given = checkText(pattern, reasonOf('what.path-pattern'), at)
  const written = { pattern: JSON.stringify(given) }
  const text = isDrive(given) ? given.replaceAll('\\', '/') : given
  if (text.includes('\\')) {
    throwInvalidPolicy(reasonOf('wrong.path-backslash', written), at)
  }
  if (/[{}[\]]/.test(text)) {
    throwInvalidPolicy(reasonOf('wrong.path-brackets', written), at)
  }
  if (text.startsWith('!')) throwInvalidPolicy(reasonOf('wrong.path-not', written), at)
  if (/^~[^/]/.test(text)) throwInvalidPolicy(reasonOf('wrong.path-home', written), at)

  const from = text.startsWith('~') ? 'home' : isDrive(text) || text.startsWith('/') ? 'top' : 'roots'
  const names = text.split('/').filter((name) => name !== '' && name !== '.')
  if (from === 'home') names.shift()
  const up = from === 'roots' ? names.findIndex((name) => name !== '..') : 0
  const rest = up === -1 ? [] : names.slice(up)
  for (const name of rest) {
    if (name === '..') throwInvalidPolicy(reasonOf('wrong.path-up', written), at)
    if (name.includes('**') && name !== '**') {
      throwInvalidPolicy(
        reasonOf('wrong.path-stars', { ...written, right: `**/${name.replaceAll(/\*\*+/g, '*')}` }),
        at,
      )
    }
  }
  const isBare =
    from === 'roots' && !text.replace(/(?<!\/)\/+$/, '').includes('/') && rest.length > 0 && up === 0
  const floats = isBare || (rest[0] === '**' && text.startsWith('**'))
  const joined = (isBare ? ['**', ...rest] : rest).filter(
    (name, index, all) => name !== '**' || all[index - 1] !== '**',
  )
  const deep = text.endsWith('/') || joined.at(-1) === '**'
  if (joined.at(-1) === '**') joined.pop()
  return { from, up: up === -1 ? names.length : up, names: joined, floats, deep }
}

/** On Windows a path that begins with a slash means the current drive, which nobody knows here. */
export function isDrive(path: string): boolean {
  return /^[A-Za-z]:(?:[\\/]|$)/.test(path)
}

/** The folders that the pattern starts from, as far as they are known. */
export function startsOf({ from, up }: ReadPattern, places: PatternPlaces): string[] {
  if (from === 'top') return ['']
  const given = from === 'roots' ? places.roots : places.home === undefined ? [] : [places.home]
  return given
    .map(plainPath)
    .filter((folder) => folder !== undefined)
    .map((folder) =>
      folder
        .split('/')
        .slice(0, Math.max(1, folder.split('/').length - up))
        .join('/'),
    )
}

interface Matcher {
  below(path: string): MatchResult
  anywhere(path: string): MatchResult
}

/** The names before the first wildcard are compared as they are; a path below them goes through the automaton. */
function compileFrom(folders: readonly string[], read: ReadPattern, form: (text: string) => string): Matcher {
  const { names, deep } = read
  const literal = literalNames(read)
  const rest = names.slice(literal.length)
  const suffix = literal.map((name) => `/${form(name)}`).join('')
  // On a Windows drive the top is no folder: `C:/x` begins with its first name.
  const bases = folders.map((folder) =>
    folder === '' && /^\/[A-Za-z]:/.test(suffix) ? suffix.slice(1) : folder + suffix,
  )
  const namesFit = rest.length === 0 ? undefined : compileNames(rest.map((name) => formedAround(name, form)))
  const coversBelow = deep || !/[*?]/.test(rest.at(-1) ?? '')
  const holdsOf = (found: PathFit): MatchResult =>
    found === 'none' ? 'no' : found === 'whole' || coversBelow ? 'yes' : 'unknown'
  const fitsBelow = (path: string, base: string): MatchResult => {
    if (!isAtOrBelow(path, base)) return 'no'
    if (namesFit === undefined) return 'yes'
    const found = path.length === base.length ? 'none' : namesFit(path.slice(base.length + 1))
    return holdsOf(found)
  }
  return {
    below: (path) =>
      bases.reduce<MatchResult>((holds, base) => eitherMatches(holds, fitsBelow(path, base)), 'no'),
    anywhere: (path) => (namesFit === undefined ? 'yes' : holdsOf(namesFit(path.replace(/^\//, '')))),
  }
}

/** The wildcards stay what they are, and nothing becomes one. */
function formedAround(name: string, form: (text: string) => string): string {
  return name.replace(/[^*?]+/g, (piece) => form(piece).replaceAll(/[*?]/g, '\uffff'))
}

/** File systems that ignore case or the form of letters take all that is alike in this for the same name. */
export function foldName(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase()
  return foldCase(text.toUpperCase()).normalize('NFC')
}

/** A path as it is written, where that alone says where it begins. */
export function namedPath(written: string, home: string | undefined): string | undefined {
  if (written.startsWith('/')) return plainPath(posix.normalize(written))
  if (written !== '~' && !written.startsWith('~/')) return undefined
  return home === undefined ? undefined : plainPath(posix.join(home, written.slice(1)))
}
