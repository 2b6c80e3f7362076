/**
 * In which folder a command of the line would run. A `cd` may fail, and then the next command runs where we were: so
 * every command leaves two folders behind, one for when it succeeds and one for when it does not. Only what `&&` ties
 * to a `cd`, or what follows `cd … || exit`, is known to run in the new one.
 */
import { posix } from 'node:path'
import type { ShellWord } from '../reading.ts'

/** '' is the folder of the line; undefined where it is not known. */
export type Folder = string | undefined

export interface Folders {
  readonly success: Folder
  readonly failure: Folder
}

const CHANGERS: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd', '.', 'source'])

/** No system takes a longer one, and a chain of `cd` must not cost its length squared. */
const LONGEST_PATH = 4096

export function staying(folder: Folder): Folders {
  return { success: folder, failure: folder }
}

export function merge(folders: Folders): Folder {
  return same(folders.success, folders.failure)
}

export function same(a: Folder, b: Folder): Folder {
  return a === b ? a : undefined
}

/** The shell's own commands that change where it is. Any program that is not known might be one of them. */
export function foldersAfter(
  program: string | undefined,
  words: readonly ShellWord[],
  folder: Folder,
): Folders | undefined {
  if (program === undefined) return staying(undefined)
  if (!CHANGERS.has(program)) return undefined
  return program === 'cd' ? { success: target(words, folder), failure: folder } : staying(undefined)
}

/** A path as seen from the folder of the line. It is put together and not simplified: links may lead elsewhere. */
export function joinFolder(folder: Folder, path: string): string | undefined {
  if (path.startsWith('/') || /^~(\/|$)/.test(path)) return path
  if (folder === undefined) return undefined
  if (folder === '') return path === '' ? '.' : path
  return path === '' ? folder : `${folder}/${path}`
}

/** `cd` takes `..` by the name of the folder, whatever links there are, so here it is simplified. */
function target(words: readonly ShellWord[], folder: Folder): Folder {
  const values = words.map((word) => (word.pattern ? undefined : word.value))
  const rest = values[0] === '--' || values[0] === '-L' ? values.slice(1) : values
  if (rest.length === 0) return '~'
  const [path] = rest
  if (rest.length > 1 || path === undefined || path === '' || path.startsWith('-') || path.startsWith('+'))
    return undefined
  const word = words[words.length - 1]
  const literal = path.startsWith('~') && !word?.text.startsWith('~') ? `./${path}` : path
  const joined = joinFolder(folder, literal)
  if (joined === undefined || joined.length > LONGEST_PATH) return undefined
  const simple = posix.normalize(joined).replace(/(.)\/$/, '$1')
  if (joined.startsWith('~')) return simple.startsWith('~') ? simple : undefined
  return simple === '.' ? '' : simple.startsWith('~') ? `./${simple}` : simple
}

/** No path: nobody can look it up, so it is not known where it leads. */
export const NOWHERE = '\0'
