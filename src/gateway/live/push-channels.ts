/** The channels that requests are pushed to, and which of them this node presents in. */
import type { Clock } from '../../core/time/clock.ts'
import type { Channel } from '../../people/channel.ts'
import type { Connections } from './connections.ts'

export interface PushChannels {
  get(name: string): Channel | undefined
  isEmpty(): boolean
  /** Whether this node can show something in it: in a live one, only if somebody is connected here. */
  isHere(channel: Channel): boolean
  /** Whether somebody is connected to a live one through this node. */
  isAnyoneConnected(): boolean
  /** Those in which this node can present; now and then all of them. `isOurs`: not left to other nodes. */
  presentable(isOurs: boolean): string[]
  /** This node could not show something in it for so long: until then the others have the first look, where it is live. */
  rest(channel: Channel, forMs: number): void
  start(): void
}

/** Where people are connected to a live channel we look this often: they sit in front of it. */
export const LOOK_WHILE_CONNECTED_MS = 1_000
/** A look of every other node fits in, and a little more. */
const OTHERS_FIRST_MS = 2 * LOOK_WHILE_CONNECTED_MS
/** What waits in a live channel that nobody is connected to any more is looked through this often, for what is over. */
const SWEEP_EVERY_MS = 60_000

export function createPushChannels(
  channels: readonly Channel[],
  connections: Pick<Connections, 'hasAny'>,
  clock: Clock,
): PushChannels {
  const pushing = new Map<string, Channel>()
  for (const channel of channels) {
    if (channel.pull !== true && channel.present !== undefined) pushing.set(channel.name, channel)
  }
  const restingUntil = new Map<string, number>()
  let sweptAt = 0

  const isHere = (channel: Channel) => !isLive(channel) || connections.hasAny(channel.name)

  function isResting({ name }: Channel): boolean {
    const until = restingUntil.get(name)
    if (until === undefined) return false
    if (clock.now() < until) return true
    restingUntil.delete(name)
    return false
  }

  return {
    get: (name) => pushing.get(name),
    isEmpty: () => pushing.size === 0,
    isHere,
    isAnyoneConnected: () => [...pushing.values()].some((channel) => isLive(channel) && isHere(channel)),
    presentable(isOurs) {
      const isSweep = clock.now() - sweptAt >= SWEEP_EVERY_MS
      if (isSweep) sweptAt = clock.now()
      return [...pushing.values()]
        .filter((channel) => isSweep || (isHere(channel) && (isOurs || !isResting(channel))))
        .map(({ name }) => name)
    },
    rest(channel, forMs) {
      if (isLive(channel)) restingUntil.set(channel.name, clock.now() + forMs + OTHERS_FIRST_MS)
    },
    start() {
      sweptAt = clock.now()
    },
  }
}

export function isLive(channel: Channel): boolean {
  return channel.kind === 'live'
}
