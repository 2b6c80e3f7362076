/** MCP servers behind the proxy, as the client calls them. */
import type { WireMcpServers } from '../wire/types/mcp.ts'
import type { ChatTransport } from './chat-calls.ts'
import type { CallOptions } from './client.ts'

export interface McpCalls {
  /** The servers that were used, their tools, and what has changed of them. */
  list(options?: CallOptions): Promise<WireMcpServers>
  /** Accepts a change: of a tool, or without one of the server's program. `digest`: of what was shown. For the role `admin`. */
  accept(server: string, input: { tool?: string; digest: string }, options?: CallOptions): Promise<void>
}

export function createMcpCalls({ get, send }: Pick<ChatTransport, 'get' | 'send'>): McpCalls {
  return {
    list: (how) => get(['mcp'], how),
    accept: async (server, input, how) => {
      await send('POST', ['mcp', server, 'accept'], input, how)
    },
  }
}
