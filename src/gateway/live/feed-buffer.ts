/**
 * The newest events of the journal's feed, in memory, never more than so many events and bytes.
 *
 * An event has a position: how many were read before it since the buffer was made. Positions are never used twice, so one that
 * was taken before the buffer was emptied is simply no longer there.
 */
import type { Entry } from '../../journal/entry.ts'

export interface FeedEvent {
  cursor: string
  entry: Entry
}

export interface FeedBuffer {
  /** What comes after the cursor begins here; undefined where the buffer does not know the cursor. */
  position(cursor: string): number | undefined
  /** What is still to come begins here. */
  end(): number
  /** Undefined where what begins there is no longer in the buffer. */
  read(position: number, limit: number): FeedEvent[] | undefined
  /** The cursor of what was added last; undefined before it begins. */
  last(): string | undefined
  begin(cursor: string): void
  add(events: readonly FeedEvent[]): void
  empty(): void
}

/** Some seconds of a busy installation. */
const MAX_EVENTS = 2000
const MAX_BYTES = 4 * 1024 * 1024
/** What an event takes besides its body, roughly. */
const OVERHEAD = 300

export function createFeedBuffer(): FeedBuffer {
  let events: FeedEvent[] = []
  let first = 0
  let bytes = 0
  /** Where each cursor's followers begin. */
  let positions = new Map<string, number>()
  /** The cursor that the buffer begins at. */
  let begunAt: string | undefined
  let last: string | undefined

  function trim(): void {
    let gone = 0
    while (gone < events.length && (events.length - gone > MAX_EVENTS || bytes > MAX_BYTES)) {
      const { cursor, entry } = events[gone]!
      bytes -= entry.body.length + OVERHEAD
      // The newest cursor stays known, be its event too large to keep: what comes after it begins at the end.
      if (begunAt !== undefined) positions.delete(begunAt)
      begunAt = cursor
      gone++
    }
    if (gone === 0) return
    events = events.slice(gone)
    first += gone
  }

  return {
    position: (cursor) => positions.get(cursor),
    end: () => first + events.length,
    read(position, limit) {
      if (position < first || position > first + events.length || last === undefined) return undefined
      return events.slice(position - first, position - first + limit)
    },
    last: () => last,
    begin(cursor) {
      last = cursor
      begunAt = cursor
      positions.set(cursor, first)
    },
    add(more) {
      for (const event of more) {
        events.push(event)
        bytes += event.entry.body.length + OVERHEAD
        last = event.cursor
        positions.set(event.cursor, first + events.length)
      }
      trim()
    },
    empty() {
      first += events.length + 1
      events = []
      bytes = 0
      positions = new Map()
      last = undefined
      begunAt = undefined
    },
  }
}
