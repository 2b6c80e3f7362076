/**
 * Globs by one of the pieces between their stars: of each glob the one that the fewest others have. The name is read
 * once, by Aho and Corasick's automaton, which finds every piece that stands in it whatever their number; only the globs
 * of those pieces are then asked whether they match.
 */
import type { FoundGlobs, GlobFinder, NumberedGlob } from './glob-finder.ts'

/** The globs of one piece. */
interface PieceGroup {
  /** Those of which nothing but the piece is left to match. */
  sure: readonly number[]
  others: GlobFinder
}

const ROOT = 0

export class PieceAutomaton implements GlobFinder {
  /** The globs without a piece: nothing in a name tells them apart. */
  readonly #always: GlobFinder
  readonly #states: States

  /** `next` makes a finder of globs that have the same piece. */
  constructor(globs: readonly NumberedGlob[], next: (globs: readonly NumberedGlob[]) => GlobFinder) {
    this.#always = next(globs.filter(({ middle }) => middle.length === 0))
    this.#states = buildStates(
      [...groupByPiece(globs)].map(([piece, alike]) => ({
        piece,
        group: {
          sure: alike.filter(isPieceAlone).map(({ index }) => index),
          others: next(alike.filter((glob) => !isPieceAlone(glob))),
        },
      })),
    )
  }

  first(name: string): number {
    const always = this.#always.first(name)
    if (always !== -1) return always
    for (const { sure, others } of this.#groupsIn(name)) {
      const found = sure[0] ?? others.first(name)
      if (found !== -1) return found
    }
    return -1
  }

  collect(name: string, found: FoundGlobs): void {
    this.#always.collect(name, found)
    for (const { sure, others } of this.#groupsIn(name)) {
      for (const index of sure) found.add(index)
      others.collect(name, found)
    }
  }

  /** The groups of all pieces that stand in the name, each once. */
  #groupsIn(name: string): ReadonlySet<PieceGroup> {
    const { groups, ends, fallback } = this.#states
    let found: Set<PieceGroup> | undefined
    let state = ROOT
    for (let at = 0; at < name.length; at++) {
      state = step(this.#states, state, name.charCodeAt(at))
      for (let end = ends[state]!; end !== ROOT; end = ends[fallback[end]!]!) {
        const group = groups[end]!
        found ??= new Set()
        // Whoever was here has also been wherever the way leads on from here.
        if (found.has(group)) break
        found.add(group)
      }
    }
    return found ?? NONE
  }
}

const NONE: ReadonlySet<PieceGroup> = new Set()

function isPieceAlone({ prefix, suffix, middle }: NumberedGlob): boolean {
  return prefix === '' && suffix === '' && middle.length === 1
}

/** The states of the automaton, each a beginning of some piece; the children of one are numbered in a row. */
interface States {
  /** The children of state `s` are from `children[s]` up to `children[s + 1]`, ascending by letter. */
  children: Uint32Array
  /** The letter that leads to a state. */
  letters: Uint16Array
  /** The longest other beginning of a piece that the state's text ends with. */
  fallback: Uint32Array
  /** The state itself where a piece ends, else the nearest such by way of fallbacks; ROOT for none. */
  ends: Uint32Array
  groups: (PieceGroup | undefined)[]
  /** The children of the root by letter, for ASCII: most of the time is spent there. */
  starts: Uint32Array
}

const ASCII = 128

function step(states: States, from: number, code: number): number {
  let state = from
  for (;;) {
    const next = state === ROOT && code < ASCII ? states.starts[code]! : child(states, state, code)
    if (next !== ROOT || state === ROOT) return next
    state = states.fallback[state]!
  }
}

function child({ children, letters }: States, state: number, code: number): number {
  let low = children[state]!
  const end = children[state + 1]!
  if (low === end) return ROOT
  for (let high = end - 1; low < high; ) {
    const middle = (low + high) >>> 1
    if (letters[middle]! < code) low = middle + 1
    else high = middle
  }
  return letters[low] === code ? low : ROOT
}

/** By the piece that the fewest globs have. */
function groupByPiece(globs: readonly NumberedGlob[]): Map<string, NumberedGlob[]> {
  const holders = new Map<string, number>()
  for (const { middle } of globs) {
    for (const { text } of middle) holders.set(text, (holders.get(text) ?? 0) + 1)
  }
  const groups = new Map<string, NumberedGlob[]>()
  for (const glob of globs) {
    let rarest: string | undefined
    for (const { text } of glob.middle) {
      if (rarest === undefined || holders.get(text)! < holders.get(rarest)!) rarest = text
    }
    if (rarest === undefined) continue
    const alike = groups.get(rarest)
    if (alike === undefined) groups.set(rarest, [glob])
    else alike.push(glob)
  }
  return groups
}

interface PieceBranch {
  letter: number
  parent: number
  children: Map<number, PieceBranch>
  group: PieceGroup | undefined
}

function buildStates(pieces: readonly { piece: string; group: PieceGroup }[]): States {
  const root: PieceBranch = { letter: 0, parent: ROOT, children: new Map(), group: undefined }
  for (const { piece, group } of pieces) {
    let branch = root
    for (let at = 0; at < piece.length; at++) {
      const letter = piece.charCodeAt(at)
      let next = branch.children.get(letter)
      if (next === undefined) {
        next = { letter, parent: ROOT, children: new Map(), group: undefined }
        branch.children.set(letter, next)
      }
      branch = next
    }
    branch.group = group
  }

  // Breadth first: a state's fallback is shorter than the state, so it is ready before it is needed.
  const order = [root]
  const children: number[] = []
  for (let state = 0; state < order.length; state++) {
    children.push(order.length)
    const below = [...order[state]!.children.values()].sort((one, other) => one.letter - other.letter)
    for (const next of below) {
      next.parent = state
      order.push(next)
    }
  }
  children.push(order.length)

  const states: States = {
    children: Uint32Array.from(children),
    letters: Uint16Array.from(order, ({ letter }) => letter),
    fallback: new Uint32Array(order.length),
    ends: new Uint32Array(order.length),
    groups: order.map(({ group }) => group),
    starts: new Uint32Array(ASCII),
  }
  for (const { letter } of root.children.values()) {
    if (letter < ASCII) states.starts[letter] = child(states, ROOT, letter)
  }
  for (let state = 1; state < order.length; state++) {
    const { letter, parent, group } = order[state]!
    if (parent !== ROOT) states.fallback[state] = step(states, states.fallback[parent]!, letter)
    states.ends[state] = group === undefined ? states.ends[states.fallback[state]!]! : state
  }
  return states
}
