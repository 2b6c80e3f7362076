/**
 * Presence: a live channel says who is connected. It is a lease in the store, so that every node sees it, and it
 * outlasts a dropped connection or a restart by half a minute (P8). A request that only live channels could reach
 * becomes unreachable when the last of them has gone. One node looks for those, on behalf of all: it holds a lease.
 */
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { Presence } from '../../stores/store.ts'
import { changeRequest, type GatewayContext } from '../requests/change-request.ts'
import { findReach } from './reach.ts'

export interface PresenceKeeper {
  /** Someone has connected. Call `leave` when they are gone: they stay reachable for the rest of the lease. */
  arrive(presence: Presence): Promise<{ leave(): void }>
  start(): void
  stop(): void
}

/** After a renewal that the store could not do: people who are there shall be known to be there as soon as it is back. */
const RETRY_MS = 1000
/** Whoever holds it looks for requests that nobody can be asked about any more. */
const CHECK_LEASE = 'gateway/presence-check'

export function createPresenceKeeper(hall: GatewayContext): PresenceKeeper {
  const { presenceMs } = hall.settings
  const everyMs = presenceMs / 3
  const connected = new Map<string, Presence>()
  let renewTimer: { cancel(): void } | undefined
  let checkTimer: { cancel(): void } | undefined
  /** Since when the store has answered. */
  let answersSince = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let lookedAt = 0
  let stopped = true
  const holder = hall.newId('hld')
  let holdsLease = false
  let isFailing = false

  function renewLater(delayMs = everyMs): void {
    renewTimer?.cancel()
    if (stopped || connected.size === 0) return
    renewTimer = hall.clock.after(delayMs, () => {
      renewLater()
      void renewAll()
    })
  }

  async function renewAll(): Promise<void> {
    const renewing = [...connected.values()].map((presence) =>
      hall.store.presence.renew(presence, presenceMs),
    )
    const failed = (await Promise.allSettled(renewing)).find((each) => each.status === 'rejected')
    // Once an outage: a store that is away is away for each of them, and for some time.
    if (failed !== undefined && !isFailing)
      hall.report({ doing: 'renewing a presence', error: failed.reason })
    isFailing = failed !== undefined
    if (!isFailing) return
    failedAt = hall.store.now()
    renewLater(RETRY_MS)
  }

  /**
   * Nobody is declared unreachable before they had time to come back after a restart; nor when the store was away, when the
   * leases of those who were connected all the time have ended without anybody leaving.
   */
  async function check(): Promise<void> {
    const now = hall.store.now()
    if (now - lookedAt > everyMs * 2) answersSince = now
    lookedAt = now
    if (now - answersSince < presenceMs) {
      // Whether it still does.
      await hall.store.leases.list(CHECK_LEASE)
      return
    }
    const lease = await hall.store.leases.take({ name: CHECK_LEASE, holder, leaseMs: everyMs * 2.5 })
    holdsLease = lease.holder === holder
    if (!holdsLease) return
    let cursor: string | undefined
    do {
      const page = await hall.store.list({ state: 'pending', ...defined({ cursor }) })
      for (const request of page.items) {
        if (request.reach !== 'live') continue
        await checkOne(request).catch((error) => {
          if (isAway(error)) throw error
          // One that can't be looked at does not keep us from looking at the others.
          hall.report({ doing: `looking whether ${request.id} can be answered`, error })
        })
      }
      cursor = page.cursor
    } while (cursor !== undefined && !stopped)
  }

  async function checkOne(request: Request): Promise<void> {
    const session = await hall.store.sessions.get(request.session)
    const { origin } = request
    const reach = await findReach(hall, { origin, terms: currentTerms(request), session })
    if (reach.kind !== 'nobody') return
    const moved = await changeRequest(
      hall,
      request.id,
      () => ({ kind: 'become_unreachable' }),
      (_, __, next) => ({ type: 'request.unreachable', members: { why: reach.why, state: next.to } }),
    ).catch((error) => {
      if (!isBanksmanError(error) || error.code.startsWith('store_')) throw error
      return undefined
    })
    if (moved?.changed === true) hall.observe({ kind: 'ended', state: 'unreachable' })
  }

  function checkLater(): void {
    if (stopped) return
    checkTimer = hall.clock.after(everyMs, () => {
      check()
        .catch((error) => {
          if (isAway(error)) {
            answersSince = hall.store.now()
            failedAt = answersSince
          }
          hall.report({ doing: 'looking for unreachable requests', error })
        })
        .finally(checkLater)
    })
  }

  hall.isConnected = (channel, people) => {
    for (const presence of connected.values())
      if (presence.channel === channel && people.has(presence.subject)) return true
    return false
  }

  hall.mayBeMissed = () => {
    const since = hall.store.now() - failedAt
    // A clock that was set back tells nothing.
    return since >= 0 && since < presenceMs
  }

  hall.hasConnections = (channel) => [...connected.values()].some((one) => one.channel === channel)

  return {
    async arrive(presence) {
      const key = JSON.stringify([presence.channel, presence.connection])
      await hall.store.presence.renew(presence, presenceMs)
      connected.set(key, presence)
      if (connected.size === 1) renewLater()
      // What was opened while nobody was connected here waits for whoever comes.
      hall.kickDeliveries()
      return {
        leave() {
          connected.delete(key)
        },
      }
    },
    start() {
      stopped = false
      answersSince = hall.store.now()
      lookedAt = answersSince
      if (hall.channels.some((channel) => channel.kind === 'live')) checkLater()
    },
    stop() {
      stopped = true
      renewTimer?.cancel()
      checkTimer?.cancel()
      // Where that fails, it ends by itself.
      if (holdsLease) hall.store.leases.release(CHECK_LEASE, holder).catch(() => {})
    },
  }
}

/** Of a store that has lost or damaged something the rest is still there, and so are the people. */
function isAway(error: unknown): boolean {
  return isBanksmanError(error) && ['store_unavailable', 'store_locked', 'store_full'].includes(error.code)
}
