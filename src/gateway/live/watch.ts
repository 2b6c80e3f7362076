/**
 * `watch`: what changes, live, from any point on. All who watch in this process are served from one tail of the journal's
 * feed, each at its own pace; who is not in the tail yet, or has fallen behind it, pulls pages from the store until it is.
 * So a slow reader costs no memory, and a thousand cost the store no more than one. Hints only say when to look again.
 */
import type { Entry } from '../../journal/entry.ts'
import type { Hint, Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { createFeedTail, type FeedTailPorts } from './feed-tail.ts'
import { createWakeUps, type WakeUpPorts } from './wake-up.ts'

export type WatchEvent =
  | { kind: 'change'; cursor: string; entry: Entry }
  /** What lies between can't be shown: list again, then go on from here. */
  | { kind: 'reset'; cursor: string }

export interface WatchOptions {
  /** The cursor of the last event seen. Absent: from now on. */
  after?: string
  signal?: AbortSignal
}

export interface Watcher {
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void>
  /** There may be more, though no hint said so. */
  look(): void
  start(): Promise<void>
  stop(): void
}

const PAGE = 200
/** Where several entries are under way at once, their numbers come back in any order, but not this late. */
const LAGS_AFTER_MS = 1000

export interface WatcherPorts extends FeedTailPorts, WakeUpPorts {
  store: Pick<Store, 'get' | 'journal' | 'watch'>
  journal: Pick<JournalWriter, 'lags' | 'catchUp'>
  /** Another process has changed something. */
  onForeign: () => void
  /** The server behind the store is another one. Everybody here was told to look again before this. */
  onReplaced: (replacement: NonNullable<Hint['replaced']>) => void
}

export function createWatcher(ports: WatcherPorts): Watcher {
  const { store, journal, waiters, host, onForeign, onReplaced } = ports
  const tail = createFeedTail(ports)
  const wakeUps = createWakeUps(ports)
  /** Raised when the store was replaced: whoever watches is told to list again. */
  let replaced = 0
  const news = new Set<() => void>()
  let unwatch: (() => void) | undefined
  let isCatchingUp = false

  /**
   * A write that came back as failed may be committed long after, and the next entry shows it: its number is not the next
   * one. Until what lies between is read the chain's head stands still, and all that follows is held in memory (P10).
   */
  function catchUpLater(): void {
    if (isCatchingUp || !journal.lags()) return
    isCatchingUp = true
    host.clock.after(LAGS_AFTER_MS, () => {
      isCatchingUp = false
      if (host.closed() || !journal.lags()) return
      journal.catchUp().catch((error) => host.report({ doing: 'catching up with the journal', error }))
    })
  }

  function hear(hint: Hint): void {
    catchUpLater()
    if (hint.replaced !== undefined) {
      replaced++
      waiters.forgetVersions()
      tail.drop()
    }
    tail.look()
    wakeUps.hear(hint)
    if (!hint.local) onForeign()
    if (hint.replaced !== undefined) onReplaced(hint.replaced)
  }

  /** Until there is more in the tail, the reader has gone or the gateway is closed. */
  function nextNews(signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wake)
        leave()
        news.delete(wake)
        resolve()
      }
      const leave = tail.onNews(wake)
      news.add(wake)
      signal?.addEventListener('abort', wake)
    })
  }

  return {
    async *watch({ after, signal } = {}) {
      const isOver = () => signal?.aborted === true || host.closed()
      const { leave } = tail.join()
      try {
        let atReplaced = replaced
        let cursor = after ?? (await store.journal.cursor())
        let position = tail.position(cursor)
        // With a full page there is more to read before the tail can be any nearer.
        let isFar = false
        while (!isOver()) {
          if (atReplaced !== replaced) {
            atReplaced = replaced
            cursor = await store.journal.cursor()
            position = undefined
            yield { kind: 'reset', cursor }
            continue
          }
          if (position === undefined) {
            // All up to the cursor is in the tail then. If nothing comes after the cursor, what the tail reads from
            // there on does.
            if (!isFar) await tail.catchUp()
            const end = tail.end()
            const page = await store.journal.feed(cursor, PAGE)
            if (isOver()) return
            if (!page.complete) {
              cursor = await store.journal.cursor()
              yield { kind: 'reset', cursor }
              continue
            }
            for (const event of page.events) {
              cursor = event.cursor
              yield { kind: 'change', ...event }
              if (isOver()) return
              if (atReplaced !== replaced) break
            }
            position = page.events.length > 0 || isFar ? tail.position(cursor) : end
            isFar = page.events.length === PAGE
            continue
          }
          const events = tail.read(position, PAGE)
          if (events === undefined) position = undefined
          else if (events.length === 0) await nextNews(signal)
          else {
            for (const event of events) {
              cursor = event.cursor
              position++
              yield { kind: 'change', ...event }
              if (isOver()) return
              if (atReplaced !== replaced) break
            }
          }
        }
      } finally {
        leave()
      }
    },
    look: tail.look,
    async start() {
      // The hints come first: what is committed after the cursor is told of, or read from there.
      unwatch = store.watch(hear)
      wakeUps.start(await store.journal.cursor())
    },
    stop() {
      unwatch?.()
      for (const wake of [...news]) wake()
    },
  }
}
