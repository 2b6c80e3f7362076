/** What verbs need of the process they run in: time, random numbers, and listeners for what happens. */
import { defined } from '../core/defined.ts'
import { createIds } from '../core/support/ids.ts'
import type { GatewayParts } from './gateway-parts.ts'

export interface Host
  extends Pick<GatewayParts, 'clock' | 'random' | 'trace' | 'keepAlive'>,
    Required<Pick<GatewayParts, 'giveWay' | 'observe' | 'report'>> {
  newId(prefix: string): string
  /** Whether the gateway was closed: then no verdict is given any more. */
  closed(): boolean
}

export function createHost(parts: GatewayParts, closed: () => boolean): Host {
  const { clock, random, trace, keepAlive } = parts
  const { giveWay = async () => {}, observe = () => {}, report = () => {} } = parts
  const newId = createIds(clock, random)
  return { clock, random, newId, closed, giveWay, observe, report, ...defined({ trace, keepAlive }) }
}
