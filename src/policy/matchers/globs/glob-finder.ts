/**
 * Which of many globs match a name, without asking each of them. They are put into a tree by what they begin with;
 * those that share a beginning, or have none, into a tree by what they end with; and those that share that too are told
 * apart by a piece between their stars. What is then left is asked one by one.
 *
 * The time for a name depends on its length and on how many globs come close to matching it, hardly on how many there
 * are. Nothing is remembered from one name to the next.
 */
import { AffixTree } from './affix-tree.ts'
import { type Glob, matchesGlob } from './glob.ts'
import { PieceAutomaton } from './piece-automaton.ts'

export interface NumberedGlob extends Glob {
  /** Where it stands in its list. */
  readonly index: number
}

export interface GlobFinder {
  /** The index of some glob that matches, always the same for the same name; -1 for none. */
  first(name: string): number
  /** Adds the index of every glob that matches, each once, in no order. */
  collect(name: string, found: FoundGlobs): void
}

/** Collects indices. It is kept and used again, because most names match nothing and an array for each would cost more than the search. */
export class FoundGlobs {
  readonly #indices: number[] = []
  #count = 0

  add(index: number): void {
    this.#indices[this.#count++] = index
  }

  /** What was added, ascending; and it is empty again. */
  take(): readonly number[] {
    const count = this.#count
    if (count === 0) return NONE
    this.#count = 0
    if (count === 1) return [this.#indices[0]!]
    return this.#indices.slice(0, count).sort((one, other) => one - other)
  }
}

const NONE: readonly number[] = Object.freeze([])

export function createGlobFinder(globs: readonly NumberedGlob[]): GlobFinder {
  if (globs.every(({ prefix }) => prefix === '')) return bySuffix(globs)
  return new AffixTree('prefix', globs, bySuffix)
}

function bySuffix(globs: readonly NumberedGlob[]): GlobFinder {
  if (globs.every(({ suffix }) => suffix === '')) return byPiece(globs)
  return globs.length <= FEW ? new Few(globs) : new AffixTree('suffix', globs, byPiece)
}

function byPiece(globs: readonly NumberedGlob[]): GlobFinder {
  return globs.length <= FEW ? new Few(globs) : new PieceAutomaton(globs, (alike) => new Few(alike))
}

/** So many are asked faster one by one. */
const FEW = 1

class Few implements GlobFinder {
  readonly #globs: readonly NumberedGlob[]

  constructor(globs: readonly NumberedGlob[]) {
    this.#globs = globs
  }

  first(name: string): number {
    for (const glob of this.#globs) if (matchesGlob(glob, name)) return glob.index
    return -1
  }

  collect(name: string, found: FoundGlobs): void {
    for (const glob of this.#globs) if (matchesGlob(glob, name)) found.add(glob.index)
  }
}
