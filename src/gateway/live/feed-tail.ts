/**
 * The newest part of the journal's feed, read once for everybody who watches in this process. It is there while somebody
 * has joined, and no longer than the buffer holds: whoever falls behind it reads the store.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { createFeedBuffer, type FeedBuffer } from './feed-buffer.ts'
import type { SharedReads } from './shared-reads.ts'

export interface FeedTail extends Pick<FeedBuffer, 'position' | 'end' | 'read'> {
  /** From now on it is read. Leave once. */
  join(): { leave(): void }
  /** Resolves when all that was there before the call is in the tail. */
  catchUp(): Promise<void>
  /** Calls back once, when there is more, or when the tail was dropped. */
  onNews(callback: () => void): () => void
  /** There may be more. */
  look(): void
  /** What is in it is no longer what the store has. */
  drop(): void
}

export interface FeedTailPorts {
  store: Pick<Store, 'journal'>
  host: Pick<Host, 'clock' | 'closed' | 'report'>
  /** Told of every entry before anybody who watches is. */
  sharedReads: Pick<SharedReads, 'hear' | 'drop'>
}

const PAGE = 200
const RETRY_MS = 1000
/** A tail that is dropped this often while it is read is left alone for a moment. */
const MAX_BEGUN = 5

interface CatchUpWaiter {
  resolve(): void
  reject(error: unknown): void
}

export function createFeedTail({ store, host, sharedReads }: FeedTailPorts): FeedTail {
  const buffer = createFeedBuffer()
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
      while (wanted && members > 0 && !host.closed()) {
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
          if (!isFailing && !host.closed()) host.report({ doing: 'following the journal', error })
          isFailing = true
          host.clock.after(RETRY_MS, look)
          return
        }
      }
    } finally {
      reading = false
      if (members === 0 || host.closed()) for (const asker of asking.splice(0)) asker.resolve()
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
    if (buffer.last() === undefined) {
      const cursor = await store.journal.cursor()
      if (mine !== tail) return false
      // Of what lies before the cursor the reads were not told.
      sharedReads.drop()
      buffer.begin(cursor)
    }
    for (;;) {
      const page = await store.journal.feed(buffer.last(), PAGE)
      if (mine !== tail) return false
      if (!page.complete) {
        drop()
        return false
      }
      for (const { entry } of page.events) sharedReads.hear(entry)
      buffer.add(page.events)
      if (page.events.length > 0) tell()
      if (page.events.length < PAGE) return true
    }
  }

  function tell(): void {
    const told = [...listeners]
    listeners.clear()
    for (const listener of told) listener()
  }

  function drop(): void {
    tail++
    sharedReads.drop()
    buffer.empty()
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
    position: buffer.position,
    end: buffer.end,
    read: buffer.read,
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
