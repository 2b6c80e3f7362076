/**
 * Who is connected to a live channel through this process. Each is a lease in the store, so that every node sees it, and it
 * outlasts a dropped connection or a restart by half a minute (P8).
 */
import type { Presence, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

export interface Connections {
  /** Someone has connected. Call `leave` when they are gone: they stay reachable for the rest of the lease. */
  arrive(presence: Presence): Promise<{ leave(): void }>
  /** Whether one of these people is connected to the channel through this process. */
  isConnected(channel: string, people: ReadonlySet<string>): boolean
  /** Whether anybody at all is. */
  hasAny(channel: string): boolean
  /** The store was away so lately that people who are connected elsewhere may not have said so again yet. */
  mayBeMissed(): boolean
  /** The store does not answer. */
  noteOutage(): void
  stop(): void
}

export interface ConnectionsPorts {
  store: Pick<Store, 'presence' | 'now'>
  host: Pick<Host, 'clock' | 'report'>
  presenceMs: number
}

/** After a renewal that the store could not do: people who are there shall be known to be there as soon as it is back. */
const RETRY_MS = 1000

export function createConnections({ store, host, presenceMs }: ConnectionsPorts): Connections {
  const connected = new Map<string, Presence>()
  let timer: { cancel(): void } | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let stopped = false
  let isFailing = false

  function renewLater(delayMs = presenceMs / 3): void {
    timer?.cancel()
    if (stopped || connected.size === 0) return
    timer = host.clock.after(delayMs, () => {
      renewLater()
      void renewAll()
    })
  }

  async function renewAll(): Promise<void> {
    const renewing = [...connected.values()].map((presence) => store.presence.renew(presence, presenceMs))
    const failed = (await Promise.allSettled(renewing)).find((each) => each.status === 'rejected')
    // Once an outage: a store that is away is away for each of them, and for some time.
    if (failed !== undefined && !isFailing)
      host.report({ doing: 'renewing a presence', error: failed.reason })
    isFailing = failed !== undefined
    if (!isFailing) return
    noteOutage()
    renewLater(RETRY_MS)
  }

  function noteOutage(): void {
    failedAt = store.now()
  }

  return {
    async arrive(presence) {
      const key = JSON.stringify([presence.channel, presence.connection])
      await store.presence.renew(presence, presenceMs)
      connected.set(key, presence)
      if (connected.size === 1) renewLater()
      return {
        leave() {
          connected.delete(key)
        },
      }
    },
    isConnected(channel, people) {
      for (const presence of connected.values())
        if (presence.channel === channel && people.has(presence.subject)) return true
      return false
    },
    hasAny: (channel) => [...connected.values()].some((one) => one.channel === channel),
    mayBeMissed() {
      const since = store.now() - failedAt
      // A clock that was set back tells nothing.
      return since >= 0 && since < presenceMs
    },
    noteOutage,
    stop() {
      stopped = true
      timer?.cancel()
    },
  }
}
