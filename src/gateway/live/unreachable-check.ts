/**
 * A request that only live channels could reach becomes unreachable when the last of their people has gone (P8). One node
 * looks for such requests, on behalf of all: it holds a lease.
 */
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { Channel } from '../../people/channel.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { isStoreFault } from '../requests/store-fault.ts'
import type { Connections } from './connections.ts'
import type { Reachability } from './reach.ts'

export interface UnreachableCheck {
  start(): void
  stop(): void
}

export interface UnreachableCheckPorts {
  store: Pick<Store, 'leases' | 'list' | 'sessions' | 'now'>
  changes: RequestChanges
  reachability: Reachability
  connections: Pick<Connections, 'noteOutage'>
  channels: readonly Channel[]
  host: Pick<Host, 'clock' | 'newId' | 'observe' | 'report'>
  presenceMs: number
}

/** Whoever holds it looks for requests that nobody can be asked about any more. */
const CHECK_LEASE = 'gateway/presence-check'

export function createUnreachableCheck(ports: UnreachableCheckPorts): UnreachableCheck {
  const { store, changes, reachability, connections, channels, host, presenceMs } = ports
  const everyMs = presenceMs / 3
  const holder = host.newId('hld')
  let holdsLease = false
  let timer: { cancel(): void } | undefined
  let stopped = true
  /** Since when the store has answered. */
  let answersSince = 0
  let lookedAt = 0

  /**
   * Nobody is declared unreachable before they had time to come back after a restart; nor when the store was away, when the
   * leases of those who were connected all the time have ended without anybody leaving.
   */
  async function check(): Promise<void> {
    const now = store.now()
    if (now - lookedAt > everyMs * 2) answersSince = now
    lookedAt = now
    if (now - answersSince < presenceMs) {
      // Whether it still does.
      await store.leases.list(CHECK_LEASE)
      return
    }
    const lease = await store.leases.take({ name: CHECK_LEASE, holder, leaseMs: everyMs * 2.5 })
    holdsLease = lease.holder === holder
    if (!holdsLease) return
    let cursor: string | undefined
    do {
      const page = await store.list({ state: 'pending', ...defined({ cursor }) })
      for (const request of page.items) {
        if (request.reach !== 'live') continue
        await checkOne(request).catch((error) => {
          if (isAway(error)) throw error
          // One that can't be looked at does not keep us from looking at the others.
          host.report({ doing: `looking whether ${request.id} can be answered`, error })
        })
      }
      cursor = page.cursor
    } while (cursor !== undefined && !stopped)
  }

  async function checkOne(request: Request): Promise<void> {
    const session = await store.sessions.get(request.session)
    const { origin } = request
    const reach = await reachability.find({ origin, terms: currentTerms(request), session })
    if (reach.kind !== 'nobody') return
    const moved = await changes
      .change(request.id, () => ({
        event: { kind: 'become_unreachable' },
        describe: (next) => ({ type: 'request.unreachable', members: { why: reach.why, state: next.to } }),
      }))
      .catch((error) => {
        if (!isBanksmanError(error) || isStoreFault(error)) throw error
        return undefined
      })
    if (moved?.changed === true) host.observe({ kind: 'ended', state: 'unreachable' })
  }

  function checkLater(): void {
    if (stopped) return
    timer = host.clock.after(everyMs, () => {
      check()
        .catch((error) => {
          if (isAway(error)) {
            answersSince = store.now()
            connections.noteOutage()
          }
          host.report({ doing: 'looking for unreachable requests', error })
        })
        .finally(checkLater)
    })
  }

  return {
    start() {
      stopped = false
      answersSince = store.now()
      lookedAt = answersSince
      if (channels.some((channel) => channel.kind === 'live')) checkLater()
    },
    stop() {
      stopped = true
      timer?.cancel()
      // Where that fails, it ends by itself.
      if (holdsLease) store.leases.release(CHECK_LEASE, holder).catch(() => {})
    },
  }
}

/** Of a store that has lost or damaged something the rest is still there, and so are the people. */
function isAway(error: unknown): boolean {
  return isBanksmanError(error) && ['store_unavailable', 'store_locked', 'store_full'].includes(error.code)
}
