/** What everything that stays open works with: streams and sockets, of ours and of channels. */
import { defined } from '../../core/defined.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { type ConnectionLimits, createConnectionLimits } from './connection-limits.ts'
import type { ReportHttpFault } from './http-context.ts'

export interface HttpSettings {
  /** Streams and sockets say something this often, and look whether their credential is still valid. */
  keepAliveMs: number
  /** A socket that has not said who it is by then is closed. */
  helloWithinMs: number
  /** Streams and sockets together. A browser with twenty tabs fits; a program that leaks connections is stopped. */
  connectionsPerToken: number
  /** Sockets that have not yet said who they are, all together: nobody can open more without a credential. */
  unnamedSockets: number
  /** Hooks of coding agents that wait for people. Beyond it they are answered at once, and come again. */
  waitingHooks: number
}

const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  keepAliveMs: 15_000,
  helloWithinMs: 10_000,
  connectionsPerToken: 32,
  unnamedSockets: 128,
  waitingHooks: 256,
}

export interface LiveConnectionParts {
  gateway: Gateway
  report?: ReportHttpFault
  clock: Pick<Clock, 'after' | 'now'>
  /** One count for all of them. */
  connections: ConnectionLimits
  settings: HttpSettings
}

export function liveConnectionParts({
  gateway,
  report,
  clock,
  settings,
}: Pick<LiveConnectionParts, 'gateway' | 'report' | 'clock'> & {
  settings?: Partial<HttpSettings>
}): LiveConnectionParts {
  return {
    gateway,
    ...defined({ report }),
    clock,
    connections: createConnectionLimits(),
    settings: { ...DEFAULT_HTTP_SETTINGS, ...settings },
  }
}
