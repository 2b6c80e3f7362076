/**
 * Presents requests in the channels, at least once each, and brings what was shown up to date (P1). Deliveries are
 * leases: whoever takes one and dies loses it to the next taker.
 *
 * Of several nodes any may present in a durable channel. In a live one only a node can that somebody is connected to, so
 * others leave those deliveries alone, and a node with connections looks for them whenever another node has changed
 * something, and every second: the one that took a delivery first may have found that its person is connected elsewhere,
 * and have put it back (`later`).
 */
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { isFinal } from '../../core/request.ts'
import type { Channel } from '../../people/channel.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Delivery, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { approvableIn } from '../requests/uncover.ts'
import type { Connections } from './connections.ts'
import { createPushChannels, isLive, LOOK_WHILE_CONNECTED_MS } from './push-channels.ts'

export interface RequestDeliveries {
  /** Something was opened, changed or came in here. */
  look(): void
  /** Another process has changed something, and presents it itself where it can. */
  lookSoon(): void
  start(): void
  stop(): Promise<void>
}

/** Longer than a channel should take to post a message; a taker that is still alive then delivers twice, which is allowed. */
const LEASE_MS = 30_000
const BATCH = 50
/** Deliveries of a process that died, and retries, are found at the latest after this time. */
const LOOK_EVERY_MS = 5_000
/** Other nodes' changes come in crowds: one look for all of this time. */
const FOREIGN_MS = 20
const MAX_RETRY_MS = 60_000

export interface DeliveryPorts {
  channels: readonly Channel[]
  connections: Pick<Connections, 'hasAny'>
  policy: () => Policy
  store: Pick<Store, 'get' | 'deliveries'>
  host: Pick<Host, 'clock' | 'report'>
}

export function createRequestDeliveries(ports: DeliveryPorts): RequestDeliveries {
  const { channels, connections, policy, store, host } = ports
  const pushing = createPushChannels(channels, connections, host.clock)
  let stopped = true
  let looking: Promise<void> | undefined
  let again = false
  let timer: { cancel(): void } | undefined
  let foreign: { cancel(): void } | undefined
  /** Something was opened, changed or came in here, and that is not left to others. */
  let isOurs = false

  async function deliver(delivery: Delivery): Promise<void> {
    const channel = pushing.get(delivery.channel)
    if (channel === undefined) return
    try {
      const request = await store.get(delivery.request)
      if (request === undefined) return
      const isOver = isFinal(request.state)
      const first = delivery.shownVersion === 0
      let laterMs: number | undefined
      if (!pushing.isHere(channel)) {
        // Nobody here to show it to. What is over need not be shown to anybody who comes later.
        if (isOver) await store.deliveries.shown(delivery, request.version, undefined)
        else await store.deliveries.failed(delivery, 0)
        return
      }
      const presentation = {
        request,
        approvable: approvableIn(policy(), request, channel),
        attempt: delivery.attempts,
        later(inMs: number) {
          laterMs = Math.max(0, inMs)
        },
        ...defined({ reference: delivery.reference }),
      }
      // A request that ended before it was ever shown is still presented, as ended: that was promised.
      const reference = first ? await channel.present?.(presentation) : await channel.update?.(presentation)
      const isStillOurs =
        laterMs === undefined || (isLive(channel) && isOver)
          ? await store.deliveries.shown(delivery, request.version, reference)
          : await store.deliveries.failed(delivery, laterMs)
      if (laterMs !== undefined) pushing.rest(channel, laterMs)
      if (!isStillOurs) reportLate(delivery)
    } catch (error) {
      host.report({ doing: `presenting ${delivery.request} in ${delivery.channel}`, error })
      const retryInMs = Math.min(1000 * 2 ** Math.min(delivery.attempts, 10), MAX_RETRY_MS)
      await store.deliveries
        .failed(delivery, retryInMs)
        .then((isStillOurs) => {
          if (!isStillOurs) reportLate(delivery)
        })
        .catch((fault) => host.report({ doing: 'noting a failed delivery', error: fault }))
    }
  }

  /** The channel took longer than the lease. The next taker's word counts, and people may see the request twice. */
  function reportLate({ request, channel }: Delivery): void {
    const message = `${channel} took more than ${LEASE_MS / 1000} s, and another has presented ${request} since; it may be there twice`
    host.report({
      doing: `presenting ${request} in ${channel}`,
      error: new BanksmanError('lease_lapsed', message),
    })
  }

  async function deliverAll(): Promise<void> {
    for (;;) {
      again = false
      const names = pushing.presentable(isOurs)
      isOurs = false
      const taken = names.length === 0 ? [] : await store.deliveries.take(names, BATCH, LEASE_MS)
      // Channels wait for nobody but themselves: a slow one does not hold up the others.
      await Promise.all(taken.map(deliver))
      if (stopped || (taken.length === 0 && !again)) return
    }
  }

  function look(): void {
    if (stopped || pushing.isEmpty()) return
    if (looking !== undefined) {
      again = true
      return
    }
    looking = deliverAll()
      .catch((error) => host.report({ doing: 'taking deliveries', error }))
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
    timer = host.clock.after(pushing.isAnyoneConnected() ? LOOK_WHILE_CONNECTED_MS : LOOK_EVERY_MS, look)
  }

  function lookSoon(): void {
    if (stopped || foreign !== undefined || !pushing.isAnyoneConnected()) return
    foreign = host.clock.after(FOREIGN_MS, () => {
      foreign = undefined
      look()
    })
  }

  return {
    look() {
      isOurs = true
      look()
    },
    lookSoon,
    start() {
      stopped = false
      pushing.start()
      look()
    },
    async stop() {
      stopped = true
      timer?.cancel()
      foreign?.cancel()
      await looking
    },
  }
}
