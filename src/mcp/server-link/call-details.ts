/** What the server is told of an MCP call beside the call itself. */
import type { GatedCall } from '../calls/gated-call.ts'

export interface CallDetails {
  method: GatedCall['method']
  /** The tool as the server lists it, whole. */
  definition?: Record<string, unknown>
}
