/** What every exchange carries. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What `startHttpServer` adds to each exchange. Absent where the app is called without a server. */
export interface ServerBindings extends Partial<HttpBindings> {
  /** Aborted when the server begins to shut down. */
  closing?: AbortSignal
  /** It came in by the proxy's own listener. */
  isProxy?: boolean
  /** It came in by the socket that only the server's own user can reach. */
  isOwnSocket?: boolean
  /** A stream that a socket carries, which has taken its place among the connections of the credential already. */
  isCarried?: boolean
}

export interface HttpEnv {
  Bindings: ServerBindings
  Variables: {
    /** It was called by a name that is a proxy's. */
    isPublicName?: boolean
  }
}

export type HttpContext = Context<HttpEnv>

/** Told of faults that the caller is not told about. */
export type ReportHttpFault = (fault: { doing: string; error: unknown }) => void
