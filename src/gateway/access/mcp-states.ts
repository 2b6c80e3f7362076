/**
 * What an MCP client is given to come back with (`requestState`) when a call can't be answered yet. The client may show it to anybody, so it is an
 * unguessable name of a record and says nothing by itself. It is good once, for a while, and only for who was given it and for the same call: what
 * it stands for never left the store.
 */

import { digestOf } from '../../core/digest.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { MCP_STATE_PREFIX } from '../../core/support/mcp-names.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

/** The call that the state is for. */
export interface McpStateCall {
  /** The token that the call came with. */
  token: string
  server: string
  session: string
  tool: string
  arguments: JsonObject
}

export interface McpState {
  /** Under which id the call was made first. */
  callId: string
  /** How often its client has come back. */
  rounds: number
  /** The MCP server's own state, which goes back to it. */
  inner?: string
}

export interface McpStates {
  make(call: McpStateCall, state: McpState): Promise<string>
  /** Throws where it is not one of ours for this call, is over or was used. */
  use(call: McpStateCall, requestState: string): Promise<McpState>
}

const KIND = 'mcp_state'
const KEPT_MS = 24 * 3_600_000

export function createMcpStates({
  store,
  host,
}: {
  store: Pick<Store, 'records'>
  host: Pick<Host, 'random'>
}): McpStates {
  return {
    async make(call, state) {
      const secret = `${MCP_STATE_PREFIX}${Buffer.from(host.random.bytes(24)).toString('base64url')}`
      const value = { ...state, call: shapeOf(call) } as unknown as JsonObject
      await store.records.change([
        { kind: KIND, key: digestOf(secret), version: 0, value, expiresInMs: KEPT_MS },
      ])
      return secret
    },
    async use(call, requestState) {
      const key = digestOf(requestState)
      const found = await store.records.get(KIND, key)
      const { call: shape, ...state } = (found?.value ?? {}) as unknown as McpState & { call?: string }
      if (found === undefined || shape !== shapeOf(call))
        throw reasonedError('unknown_id', reasonOf('mcp.state-unknown'))
      const { won } = await store.records.change([{ kind: KIND, key, version: found.version }])
      if (!won) throw reasonedError('unknown_id', reasonOf('mcp.state-unknown'))
      return state
    },
  }
}

function shapeOf({ token, server, session, tool, arguments: args }: McpStateCall): string {
  return digestOf(canonicalize([token, server, session, tool, args]))
}
