/** The same on the official SDK, as most servers are. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const server = new McpServer({ name: 'echo', version: '1' })
server.registerTool('echo', { inputSchema: { size: z.number() } }, ({ size }) => ({
  content: [{ type: 'text', text: 'x'.repeat(size) }],
}))
await server.connect(new StdioServerTransport())
