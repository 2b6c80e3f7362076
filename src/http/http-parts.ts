/** What the HTTP app is given, and what every exchange carries. */

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Conversations, MediaItem } from '../core/conversation.ts'
import { defined } from '../core/defined.ts'
import type { JsonObject } from '../core/json/json.ts'
import type { Actor } from '../core/session.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Policy } from '../gateway/gateway-parts.ts'
import type { Gateway } from '../gateway/gateway-verbs.ts'
import type { Door } from '../people/door.ts'
import type { PushSubscribing } from '../people/driver.ts'
import type { WireNode } from '../wire/types/node.ts'
import { type ConnectionLimits, createConnectionLimits } from './connection/connection-limits.ts'
import { nodeTimers } from './connection/every.ts'
import type { PolicyAdministration } from './routes/administration/policy.ts'
import type { StaticFiles } from './static-files.ts'

export interface HttpParts {
  gateway: Gateway
  /**
   * The `host:port` values by which the server may be called. A page of another name that was pointed at our address
   * (DNS rebinding) sends its own name, and is refused. A function where the port is known only after listening.
   */
  allowedHosts: readonly string[] | (() => readonly string[])
  /** Those of them by which a proxy is called: who uses one came through it, and counts as remote. */
  publicHosts?: () => readonly string[]
  /** Whether a proxy has this address, so that every request from it must say whom it is for. */
  isProxyAddress?: (address: string) => boolean
  version: string
  /** Throws while the store does not answer: then nothing can be decided here, and callers do better elsewhere. */
  checkHealth?: () => Promise<void>
  /** The servers that are alive on the same store. */
  nodes?: () => Promise<WireNode[]>
  /** The metrics as Prometheus text. */
  metrics?: () => string | Promise<string>
  verifyJournal?: (actor: Actor) => Promise<unknown>
  /** Lines without their ends. */
  exportJournal?: (actor: Actor) => AsyncIterable<string>
  /** Makes a policy of a block that does not hold, or of the text of a whole configuration file, to be tried out. */
  candidatePolicy?: (input: { policy: JsonObject; tools?: JsonObject } | { text: string }) => Policy
  /** The policy that holds, for people to see and for an administrator to change. */
  policy?: PolicyAdministration
  /** The web app. */
  inbox?: StaticFiles
  /** The agent of ours. Absent: there is none to talk to. */
  conversations?: Conversations
  /** Pictures and files of its conversations. */
  media?: {
    get(session: string, id: string): Promise<{ item: MediaItem; data: Uint8Array } | undefined>
  }
  /** Pages of a channel, below a path of their own that begins and ends with a slash. */
  pages?: { prefix: string; files: StaticFiles }
  /** Web Push, where it is switched on. */
  push?: PushSubscribing
  /** Where channels let people in. */
  doors?: readonly Door[]
  /**
   * Logging in leaves a cookie behind that browsers send below this path, such as `/api/agent/chat`. It lets a person in at
   * the doors that take one, and nowhere else.
   */
  cookie?: { path: string }
  /** Told of faults that the caller is not told about. */
  report?: (fault: { doing: string; error: unknown }) => void
  settings?: Partial<HttpSettings>
  /** The default is the host's. */
  clock?: Pick<Clock, 'after' | 'now'>
}

export interface HttpSettings {
  /** Streams and sockets say something this often, and look whether their credential still holds. */
  keepAliveMs: number
  /** A socket that has not said who it is by then is closed. */
  helloWithinMs: number
  /** Streams and sockets together. A browser with twenty tabs fits; a program that leaks connections is stopped. */
  connectionsPerToken: number
  /** Sockets that have not yet said who they are, all together: nobody can hold more without a credential. */
  unnamedSockets: number
}

const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  keepAliveMs: 15_000,
  helloWithinMs: 10_000,
  connectionsPerToken: 32,
  unnamedSockets: 128,
}

/** What all that stays open works with: streams and sockets, of ours and of channels. */
export interface LiveConnectionParts extends Pick<HttpParts, 'gateway' | 'report'> {
  clock: Pick<Clock, 'after' | 'now'>
  /** One count for all of them. */
  connections: ConnectionLimits
  settings: HttpSettings
}

export function liveConnectionParts({
  gateway,
  report,
  clock = nodeTimers,
  settings,
}: HttpParts): LiveConnectionParts {
  return {
    gateway,
    ...defined({ report }),
    clock,
    connections: createConnectionLimits(),
    settings: { ...DEFAULT_HTTP_SETTINGS, ...settings },
  }
}

/** What `startHttpServer` adds to each exchange. Absent where the app is called without a server. */
export interface ServerBindings extends Partial<HttpBindings> {
  /** Aborted when the server begins to shut down. */
  closing?: AbortSignal
  /** It came in by the listener that is the proxy's own. */
  isProxy?: boolean
}

export interface HttpEnv {
  Bindings: ServerBindings
  Variables: {
    /** It was called by a name that is a proxy's. */
    isPublicName?: boolean
  }
}

export type HttpContext = Context<HttpEnv>
