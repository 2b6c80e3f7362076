/**
 * Globs by what they begin with, or by what they end with. The tree branches only where affixes differ, and a name is
 * led through it by the letters at those places alone; where an affix ends, the letters that were passed over are
 * compared. So most names are sent away after a look at two or three of their letters.
 */
import type { FoundGlobs, GlobFinder, NumberedGlob } from './glob-finder.ts'

export type Affix = 'prefix' | 'suffix'

interface Node {
  /** How many letters of the affix are known by here. The next one says which child to go to. */
  depth: number
  /** The first letter of each child after `depth`, ascending. */
  branches: Uint16Array
  children: Node[]
  /** The globs that have this affix; undefined where none ends here. */
  group: AffixGroup | undefined
}

interface AffixGroup {
  /** What of the affix has not been compared by the groups above, as it stands in the name. */
  text: string
  /** The globs of which nothing but the affix is left to match. */
  sure: readonly number[]
  /** Those of which something is left. */
  others: GlobFinder | undefined
}

export class AffixTree implements GlobFinder {
  readonly #root: Node
  readonly #fromEnd: boolean

  /** `next` makes a finder of globs that all have the same affix. */
  constructor(
    affix: Affix,
    globs: readonly NumberedGlob[],
    next: (globs: readonly NumberedGlob[]) => GlobFinder,
  ) {
    this.#fromEnd = affix === 'suffix'
    this.#root = grow(affix, globs, next)
  }

  first(name: string): number {
    const fromEnd = this.#fromEnd
    let node: Node | undefined = this.#root
    while (node !== undefined) {
      const { group } = node
      if (group !== undefined) {
        if (!isThere(group.text, name, node.depth, fromEnd)) return -1
        if (group.sure.length > 0) return group.sure[0]!
        const found = group.others === undefined ? -1 : group.others.first(name)
        if (found !== -1) return found
      }
      node = childFor(node, name, fromEnd)
    }
    return -1
  }

  collect(name: string, found: FoundGlobs): void {
    const fromEnd = this.#fromEnd
    let node: Node | undefined = this.#root
    while (node !== undefined) {
      const { group } = node
      if (group !== undefined) {
        if (!isThere(group.text, name, node.depth, fromEnd)) return
        for (let at = 0; at < group.sure.length; at++) found.add(group.sure[at]!)
        if (group.others !== undefined) group.others.collect(name, found)
      }
      node = childFor(node, name, fromEnd)
    }
  }
}

/** Whether the text stands in the name where an affix of length `depth` has its inner end. */
function isThere(text: string, name: string, depth: number, fromEnd: boolean): boolean {
  const { length } = text
  if (length === 0) return true
  const start = fromEnd ? name.length - depth : depth - length
  // Looked at first because it is cheap and affixes that are alike near the outer end mostly differ at the inner one.
  const inner = fromEnd ? 0 : length - 1
  return name.charCodeAt(start + inner) === text.charCodeAt(inner) && name.startsWith(text, start)
}

function childFor({ depth, branches, children }: Node, name: string, fromEnd: boolean): Node | undefined {
  const count = branches.length
  if (count === 0 || depth >= name.length) return undefined
  const code = name.charCodeAt(fromEnd ? name.length - 1 - depth : depth)
  let low = 0
  for (let high = count - 1; low < high; ) {
    const middle = (low + high) >>> 1
    if (branches[middle]! < code) low = middle + 1
    else high = middle
  }
  if (branches[low] !== code) return undefined
  const child = children[low]!
  return child.depth <= name.length ? child : undefined
}

interface Grouped {
  /** The affix in the order in which it is read. */
  key: string
  sure: number[]
  others: NumberedGlob[]
}

function grow(
  affix: Affix,
  globs: readonly NumberedGlob[],
  next: (globs: readonly NumberedGlob[]) => GlobFinder,
): Node {
  const grouped = groupByAffix(affix, globs)
  const root = emptyNode(0)
  // A list of what is left to do and not a recursion, because keys may nest as deep as they are many.
  const pending = [{ node: root, compared: 0, low: 0, high: grouped.length }]
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { node, high } = task
    let { compared, low } = task
    const own = grouped[low]
    if (own?.key.length === node.depth) {
      const rest = own.key.slice(compared)
      node.group = {
        text: affix === 'prefix' ? rest : backwards(rest),
        sure: own.sure,
        others: own.others.length === 0 ? undefined : next(own.others),
      }
      compared = node.depth
      low++
    }
    const branches: number[] = []
    while (low < high) {
      const { key } = grouped[low]!
      const code = key.charCodeAt(node.depth)
      let end = low + 1
      while (end < high && grouped[end]!.key.charCodeAt(node.depth) === code) end++
      const child = emptyNode(sharedLength(key, grouped[end - 1]!.key, node.depth + 1))
      branches.push(code)
      node.children.push(child)
      pending.push({ node: child, compared, low, high: end })
      low = end
    }
    node.branches = Uint16Array.from(branches)
  }
  return root
}

function emptyNode(depth: number): Node {
  return { depth, branches: new Uint16Array(0), children: [], group: undefined }
}

/** One for each affix, ascending by key. */
function groupByAffix(affix: Affix, globs: readonly NumberedGlob[]): Grouped[] {
  const groups = new Map<string, Grouped>()
  for (const glob of globs) {
    const key = affix === 'prefix' ? glob.prefix : backwards(glob.suffix)
    let group = groups.get(key)
    if (group === undefined) {
      group = { key, sure: [], others: [] }
      groups.set(key, group)
    }
    const isDone = glob.middle.length === 0 && (affix === 'prefix' ? glob.suffix : glob.prefix) === ''
    if (isDone) group.sure.push(glob.index)
    else group.others.push(glob)
  }
  return [...groups.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
}

/** By code units and not by characters, as `charCodeAt` reads them. */
function backwards(text: string): string {
  let turned = ''
  for (let at = text.length - 1; at >= 0; at--) turned += text[at]
  return turned
}

/** How far two keys are the same; of sorted keys that is what all between them share. */
function sharedLength(one: string, other: string, from: number): number {
  let at = from
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}
