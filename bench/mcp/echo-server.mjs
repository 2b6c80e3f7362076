/** An MCP server that does nothing: what is measured is the way to it. */
import { createInterface } from 'node:readline'

const TOOLS = ['echo', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' } }))

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result =
    method === 'tools/call'
      ? { content: [{ type: 'text', text: 'x'.repeat(params.arguments.size ?? 1) }] }
      : method === 'tools/list'
        ? { tools: TOOLS }
        : {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'echo', version: '1' },
          }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})
