/**
 * Which paths are not there, for certain. A link, a failure, or another name beside it that some disks take for the same
 * one (`.ENV` for `.env`) means that it may be there.
 */
import { lstat, opendir } from 'node:fs/promises'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { foldName } from '../../policy/matchers/path-pattern.ts'

/** More than a policy names. Of those past it nothing is known. */
const MAX_PATHS = 64
/** Folders with more are not read through. */
const MAX_ENTRIES = 10_000

export async function findAbsentPaths(paths: readonly string[]): Promise<string[]> {
  const some = paths.slice(0, MAX_PATHS)
  const found = await Promise.all(some.map(isAbsent))
  return some.filter((_, at) => found[at] === true)
}

async function isAbsent(path: string): Promise<boolean> {
  if (!isAbsolute(path) || path.includes('\0')) return false
  const names = path.split(sep).filter((name) => name !== '')
  let at = path.slice(0, path.indexOf(sep) + 1)
  try {
    for (const name of names) {
      at = join(at, name)
      const kind = await kindOf(at)
      if (kind === 'other' || (await hasAlike(at, name))) return false
      if (kind === 'none') return true
    }
    return false
  } catch {
    return false
  }
}

async function kindOf(path: string): Promise<'none' | 'folder' | 'other'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none'
    throw error
  }
}

async function hasAlike(path: string, name: string): Promise<boolean> {
  const wanted = foldName(name)
  let count = 0
  for await (const entry of await opendir(dirname(path))) {
    if (++count > MAX_ENTRIES) return true
    if (entry.name !== name && foldName(entry.name) === wanted) return true
  }
  return false
}
