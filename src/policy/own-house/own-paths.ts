/** Finds the files and folders that belong to Banksman itself in texts: paths, commands, code. */
import { BanksmanError } from '../../core/errors.ts'
import { canMean, isAbsolute, namesOf, resolvedNames } from './path-names.ts'
import { foldCase } from './spellings.ts'

export interface OwnPaths {
  /** The last parts of the paths. Without one of them, or its beginning and a wildcard, none can be named. */
  readonly names: string[]
  /** The own file or folder at which this path is, or inside which it is. */
  ownerOf(path: string, base: string): string | undefined
  /**
   * The own file or folder that the text names, as a path, or as a word of a command or of code. Relative ones
   * are meant in one of the bases, and anywhere when there are none. Everything in lower case.
   */
  namedIn(text: string, bases: readonly string[]): string | undefined
}

interface OwnPath {
  /** As it was given, for messages. */
  given: string
  folded: string
  names: string[]
  name: string
  isFolder: boolean
  /** The program's name is in it: in a command, a word like that means ours wherever it seems to be. */
  distinctive: boolean
}

export function compileOwnPaths(
  files: readonly string[],
  folders: readonly string[],
  program: string,
): OwnPaths {
  const own = [
    ...files.map((path) => ownPath(path, false, program)),
    ...folders.map((path) => ownPath(path, true, program)),
  ]
  const at = (names: readonly string[]) => own.find((one) => isAt(one, names))?.given
  return {
    names: own.map((one) => one.name),
    ownerOf: (path, base) => at(resolvedNames(slashed(base), slashed(path))),
    namedIn: (text, bases) => asWhole(text, bases, own) ?? written(text, own) ?? asWord(text, bases, own),
  }
}

function ownPath(given: string, isFolder: boolean, program: string): OwnPath {
  const folded = slashed(given)
  const names = namesOf(folded)
  const name = names.at(-1)
  if (name === undefined || !isAbsolute(folded)) {
    throw new BanksmanError(
      'invalid_configuration',
      `${JSON.stringify(given)} can't be kept from agents: it must be an absolute path below the root`,
    )
  }
  return {
    given,
    folded: `/${names.join('/')}`,
    names,
    name,
    isFolder,
    distinctive: name.includes(program) && name !== program,
  }
}

function slashed(path: string): string {
  return foldCase(path).replaceAll('\\', '/')
}

function isAt(own: OwnPath, names: readonly string[]): boolean {
  if (own.isFolder ? names.length < own.names.length : names.length !== own.names.length) return false
  return own.names.every((name, index) => canMean(names[index] ?? '', name))
}

function asWhole(text: string, bases: readonly string[], own: readonly OwnPath[]): string | undefined {
  const path = text.trim()
  if (path.length > MAX_PATH) return undefined
  if (!isAbsolute(path) && bases.length === 0)
    return own.find((one) => mentions(one, path) && couldLeadTo(one, path))?.given
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

const WORD = /[^\s"'`;|&<>()=,:]+/g
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

function asWord(text: string, bases: readonly string[], own: readonly OwnPath[]): string | undefined {
  const folders = [...bases]
  let anywhere = folders.length === 0
  const several = SEPARATOR.test(text.trim())
  let previous = ''
  for (const match of text.matchAll(WORD)) {
    const [word] = match
    for (const one of own) {
      if (!mentions(one, word)) continue
      if (isComputed(text, match.index, word)) {
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
      anywhere ||= isComputed(text, match.index, word) || word === '-' || folders.length > MAX_FOLDERS
      if (!anywhere) folders.push(...folders.map((folder) => `/${resolvedNames(folder, word).join('/')}`))
    }
    previous = word
  }
  return undefined
}

/** Where the word leads is known only when the command runs: `$HOME/x`, `$(pwd)/x`, `~/x`, `/proc/self/cwd/x`. */
function isComputed(text: string, at: number, word: string): boolean {
  if (word.length > MAX_PATH) return true
  return /[)`}]/.test(text[at - 1] ?? '') || /[$`{}~]|^%|^\/+proc\/[^/]+\/cwd/.test(word)
}

function mentions(own: OwnPath, path: string): boolean {
  // Most words are done with here; a wildcard counts only after two letters, so it is not missed.
  if (!path.includes(own.name.slice(0, 2))) return false
  return path.split(/[/{}]/).some((name) => canMean(name.replace(/(?<=[^. ])[. ]+$/, ''), own.name))
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
