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
import type { Delivery } from '../../stores/store.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import { approvableIn } from '../requests/uncover.ts'

export interface RequestDeliveries {
  start(): void
  stop(): Promise<void>
}

/** Longer than a channel should take to post a message; a taker that is still alive then delivers twice, which is allowed. */
const LEASE_MS = 30_000
const BATCH = 50
/** Deliveries of a process that died, and retries, are found at the latest after this time. */
const LOOK_EVERY_MS = 5_000
/** The same where people are connected to a live channel: they sit in front of it. */
const LOOK_WHILE_CONNECTED_MS = 1_000
/** A look of every other node fits in, and a little more. */
const OTHERS_FIRST_MS = 2 * LOOK_WHILE_CONNECTED_MS
/** Other nodes' changes come in crowds: one look for all of this time. */
const FOREIGN_MS = 20
/** What waits in a live channel that nobody is connected to any more is looked through this often, for what is over. */
const SWEEP_EVERY_MS = 60_000
const MAX_RETRY_MS = 60_000

export function createRequestDeliveries(hall: GatewayContext): RequestDeliveries {
  const pushing = new Map<string, Channel>()
  for (const channel of hall.channels) {
    if (channel.pull !== true && channel.present !== undefined) pushing.set(channel.name, channel)
  }
  let stopped = true
  let looking: Promise<void> | undefined
  let again = false
  let timer: { cancel(): void } | undefined
  let foreign: { cancel(): void } | undefined
  let sweptAt = 0
  /** Live channels in which this node could not show something: until then the others have the first look at them. */
  const resting = new Map<string, number>()
  /** Something was opened, changed or came in here, and that is not left to others. */
  let isOurs = false

  const isLive = (channel: Channel) => channel.kind === 'live'
  const isHere = (channel: Channel) => !isLive(channel) || hall.hasConnections(channel.name)
  const isAnyoneConnected = () => [...pushing.values()].some((channel) => isLive(channel) && isHere(channel))

  /** Those in which this node can present; now and then all of them. */
  function presentable(): string[] {
    const isSweep = hall.clock.now() - sweptAt >= SWEEP_EVERY_MS
    if (isSweep) sweptAt = hall.clock.now()
    const isForUs = isOurs
    isOurs = false
    return [...pushing.values()]
      .filter((channel) => isSweep || (isHere(channel) && (isForUs || !isResting(channel))))
      .map(({ name }) => name)
  }

  function isResting({ name }: Channel): boolean {
    const until = resting.get(name)
    if (until === undefined) return false
    if (hall.clock.now() < until) return true
    resting.delete(name)
    return false
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const channel = pushing.get(delivery.channel)
    if (channel === undefined) return
    try {
      const request = await hall.store.get(delivery.request)
      if (request === undefined) return
      const isOver = isFinal(request.state)
      const first = delivery.shownVersion === 0
      let laterMs: number | undefined
      if (!isHere(channel)) {
        // Nobody here to show it to. What is over need not be shown to anybody who comes later.
        if (isOver) await hall.store.deliveries.shown(delivery, request.version, undefined)
        else await hall.store.deliveries.failed(delivery, 0)
        return
      }
      const presentation = {
        request,
        approvable: approvableIn(hall, request, channel),
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
          ? await hall.store.deliveries.shown(delivery, request.version, reference)
          : await hall.store.deliveries.failed(delivery, laterMs)
      if (laterMs !== undefined && isLive(channel))
        resting.set(channel.name, hall.clock.now() + laterMs + OTHERS_FIRST_MS)
      if (!isStillOurs) reportLate(delivery)
    } catch (error) {
      hall.report({ doing: `presenting ${delivery.request} in ${delivery.channel}`, error })
      const retryInMs = Math.min(1000 * 2 ** Math.min(delivery.attempts, 10), MAX_RETRY_MS)
      await hall.store.deliveries
        .failed(delivery, retryInMs)
        .then((isStillOurs) => {
          if (!isStillOurs) reportLate(delivery)
        })
        .catch((fault) => hall.report({ doing: 'noting a failed delivery', error: fault }))
    }
  }

  /** The channel took longer than the lease. The next taker's word counts, and people may see the request twice. */
  function reportLate({ request, channel }: Delivery): void {
    const message = `${channel} took more than ${LEASE_MS / 1000} s, and another has presented ${request} since; it may be there twice`
    hall.report({
      doing: `presenting ${request} in ${channel}`,
      error: new BanksmanError('lease_lapsed', message),
    })
  }

  async function deliverAll(): Promise<void> {
    for (;;) {
      again = false
      const channels = presentable()
      const taken = channels.length === 0 ? [] : await hall.store.deliveries.take(channels, BATCH, LEASE_MS)
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
    timer = hall.clock.after(isAnyoneConnected() ? LOOK_WHILE_CONNECTED_MS : LOOK_EVERY_MS, look)
  }

  function lookSoon(): void {
    if (stopped || foreign !== undefined || !isAnyoneConnected()) return
    foreign = hall.clock.after(FOREIGN_MS, () => {
      foreign = undefined
      look()
    })
  }

  hall.kickDeliveries = (by) => {
    if (by === 'foreign') {
      lookSoon()
      return
    }
    isOurs = true
    look()
  }

  return {
    start() {
      stopped = false
      sweptAt = hall.clock.now()
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
