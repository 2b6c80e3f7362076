/**
 * `watch`: what changes, live, from any point on. Each reader pulls pages of the journal's feed at its own pace, so
 * a slow one costs no memory here. Hints only say when to look again.
 */

import { BanksmanError } from '../core/errors.ts'
import type { Entry } from '../journal/entry.ts'
import type { Hall } from './hall.ts'

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
  start(): Promise<void>
  stop(): void
}

const PAGE = 200
/** So few are simply read again; for more, the feed says which of them changed. */
const FEW = 500

export function createWatcher(hall: Hall): Watcher {
  const readers = new Set<() => void>()
  let unwatch: (() => void) | undefined
  let foreign: string | undefined
  let reading = false
  let again = false

  /** Wakes waiters whose request was changed by another process. Changes of our own woke them already. */
  async function readForeign(): Promise<void> {
    if (reading) {
      again = true
      return
    }
    reading = true
    try {
      do {
        again = false
        if (watched() <= FEW) {
          await wakeAll()
          continue
        }
        for (;;) {
          const page = await hall.store.journal.feed(foreign, PAGE)
          if (!page.complete) await wakeAll()
          const last = page.events.at(-1)
          for (const { entry } of page.events) {
            if (entry.request !== undefined && isWatched(hall, entry.request)) await wake(entry.request)
          }
          if (last === undefined) break
          foreign = last.cursor
        }
      } while (again)
    } catch (error) {
      hall.report({ doing: 'reading what other processes changed', error })
      hall.clock.after(1000, () => void readForeign())
    } finally {
      reading = false
    }
  }

  const watched = () => hall.waiters.size() + hall.running.size

  /** The cursor is taken first: what comes after it is found from there, what came before by the reads below. */
  async function wakeAll(): Promise<void> {
    foreign = await hall.store.journal.cursor()
    for (const id of [...hall.waiters.ids(), ...hall.running.keys()]) await wake(id)
  }

  async function wake(id: string): Promise<void> {
    const request = await hall.store.get(id)
    if (request === undefined) return
    hall.waiters.wake(request)
    if (request.progress.stop !== undefined) {
      hall.running
        .get(id)
        ?.controller.abort(new BanksmanError('cancelled', `stopped by ${request.progress.stop.by}`))
    }
  }

  return {
    async *watch({ after, signal } = {}) {
      let cursor = after ?? (await hall.store.journal.cursor())
      for (;;) {
        let woken = false
        let wakeUp = () => {
          woken = true
        }
        const reader = () => wakeUp()
        readers.add(reader)
        try {
          const page = await hall.store.journal.feed(cursor, PAGE)
          if (signal?.aborted || hall.closed()) return
          if (!page.complete) {
            cursor = await hall.store.journal.cursor()
            yield { kind: 'reset', cursor }
            continue
          }
          for (const event of page.events) {
            cursor = event.cursor
            yield { kind: 'change', ...event }
            if (signal?.aborted || hall.closed()) return
          }
          if (page.events.length > 0 || woken) continue
          await new Promise<void>((resolve) => {
            wakeUp = () => {
              signal?.removeEventListener('abort', wakeUp)
              resolve()
            }
            signal?.addEventListener('abort', wakeUp)
          })
          if (signal?.aborted || hall.closed()) return
        } finally {
          readers.delete(reader)
        }
      }
    },
    async start() {
      foreign = await hall.store.journal.cursor()
      unwatch = hall.store.watch(({ local }) => {
        for (const reader of readers) reader()
        if (local) return
        hall.recent.clear()
        void readForeign()
      })
    },
    stop() {
      unwatch?.()
      for (const reader of readers) reader()
    },
  }
}

function isWatched(hall: Hall, id: string): boolean {
  return hall.waiters.has(id) || hall.running.has(id)
}
