/**
 * What a path pattern may name below a folder: the names from there on, with `**` for any number of them. `./.env` is
 * `.env` below the root, `src/.env` is nothing below `docs`, and `**\/.env` may be below every folder.
 */

import { plainPath } from './inside-roots.ts'
import { type PatternPlaces, readPattern, startsOf } from './path-pattern.ts'
import { foldCase } from './spellings.ts'
import { namesMeet } from './wildcard-meets.ts'

export interface Below {
  readonly names: readonly string[]
  /** It is about all that is in the folder of that name. */
  readonly isDeep: boolean
}

/** `folder`: absolute, links followed. */
export type PathsBelow = (folder: string) => Below[]

export function compilePathsBelow(pattern: string, places: PatternPlaces, at: string): PathsBelow {
  const read = readPattern(pattern, at)
  const starts = startsOf(read, places).map(namesOf)
  // A pattern that means any depth means it outside of the roots too.
  if (read.floats) starts.push([])
  const wanted = starts.map((start) => [...start, ...read.names.map(foldCase)])
  return (folder) => {
    const above = namesAbove(folder)
    if (above === undefined) return []
    const near = wanted.filter((names) => !partsEarly(names, above))
    if (near.length === 0) return []
    const found = new Map<string, Below>()
    for (const names of near)
      for (const rest of remaining(names, above))
        found.set(rest.join('/'), { names: rest, isDeep: read.deep })
    return [...found.values()]
  }
}

/** Before any wildcard a name is another one. */
function partsEarly(names: readonly string[], above: readonly string[]): boolean {
  for (let at = 0; at < names.length && at < above.length; at++) {
    const name = names[at] ?? ''
    if (/[*?]/.test(name)) return false
    if (name !== above[at]) return true
  }
  return false
}

/** Every rule asks it of every folder that a line reads through. */
let folders = new Map<string, readonly string[] | undefined>()

function namesAbove(folder: string): readonly string[] | undefined {
  if (folders.has(folder)) return folders.get(folder)
  if (folders.size >= MAX_FOLDERS) folders = new Map()
  const plain = plainPath(folder)
  const names = plain === undefined ? undefined : namesOf(plain)
  folders.set(folder, names)
  return names
}

const MAX_FOLDERS = 512

function namesOf(path: string): string[] {
  return foldCase(path)
    .split('/')
    .filter((name) => name !== '')
}

/** What is left of a pattern behind each way in which it may fit the names of a folder. */
function remaining(pattern: readonly string[], folder: readonly string[]): string[][] {
  let ways: (readonly string[])[] = [pattern]
  for (const name of folder) {
    const next = new Map<string, readonly string[]>()
    for (const way of ways.flatMap(withoutDepth)) {
      const [first, ...rest] = way
      if (first === '**') next.set(way.join('/'), way)
      else if (first !== undefined && fits(first, name)) next.set(rest.join('/'), rest)
    }
    ways = [...next.values()]
  }
  return ways.map((way) => [...way])
}

/** `**` may stand for no name at all. */
function withoutDepth(way: readonly string[]): (readonly string[])[] {
  return way[0] === '**' ? [way, ...withoutDepth(way.slice(1))] : [way]
}

function fits(pattern: string, name: string): boolean {
  return pattern === name || (/[*?]/.test(pattern) && namesMeet(pattern, name))
}
