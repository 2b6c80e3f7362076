/**
 * Presents requests in the channels, at least once each, and brings what was shown up to date (P1). Deliveries are
 * leases: whoever takes one and dies loses it to the next taker.
 */
import type { Channel } from '../people/channel.ts'
import type { Delivery } from '../stores/store.ts'
import type { Hall } from './hall.ts'

export interface Deliveries {
  start(): void
  stop(): Promise<void>
}

/** Longer than a channel should take to post a message; a taker that is still alive then delivers twice, which is allowed. */
const LEASE_MS = 30_000
const BATCH = 50
/** Deliveries of a process that died, and retries, are found at the latest after this time. */
const LOOK_EVERY_MS = 5_000
const MAX_RETRY_MS = 60_000

export function createDeliveries(hall: Hall): Deliveries {
  const pushing = new Map<string, Channel>()
  for (const channel of hall.channels) {
    if (channel.pull !== true && channel.present !== undefined) pushing.set(channel.name, channel)
  }
  let stopped = true
  let looking: Promise<void> | undefined
  let again = false
  let timer: { cancel(): void } | undefined

  async function deliver(delivery: Delivery): Promise<void> {
    const channel = pushing.get(delivery.channel)
    if (channel === undefined) return
    try {
      const request = await hall.store.get(delivery.request)
      if (request === undefined) return
      const first = delivery.shownVersion === 0
      let laterMs: number | undefined
      const presentation = {
        request,
        attempt: delivery.attempts,
        later(inMs: number) {
          laterMs = Math.max(0, inMs)
        },
        ...(delivery.reference === undefined ? {} : { reference: delivery.reference }),
      }
      // A request that ended before it was ever shown is still presented, as ended: that was promised.
      const reference = first ? await channel.present?.(presentation) : await channel.update?.(presentation)
      if (laterMs === undefined)
        await hall.store.deliveries.shown(delivery.request, delivery.channel, request.version, reference)
      else await hall.store.deliveries.failed(delivery.request, delivery.channel, laterMs)
    } catch (error) {
      hall.report({ doing: `presenting ${delivery.request} in ${delivery.channel}`, error })
      const retryInMs = Math.min(1000 * 2 ** Math.min(delivery.attempts, 10), MAX_RETRY_MS)
      await hall.store.deliveries
        .failed(delivery.request, delivery.channel, retryInMs)
        .catch((fault) => hall.report({ doing: 'noting a failed delivery', error: fault }))
    }
  }

  async function deliverAll(): Promise<void> {
    for (;;) {
      again = false
      const taken = await hall.store.deliveries.take([...pushing.keys()], BATCH, LEASE_MS)
      // Channels wait for nobody but themselves: a slow one does not hold up the others.
      await Promise.all(taken.map(deliver))
      if (stopped || (taken.length === 0 && !again)) return
    }
  }

  function look(): void {
    if (stopped || pushing.size === 0) return
    if (looking !== undefined) {
      again = true
      return
    }
    looking = deliverAll()
      .catch((error) => hall.report({ doing: 'taking deliveries', error }))
      .finally(() => {
        looking = undefined
        // A change that was committed together with the last look was told of before this.
        if (again) look()
        else plan()
      })
  }

  function plan(): void {
    timer?.cancel()
    if (stopped) return
    timer = hall.clock.after(LOOK_EVERY_MS, look)
  }

  hall.kickDeliveries = look

  return {
    start() {
      stopped = false
      look()
    },
    async stop() {
      stopped = true
      timer?.cancel()
      await looking
    },
  }
}
