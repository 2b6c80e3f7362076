/**
 * Whether anyone can be asked, and where (P8). A channel that does not serve the call's origin abstains; nothing
 * ever waits for a channel that can't answer.
 */
import { eligiblePeople } from '../../core/authority.ts'
import type { Origin } from '../../core/call.ts'
import type { Session } from '../../core/session.ts'
import type { AskTerms } from '../../core/verdict.ts'
import type { Channel } from '../../people/channel.ts'
import type { DeliveryDraft, Store } from '../../stores/store.ts'
import type { Authority } from '../requests/authority.ts'
import type { Connections } from './connections.ts'

export type ChannelReach =
  | { kind: 'durable' | 'live'; deliveries: DeliveryDraft[] }
  | { kind: 'nobody'; why: string }

export interface ReachQuery {
  origin: Origin | undefined
  terms: AskTerms
  session: Session | undefined
}

export interface Reachability {
  find(query: ReachQuery): Promise<ChannelReach>
}

export interface ReachabilityPorts {
  channels: readonly Channel[]
  authority: Pick<Authority, 'directory' | 'refresh'>
  connections: Pick<Connections, 'isConnected' | 'mayBeMissed'>
  store: Pick<Store, 'presence'>
}

export function createReachability(ports: ReachabilityPorts): Reachability {
  return {
    /** That nobody can be asked is final, so it is not said on the word of a directory that another node has outrun. */
    async find(query) {
      const reach = await reachAsKnown(ports, query)
      if (reach.kind !== 'nobody' || ports.authority.refresh === undefined) return reach
      await ports.authority.refresh()
      return reachAsKnown(ports, query)
    },
  }
}

async function reachAsKnown(
  ports: ReachabilityPorts,
  { origin, terms, session }: ReachQuery,
): Promise<ChannelReach> {
  const directory = ports.authority.directory()
  const people = new Set<string>()
  for (const condition of terms.conditions) {
    const able = eligiblePeople(condition, directory, session)
    const needed = Math.max(1, condition.quorum)
    if (able.length < needed) {
      return {
        kind: 'nobody',
        why: `${condition.rule} needs ${needed} ${needed === 1 ? 'person' : 'people'}, and ${able.length === 0 ? 'nobody' : `only ${able.length}`} may approve it`,
      }
    }
    for (const person of able) people.add(person)
  }
  const serving = ports.channels.filter((channel) => channel.serves(origin))
  const durable = []
  const live = []
  for (const channel of serving) {
    if (channel.kind === 'live') {
      if (await isPresent(ports, channel.name, people)) live.push(channel)
    } else if ((await channel.reaches?.([...people])) ?? true) durable.push(channel)
  }
  const reaching = [...durable, ...live]
  const answering = durable.filter((channel) => channel.onlyTells !== true)
  if (answering.length + live.length === 0) {
    return {
      kind: 'nobody',
      why: serving.every((channel) => channel.onlyTells === true)
        ? 'no channel serves where this call came from'
        : 'nobody who may approve is connected',
    }
  }
  const deliveries = reaching
    .filter((channel) => channel.pull !== true)
    .map(({ name }) => ({ channel: name }))
  return { kind: answering.length > 0 ? 'durable' : 'live', deliveries }
}

async function isPresent(
  ports: ReachabilityPorts,
  channel: string,
  people: ReadonlySet<string>,
): Promise<boolean> {
  // Most are connected here, and then there is nothing to read.
  if (ports.connections.isConnected(channel, people)) return true
  const present = await ports.store.presence.list(channel)
  if (present.some((presence) => people.has(presence.subject))) return true
  // That nobody is there is final: not while those who are there all along are still finding out that the store is back.
  return ports.connections.mayBeMissed()
}
