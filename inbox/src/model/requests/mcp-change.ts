/** What an MCP server has changed, where that is why a request is asked. */
import type { Reason, ReasonValue } from '../../../../src/core/reasons/reason.ts'

export interface ChangedMcp {
  server: string
  /** Absent: the server itself is another program or address. */
  tool?: string
}

/** A reason can be one of several. */
export function mcpChangeOf(reason: Reason | undefined): ChangedMcp | undefined {
  if (reason === undefined) return undefined
  const { code, values = {} } = reason
  const { server, tool } = values
  if (code === 'ask.mcp-program' && typeof server === 'string') return { server }
  if (code === 'ask.mcp-tool' && typeof server === 'string' && typeof tool === 'string')
    return { server, tool }
  for (const value of Object.values(values)) {
    const found = isOne(value) ? mcpChangeOf(value) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function isOne(value: ReasonValue): value is Reason {
  return typeof value === 'object' && 'code' in value
}
