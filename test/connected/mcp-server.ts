/**
 * An MCP server over its input and output, with one tool: `make` adds a line to a file in its folder. Run by the agents themselves.
 * With the word `2026-07-28` it speaks that revision and no other; otherwise the older ones.
 */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const NEWER = '2026-07-28'
const isNewer = process.argv[2] === NEWER
const METHOD_NOT_FOUND = -32_601

const TOOL = {
  name: 'make',
  description: 'Makes a file, or adds a line to it.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

/** What results have to say of themselves since 2026-07-28. */
const KIND = isNewer ? { resultType: 'complete' } : {}
const FRESHNESS = isNewer ? { ttlMs: 0, cacheScope: 'private' } : {}

function answer(method: string, params: Record<string, never>): object | undefined {
  switch (method) {
    case 'server/discover':
      return isNewer
        ? { ...KIND, ...FRESHNESS, supportedVersions: [NEWER], capabilities: { tools: {} } }
        : undefined
    case 'initialize':
      return isNewer
        ? undefined
        : {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'shop', version: '1.0.0' },
          }
    case 'tools/list':
      return { ...KIND, ...FRESHNESS, tools: [TOOL] }
    case 'tools/call': {
      const { path } = params.arguments as unknown as { path: string }
      appendFileSync(path, 'made\n')
      return { ...KIND, content: [{ type: 'text', text: `made ${path}` }] }
    }
    default:
      return undefined
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answer(method, params)
  const said =
    result === undefined ? { error: { code: METHOD_NOT_FOUND, message: `no ${method}` } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`)
})
