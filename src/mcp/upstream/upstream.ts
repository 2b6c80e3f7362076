/**
 * The MCP server behind the proxy, as lines: a program on this machine, or an address. Bytes go through as they are.
 *
 * What MUST hold
 * - `send` resolves when there is room for more, and rejects once the server is gone.
 * - `lines` ends when nothing more can come. Whoever reads slowly slows the server down.
 */
import type { Line } from '../lines/split-lines.ts'

export interface Upstream {
  send(bytes: Buffer): Promise<void>
  readonly lines: AsyncIterable<UpstreamLine>
  /** Nothing more will be sent. The server may still answer; after a while it is stopped. */
  end(): void
  /** Passes a signal of ours on. */
  signal(name: NodeJS.Signals): void
  /** With the exit code that the proxy ends with. Never rejects. */
  readonly ended: Promise<UpstreamEnd>
}

export interface UpstreamLine extends Line {
  /** The line is an error of ours: the server was sent the request, or could not be, and won't answer. */
  failed?: FailedRequest
}

export interface FailedRequest {
  because: string
  /** It never reached the server, or the server turned it away before it did anything. */
  didNotRun: boolean
  /** Its client no longer waits for it. */
  isCancelled: boolean
}

export interface UpstreamEnd {
  code: number
  /** Why, where it is worth telling. */
  because?: string
}
