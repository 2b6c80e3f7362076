/**
 * A list of tool-name patterns, made ready to be asked which of them match a name. A pattern without a star is a name;
 * `*` stands for anything. A pattern that stands in the list twice counts as its first.
 *
 * One index over all lists of a policy is faster than an index for each: put the distinct patterns of all of them in,
 * and keep beside each what it means where it stands.
 */
import { parseGlob } from './glob.ts'
import { createGlobFinder, FoundGlobs } from './glob-finder.ts'
import { createShortList } from './short-list.ts'

export interface NameIndex {
  /** Where some pattern that matches stands in the list: the plain name if it is there; -1 for none. */
  first(name: string): number
  /** Where every pattern that matches stands: the plain name, then those with stars in the list's order. */
  all(name: string): readonly number[]
}

export function compileNameIndex(patterns: readonly string[]): NameIndex {
  const indices = new Map<string, number>()
  for (const [index, pattern] of patterns.entries()) if (!indices.has(pattern)) indices.set(pattern, index)
  const distinct = [...indices].map(([pattern, index]) => ({ pattern, index }))
  const names = distinct.filter(({ pattern }) => !pattern.includes('*'))
  const globs = distinct
    .filter(({ pattern }) => pattern.includes('*'))
    .map(({ pattern, index }) => ({ index, glob: parseGlob(pattern) }))

  const make = (): NameIndex =>
    createShortList([
      ...names.map(({ pattern, index }) => ({ index, match: pattern })),
      ...globs.map(({ glob, index }) => ({ index, match: glob })),
    ]) ??
    createLongList(
      new Map(names.map(({ pattern, index }) => [pattern, index])),
      globs.map(({ index, glob }) => ({ index, ...glob })),
    )
  return madeAtFirstUse(make)
}

/** The patterns are read by now. To find the places in which they differ takes longer, and may wait for the first call. */
function madeAtFirstUse(make: () => NameIndex): NameIndex {
  const ready = (): NameIndex => Object.assign(index, make())
  const index: NameIndex = {
    first: (name) => ready().first(name),
    all: (name) => ready().all(name),
  }
  return index
}

function createLongList(
  names: ReadonlyMap<string, number>,
  globs: Parameters<typeof createGlobFinder>[0],
): NameIndex {
  const finder = createGlobFinder(globs)
  const found = new FoundGlobs()
  return {
    first: (name) => names.get(name) ?? finder.first(name),
    all(name) {
      finder.collect(name, found)
      const matching = found.take()
      const named = names.get(name)
      return named === undefined ? matching : [named, ...matching]
    },
  }
}
