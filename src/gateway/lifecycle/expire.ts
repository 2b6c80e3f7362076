/**
 * Deadlines: a pending request expires, an approval that nobody claims lapses, a lease that nobody renews leaves
 * the outcome unknown. The store's time decides; the timer here is only a hint to look. What came due while no
 * process was up is found at the first look.
 *
 * All nodes look at the same moment. The compare-and-set lets one of them win each request; who finds that others are
 * winning most of them leaves them the rest, and looks again a little later, each after another while.
 */
import { isBanksmanError } from '../../core/errors.ts'
import type { Request, RequestState } from '../../core/request.ts'
import type { RequestEvent } from '../../core/transitions.ts'
import type { EntryType } from '../../journal/entry.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { isStoreFault } from '../requests/store-fault.ts'

/** Brings one request past its deadline if that has come; false when there was nothing to do. */
export type ExpireOne = (id: string) => Promise<boolean>

export interface Deadlines {
  expireOne: ExpireOne
  /** Brings everything that is due past its deadline; says how many. */
  expire(): Promise<number>
  /** There is a deadline at this moment. */
  schedule(at: number): void
  start(): void
  stop(): void
}

/** Even without a known deadline we look this often: another process may have opened something and died. */
const LOOK_EVERY_MS = 30_000
const BATCH = 200
const PAUSE_MS = 250

const AT_DEADLINE: Partial<Record<RequestState, { event: RequestEvent; type: EntryType }>> = {
  pending: { event: { kind: 'expire' }, type: 'request.expired' },
  approved: { event: { kind: 'lapse' }, type: 'request.lapsed' },
  running: { event: { kind: 'lose' }, type: 'request.lost' },
}

export interface DeadlinePorts {
  store: Pick<Store, 'get' | 'now' | 'due' | 'nextDeadline'>
  changes: RequestChanges
  host: Pick<Host, 'clock' | 'random' | 'observe' | 'report'>
}

export function createDeadlines({ store, changes, host }: DeadlinePorts): Deadlines {
  let timer: { at: number; cancel(): void } | undefined
  let looking: Promise<number> | undefined
  let stopped = true
  /** At the last look somebody else won most of what was due. */
  let outdone = false

  async function expireOne(id: string): Promise<boolean> {
    const request = await store.get(id)
    return request !== undefined && expireThis(request)
  }

  async function expireThis(seen: Request): Promise<boolean> {
    const due = AT_DEADLINE[seen.state]
    if (due === undefined || seen.deadline === null || seen.deadline > store.now()) return false
    try {
      const { request, changed } = await changes.change(
        seen.id,
        () => ({
          event: due.event,
          describe: ({ to, progress }) => ({
            type: due.type,
            members: {
              state: to,
              ...(progress.claim?.handedOver === undefined ? {} : { cause: 'not_reported' }),
            },
          }),
        }),
        seen,
      )
      if (changed) host.observe({ kind: 'ended', state: request.state })
      return changed
    } catch (error) {
      // Somebody decided, renewed or claimed in the same instant, and won.
      if (isBanksmanError(error) && !isStoreFault(error)) return false
      throw error
    }
  }

  async function expire(): Promise<number> {
    let count = 0
    outdone = false
    for (;;) {
      const due = await store.due(BATCH)
      if (due.length === 0) return count
      const moved = (await Promise.all(due.map(expireThis))).filter(Boolean).length
      count += moved
      // Others are at it, or it can't be moved: a tight loop would not help.
      outdone = moved === 0 || moved * 2 < due.length
      if (outdone) return count
    }
  }

  function look(): void {
    if (looking !== undefined || stopped) return
    looking = expire()
      .catch((error) => {
        host.report({ doing: 'driving deadlines', error })
        return 0
      })
      .finally(() => {
        looking = undefined
        void plan()
      })
  }

  async function plan(): Promise<void> {
    if (stopped) return
    const next = await store.nextDeadline().catch(() => undefined)
    schedule(next ?? Number.POSITIVE_INFINITY)
  }

  function schedule(at: number): void {
    if (stopped) return
    const now = store.now()
    // At least 10 ms: a deadline in the same millisecond shall not spin.
    const delay = Math.min(Math.max(at - now, outdone ? pause() : 10), LOOK_EVERY_MS)
    if (timer !== undefined && timer.at <= now + delay) return
    timer?.cancel()
    const set = host.clock.after(delay, () => {
      timer = undefined
      look()
    })
    timer = { at: now + delay, cancel: () => set.cancel() }
  }

  /** Long enough for another to be through with a batch, and not the same on any two nodes. */
  function pause(): number {
    return PAUSE_MS + (host.random.bytes(1)[0]! * PAUSE_MS) / 256
  }

  return {
    expireOne,
    expire,
    schedule,
    start() {
      stopped = false
      look()
    },
    stop() {
      stopped = true
      timer?.cancel()
      timer = undefined
    },
  }
}
