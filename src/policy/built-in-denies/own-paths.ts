/** Finds the files and folders that belong to Banksman itself in texts: paths, commands, code. */

import { isProcessPath } from '../../core/process/process-path.ts'
import { kept } from '../../core/support/kept.ts'
import { spendSteps } from '../steps.ts'
import {
  endsWith,
  isAt,
  isBelow,
  isEnteredBy,
  isMeantBy,
  isTakenBy,
  type OwnPath,
  ownPath,
  pathAnywhere,
  slashed,
} from './own-path.ts'
import { canMean, isAbsolute, namesOf, resolvedNames } from './path-names.ts'
import { type FoundWord, wordAfter, wordsWith } from './words-with.ts'

export interface OwnPaths {
  /** A name on the way to each of the paths, mostly the last. Without one of them, or its beginning and a wildcard, none can be named. */
  readonly names: string[]
  /** The last names of the paths. */
  readonly lastNames: string[]
  /** Those that are folders, as they were given. */
  readonly folders: string[]
  /** The home folders, by the look of them, in which some of the paths lie. */
  readonly homes: string[]
  /** The own file or folder at which this path is, or inside which it is. */
  ownerOf(path: string, base: string): OwnPath | undefined
  /** The own file or folder that lies in the folder at this path, however deep, or that is at it, and that counts. */
  below(path: string, base: string, counts?: (own: OwnPath) => boolean): OwnPath | undefined
  /** The one that these names could lead to, or into, from some folder: they begin with the last names of its path. */
  endingWith(tail: readonly string[], reading: boolean): OwnPath | undefined
  /** The one that a pattern of a shell leads to and is meant for. */
  meantBy(pattern: string, base: string): OwnPath | undefined
  /** The one that a pattern of a shell comes upon, or in which it finds something. */
  enteredBy(pattern: string, base: string): OwnPath | undefined
  /** The one that is among what a pattern of a shell finds; `deep`: or in one of the folders that it finds. */
  takenBy(pattern: string, base: string, deep: boolean): OwnPath | undefined
  /**
   * The own file or folder that the text names, as a path, or as a word of a command or of code. Relative ones
   * are meant in one of the bases, and anywhere when there are none. Everything in lower case. With `reading`,
   * those that may be read are left out.
   */
  namedIn(text: string, bases: readonly string[], reading: boolean): string | undefined
}

export interface KeptPaths {
  /** May be read, only not written. */
  files: readonly string[]
  untouchable: readonly string[]
  folders: readonly string[]
  /** Ends of paths, which may be read, only not written, in whatever folder they lie. */
  anywhere?: readonly { path: string; isFolder: boolean }[]
  /** Folders that may be read, only not written. */
  readableFolders?: readonly string[]
}

export function compileOwnPaths(kept: KeptPaths, program: string): OwnPaths {
  const all = [
    ...kept.files.map((path) => ownPath(path, { isFolder: false, readable: true }, program)),
    ...kept.untouchable.map((path) => ownPath(path, { isFolder: false, readable: false }, program)),
    ...kept.folders.map((path) => ownPath(path, { isFolder: true, readable: false }, program)),
    ...(kept.readableFolders ?? []).map((path) => ownPath(path, { isFolder: true, readable: true }, program)),
    ...(kept.anywhere ?? []).map(({ path, isFolder }) => pathAnywhere(path, isFolder)),
  ]
  // What may not even be read comes first: a path may lead to both.
  all.sort((a, b) => Number(a.readable) - Number(b.readable))
  const unreadable = all.filter((one) => !one.readable)
  const find = (
    path: string,
    base: string,
    fits: (own: OwnPath, names: readonly string[]) => boolean,
  ): OwnPath | undefined => {
    const names = resolvedNames(slashed(base), slashed(path))
    // Each is compared from each of its names on. Paths that people write are done with at once.
    if (names.length > MAX_NAMES) spendSteps((names.length * all.length) >> 2)
    return all.find((own) => fits(own, names))
  }
  return {
    names: [...new Set(all.map((own) => own.telling))],
    lastNames: [...new Set(all.map((own) => own.name))],
    folders: all.filter((own) => own.isFolder && !own.readable).map((own) => own.given),
    homes: [
      ...new Set(all.flatMap((own) => /^\/(?:(?:home|users)\/[^/]+|root)(?=\/)/.exec(own.folded)?.[0] ?? [])),
    ],
    ownerOf: (path, base) => find(path, base, isAt),
    below: (path, base, counts = () => true) =>
      find(path, base, (own, names) => isBelow(own, names) && counts(own)),
    endingWith(tail, reading) {
      const names = namesOf(slashed(tail.join('/')))
      return (reading ? unreadable : all).find((own) => endsWith(own, names))
    },
    meantBy: (pattern, base) => find(pattern, base, isMeantBy),
    enteredBy: (pattern, base) => find(pattern, base, isEnteredBy),
    takenBy: (pattern, base, deep) => find(pattern, base, (own, names) => isTakenBy(own, names, deep)),
    namedIn(text, bases, reading) {
      const own = reading ? unreadable : all
      const folders = bases.map(slashed)
      return asWhole(text, folders, own) ?? written(text, own) ?? asWord(text, folders, own)
    },
  }
}

function asWhole(text: string, bases: readonly string[], own: readonly OwnPath[]): string | undefined {
  const path = text.trim()
  if (path.length > MAX_PATH) return undefined
  if (!isAbsolute(path) && bases.length === 0)
    return mentionedBy(path, own).find((one) => couldLeadTo(one, path))?.given
  const places = isAbsolute(path) ? [namesOf(path)] : bases.map((base) => resolvedNames(base, path))
  return own.find((one) => places.some((names) => isAt(one, names)))?.given
}

/** The path as it stands, which also finds one with spaces in it. */
function written(text: string, own: readonly OwnPath[]): string | undefined {
  for (const one of own) {
    for (let at = text.indexOf(one.folded); at !== -1; at = text.indexOf(one.folded, at + 1)) {
      const before = text[at - 1] ?? ''
      const after = text[at + one.folded.length] ?? ''
      if (!/[\p{L}\p{N}_.\-~*]/u.test(before) && !/[\p{L}\p{N}_.-]/u.test(after)) return one.given
    }
  }
  return undefined
}

const SEPARATOR = /[\s"'`;|&<>()=,:]/
const CHANGES_FOLDER = new Set([
  'cd',
  'pushd',
  'chdir',
  'set-location',
  'sl',
  '-c',
  '--cwd',
  '--directory',
  '--prefix',
])
const MAX_FOLDERS = 32
/** No system takes a longer one. */
const MAX_PATH = 4096
const MAX_NAMES = 64

function asWord(text: string, bases: readonly string[], own: readonly OwnPath[]): string | undefined {
  const folders = [...bases]
  let anywhere = folders.length === 0
  const several = SEPARATOR.test(text.trim())
  let previous = ''
  for (const { word, index } of wordsOf(text, own)) {
    for (const one of mentionedBy(word, own)) {
      if (isComputed(text, index, word)) {
        if (couldLeadTo(one, word)) return one.given
        continue
      }
      if (isAbsolute(word)) {
        if (isAt(one, namesOf(word))) return one.given
      } else if (
        (anywhere && couldLeadTo(one, word)) ||
        (several && one.distinctive) ||
        folders.some((at) => isAt(one, resolvedNames(at, word)))
      ) {
        return one.given
      }
    }
    if (CHANGES_FOLDER.has(previous)) {
      anywhere ||= isComputed(text, index, word) || word === '-' || folders.length > MAX_FOLDERS
      if (!anywhere) folders.push(...folders.map((folder) => `/${resolvedNames(folder, word).join('/')}`))
    }
    previous = word
  }
  return undefined
}

/** The words that may mention one of ours, those that change the folder, and the word behind each of these; in order. */
function wordsOf(text: string, own: readonly OwnPath[]): FoundWord[] {
  const found = wordsWith(text, [...own.map(beginningOf), ...CHANGES_FOLDER], SEPARATOR)
  const changes = found.filter(({ word }) => CHANGES_FOLDER.has(word))
  if (changes.length === 0) return found
  const all = new Map(found.map((one) => [one.index, one]))
  for (const { word, index } of changes) {
    const next = wordAfter(text, index + word.length, SEPARATOR)
    if (next !== undefined) all.set(next.index, next)
  }
  return [...all.values()].sort((one, other) => one.index - other.index)
}

/** Where the word leads is known only when the command runs: `$HOME/x`, `$(pwd)/x`, `~/x`, `/proc/self/cwd/x`. */
function isComputed(text: string, at: number, word: string): boolean {
  if (word.length > MAX_PATH) return true
  return (
    /[)`}]/.test(text[at - 1] ?? '') ||
    /[$`{}~]|^%/.test(word) ||
    (/^\/|\.\./.test(word) && isProcessPath(word))
  )
}

function beginningOf({ name }: OwnPath): string {
  return name.slice(0, 2)
}

const byBeginning = kept((own: readonly OwnPath[]) => {
  return [...Map.groupBy(own, beginningOf)]
})

/** The own paths of which one name may stand in the path. */
function mentionedBy(path: string, own: readonly OwnPath[]): OwnPath[] {
  // Most words are done with here; a wildcard counts only after two letters, so it is not missed.
  const begun = byBeginning(own).filter(([beginning]) => path.includes(beginning))
  if (begun.length === 0) return []
  const names = path.split(/[/{}]/).map((name) => name.replace(/(?<=[^. ])[. ]+$/, ''))
  return begun.flatMap(([, some]) => some).filter((one) => names.some((name) => canMean(name, one.name)))
}

/** Whether the path could be the own one if only its beginning were known: what is known must be the same. */
function couldLeadTo(own: OwnPath, path: string): boolean {
  const unknown = /[$`{}~%]/
  if (own.distinctive || (unknown.test(path) && path.includes('..'))) return true
  const names = namesOf(path)
  return names.some((name, at) => {
    if (!canMean(name, own.name)) return false
    for (let up = 1; up <= at; up++) {
      const above = names[at - up] ?? ''
      if (unknown.test(above)) return true
      if (!canMean(above, own.names.at(-1 - up) ?? '')) return false
    }
    return true
  })
}
