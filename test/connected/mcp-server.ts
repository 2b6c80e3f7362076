/** An MCP server over its input and output, with one tool: `make` makes an empty file in its folder. Run by the agents themselves. */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const TOOL = {
  name: 'make',
  description: 'Makes an empty file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

function answer(method: string, params: Record<string, never>): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'shop', version: '1.0.0' },
      }
    case 'tools/list':
      return { tools: [TOOL] }
    case 'tools/call': {
      const { path } = params.arguments as unknown as { path: string }
      writeFileSync(path, '')
      return { content: [{ type: 'text', text: `made ${path}` }] }
    }
    default:
      return undefined
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answer(method, params)
  const said = result === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`)
})
