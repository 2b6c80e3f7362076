/** One list of items while it is written: the items by their keys, and the answer that is under way. */
import type { Item, ItemBody, Lane } from './items.ts'
import type { Sheet } from './sheet.ts'

export interface WorkingLane {
  readonly lane: Lane
  readonly session: string
  readonly turn: string
  /** The answer that pieces of words belong to. `known`: it is whole already, and they are told again. */
  answer: Item | 'known' | undefined
  /** How often the same words have steered the turn, in what is being told now. */
  readonly steered: Map<string, number>
  all(): readonly Item[]
  find(key: string): Item | undefined
  /** The item with this key; a new one stands at the end, or behind another. */
  put(key: string, first: () => ItemBody, behind?: Item): Item
  /** The highest step that has been heard of. */
  lastStep(): number
}

export function createLane(sheet: Sheet, session: string, turn: string): WorkingLane {
  const items = sheet.value<readonly Item[]>([])
  const byKey = new Map<string, Item>()
  let highest = 0
  return {
    lane: { session, items: items.shown },
    session,
    turn,
    answer: undefined,
    steered: new Map(),
    all: items.get,
    find: (key) => byKey.get(key),
    put(key, first, behind) {
      const known = byKey.get(key)
      if (known !== undefined) return known
      const made: Item = { key, body: sheet.value(first()) }
      byKey.set(key, made)
      const body = made.body.get()
      if (body.kind === 'answer') highest = Math.max(highest, body.step)
      const before = items.get()
      const at = behind === undefined ? before.length : before.indexOf(behind) + 1
      items.set(before.toSpliced(at, 0, made))
      return made
    },
    lastStep: () => highest,
  }
}

/** Changes a body of one kind; others stay as they are. */
export function change<Kind extends ItemBody['kind']>(
  item: Item,
  kind: Kind,
  next: (body: Extract<ItemBody, { kind: Kind }>) => ItemBody,
): void {
  const body = item.body.get()
  if (body.kind === kind) item.body.set(next(body as Extract<ItemBody, { kind: Kind }>))
}
