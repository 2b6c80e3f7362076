/** One list of items while it is written: the items by their keys, and the answer that is under way. */

import type { FrameValues } from './frame-values.ts'
import type { TranscriptItem, TranscriptItemBody, TranscriptLane } from './transcript-items.ts'

export interface WorkingLane {
  readonly lane: TranscriptLane
  readonly session: string
  readonly turn: string
  /** The answer that pieces of words belong to. `known`: it is whole already, and they are told again. */
  answer: TranscriptItem | 'known' | undefined
  /** How often the same words have steered the turn, in what is being told now. */
  readonly steered: Map<string, number>
  all(): readonly TranscriptItem[]
  find(key: string): TranscriptItem | undefined
  /** The item with this key; a new one stands at the end, or behind another. */
  put(key: string, first: () => TranscriptItemBody, behind?: TranscriptItem): TranscriptItem
  /** The highest step that has been heard of. */
  lastStep(): number
}

export function createWorkingLane(sheet: FrameValues, session: string, turn: string): WorkingLane {
  const items = sheet.value<readonly TranscriptItem[]>([])
  const byKey = new Map<string, TranscriptItem>()
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
      const made: TranscriptItem = { key, body: sheet.value(first()) }
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
export function changeItem<Kind extends TranscriptItemBody['kind']>(
  item: TranscriptItem,
  kind: Kind,
  next: (body: Extract<TranscriptItemBody, { kind: Kind }>) => TranscriptItemBody,
): void {
  const body = item.body.get()
  if (body.kind === kind) item.body.set(next(body as Extract<TranscriptItemBody, { kind: Kind }>))
}
