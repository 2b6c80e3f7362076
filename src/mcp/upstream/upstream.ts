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
  readonly lines: AsyncIterable<Line>
  /** Nothing more will be sent. The server may still answer; after a while it is stopped. */
  end(): void
  /** Passes a signal of ours on. */
  signal(name: NodeJS.Signals): void
  /** With the exit code that the proxy ends with. Never rejects. */
  readonly ended: Promise<UpstreamEnd>
}

export interface UpstreamEnd {
  code: number
  /** Why, where it is worth telling. */
  because?: string
}
