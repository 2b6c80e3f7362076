/**
 * The newest part of the journal's feed, read once for everybody who watches in this process. It is there while somebody
 * has joined, and never longer than so many events and bytes: whoever falls behind it reads the store.
 *
 * An event has a position: how many were read before it since the tail was begun. Positions are never used twice, so one
 * that was taken from a tail that was dropped since is simply no longer there.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { Entry } from '../../journal/entry.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import type { SharedReads } from './shared-reads.ts'

export interface FeedEvent {
  cursor: string
  entry: Entry
}

export interface FeedTail {
  /** From now on it is read. Leave once. */
  join(): { leave(): void }
  /** What comes after the cursor begins here; undefined where the tail does not know the cursor. */
  position(cursor: string): number | undefined
  /** What is still to come begins here. */
  end(): number
  /** Undefined where what begins there is no longer in the tail. */
  read(position: number, limit: number): FeedEvent[] | undefined
  /** Resolves when all that was there before the call is in the tail. */
  catchUp(): Promise<void>
  /** Calls back once, when there is more, or when the tail was dropped. */
  onNews(callback: () => void): () => void
  /** There may be more. */
  look(): void
  /** What is in it is no longer what the store has. */
  drop(): void
}

const PAGE = 200
/** Some seconds of a busy installation. */
const MAX_EVENTS = 2000
const MAX_BYTES = 4 * 1024 * 1024
/** What an event takes besides its body, roughly. */
const OVERHEAD = 300
const RETRY_MS = 1000
/** A tail that is dropped this often while it is read is left alone for a moment. */
const MAX_BEGUN = 5

interface CatchUpWaiter {
  resolve(): void
  reject(error: unknown): void
}

export function createFeedTail(hall: GatewayContext, reads: Pick<SharedReads, 'hear' | 'drop'>): FeedTail {
  let events: FeedEvent[] = []
  let first = 0
  let bytes = 0
  /** Where each cursor's followers begin. */
  let positions = new Map<string, number>()
  /** The cursor that the tail was begun at. */
  let begunAt: string | undefined
  /** What was last read; undefined before the tail is begun. */
  let last: string | undefined
  let members = 0
  /** Raised when the tail is dropped: a read that was under way then is of the old one. */
  let tail = 0
  let asking: CatchUpWaiter[] = []
  let wanted = false
  let reading = false
  let isFailing = false
  const listeners = new Set<() => void>()

  async function follow(): Promise<void> {
    if (reading) return
    reading = true
    try {
      while (wanted && members > 0 && !hall.closed()) {
        wanted = false
        const askers = asking
        asking = []
        try {
          await readOn()
          isFailing = false
          for (const asker of askers) asker.resolve()
        } catch (error) {
          for (const asker of askers) asker.reject(error)
          // A read that was under way when all of it was closed is no fault.
          if (!isFailing && !hall.closed()) hall.report({ doing: 'following the journal', error })
          isFailing = true
          hall.clock.after(RETRY_MS, look)
          return
        }
      }
    } finally {
      reading = false
      if (members === 0 || hall.closed()) for (const asker of asking.splice(0)) asker.resolve()
      // Somebody asked between the last look and here.
      else if (wanted && !isFailing) void follow()
    }
  }

  async function readOn(): Promise<void> {
    for (let begun = 0; begun < MAX_BEGUN; begun++) if (await readTail()) return
    throw new BanksmanError(
      'store_unavailable',
      'the journal changed under whoever followed it, again and again',
    )
  }

  /** False when the tail was dropped meanwhile. */
  async function readTail(): Promise<boolean> {
    const mine = tail
    if (last === undefined) {
      const cursor = await hall.store.journal.cursor()
      if (mine !== tail) return false
      begin(cursor)
    }
    for (;;) {
      const page = await hall.store.journal.feed(last, PAGE)
      if (mine !== tail) return false
      if (!page.complete) {
        drop()
        return false
      }
      for (const event of page.events) add(event)
      trim()
      if (page.events.length > 0) tell()
      if (page.events.length < PAGE) return true
    }
  }

  function begin(cursor: string): void {
    // Of what lies before the cursor the reads were not told.
    reads.drop()
    last = cursor
    begunAt = cursor
    positions.set(cursor, first)
  }

  function add(event: FeedEvent): void {
    reads.hear(event.entry)
    events.push(event)
    bytes += event.entry.body.length + OVERHEAD
    last = event.cursor
    positions.set(event.cursor, first + events.length)
  }

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

  function tell(): void {
    const told = [...listeners]
    listeners.clear()
    for (const listener of told) listener()
  }

  function drop(): void {
    tail++
    reads.drop()
    first += events.length + 1
    events = []
    bytes = 0
    positions = new Map()
    last = undefined
    begunAt = undefined
    tell()
  }

  function look(): void {
    wanted = true
    void follow()
  }

  return {
    join() {
      members++
      return {
        leave() {
          members--
          if (members === 0) drop()
        },
      }
    },
    position: (cursor) => positions.get(cursor),
    end: () => first + events.length,
    read(position, limit) {
      if (position < first || position > first + events.length || last === undefined) return undefined
      return events.slice(position - first, position - first + limit)
    },
    catchUp: () =>
      new Promise<void>((resolve, reject) => {
        asking.push({ resolve, reject })
        look()
      }),
    onNews(callback) {
      listeners.add(callback)
      return () => void listeners.delete(callback)
    },
    look() {
      if (members > 0) look()
    },
    drop,
  }
}
