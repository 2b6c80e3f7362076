/**
 * Wakes those who wait here for what another process has changed. Changes of our own woke them already.
 *
 * A hint that names requests costs one read for each of them that somebody here waits for or runs, all at once. One that
 * names none costs a read for everything that is waited for, in handfuls. What is hinted at while that goes on is read
 * afterwards, and what could not be read is read a second later: a hint is never lost.
 */
import type { Hint, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { RecentRequests } from '../requests/recent-requests.ts'
import { unknownRequestId } from '../requests/request-refusals.ts'
import type { RunningCalls } from '../requests/running-calls.ts'
import type { Waiters } from '../requests/waiters.ts'

export interface WakeUps {
  start(cursor: string): void
  hear(hint: Hint): void
}

export interface WakeUpPorts {
  store: Pick<Store, 'get' | 'journal'>
  waiters: Waiters
  running: RunningCalls
  recent: Pick<RecentRequests, 'strike'>
  host: Pick<Host, 'clock' | 'closed' | 'report'>
}

/** Read at once. A remote store puts them into one question. */
const HANDFUL = 200
const PAGE = 200
/** So few are simply read again; for more, the feed says which of them changed. */
const FEW = 500
/** When there is more in the feed than this, reading all that is waited for is less work. */
const MAX_PAGES = 20
const RETRY_MS = 1000

export function createWakeUps({ store, waiters, running, recent, host }: WakeUpPorts): WakeUps {
  /** What happened up to here is known to whoever waits. */
  let known: string | undefined
  let named = new Set<string>()
  let any = false
  let reading = false

  async function readAll(): Promise<void> {
    if (reading) return
    reading = true
    try {
      while (!host.closed() && (any || named.size > 0)) await readOnce()
    } catch (error) {
      host.report({ doing: 'reading what other processes changed', error })
      host.clock.after(RETRY_MS, () => void readAll())
    } finally {
      reading = false
    }
  }

  async function readOnce(): Promise<void> {
    const [ids, isAny] = [named, any]
    named = new Set()
    any = false
    try {
      await wakeEach(isAny ? await changed(ids) : ids)
    } catch (error) {
      for (const id of ids) named.add(id)
      any ||= isAny
      throw error
    }
  }

  /** Of all that is watched here, what may have changed. */
  async function changed(ids: Set<string>): Promise<Iterable<string>> {
    const all = () => [...waiters.ids(), ...running.ids()]
    if (waiters.size() + running.size() <= FEW) {
      known = undefined
      return all()
    }
    for (let pages = 0; known !== undefined && pages < MAX_PAGES; pages++) {
      const page = await store.journal.feed(known, PAGE)
      if (!page.complete) break
      for (const { entry } of page.events) if (entry.request !== undefined) ids.add(entry.request)
      const last = page.events.at(-1)
      if (last === undefined) return ids
      known = last.cursor
    }
    // The cursor is taken first: what comes after it is found from there, what came before by the reads.
    known = await store.journal.cursor()
    return all()
  }

  async function wakeEach(ids: Iterable<string>): Promise<void> {
    const watched = [...ids].filter((id) => waiters.has(id) || running.has(id))
    for (let from = 0; from < watched.length; from += HANDFUL) {
      await Promise.all(watched.slice(from, from + HANDFUL).map(wake))
    }
  }

  async function wake(id: string): Promise<void> {
    const request = await store.get(id)
    // A store that was allowed to lose has lost it, and nobody will ever decide it.
    if (request === undefined) return waiters.fail(id, unknownRequestId(id))
    waiters.wake(request)
    running.stopIfAsked(request)
  }

  return {
    start(cursor) {
      known = cursor
    },
    hear({ local, requests, replaced }) {
      if (local && replaced === undefined) return
      const isNamed = requests !== undefined && replaced === undefined
      recent.strike(isNamed ? requests : undefined)
      if (isNamed) {
        for (const id of requests) if (waiters.has(id) || running.has(id)) named.add(id)
      } else any = true
      void readAll()
    },
  }
}
