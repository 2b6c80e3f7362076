/**
 * How tools of an MCP server are named in policies, requests and the record: `mcp__<server>__<tool>`, as coding agents name them. The
 * server's name is the one that its user has given it in their client's configuration, never what it calls itself.
 */

/** Two underscores would make two servers' tools look alike: `a` with `b__c`, and `a__b` with `c`. */
const SERVER_NAME = /^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/

export const MCP_NAME_RULE =
  'it has 1 to 64 letters, digits, dots, hyphens or underscores, begins and ends with a letter or digit, and has no two underscores in a row'

export function isMcpServerName(name: string): boolean {
  return SERVER_NAME.test(name)
}

export function mcpToolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`
}

/**
 * The server and its tool, to say them apart; undefined where the name isn't one of an MCP tool. A tool is called by its server, so one
 * whose name could be read as words of ours ("read of github (MCP)") is not taken apart: the server stands first then.
 */
export function mcpNameParts(name: string): { server: string; tool: string } | undefined {
  const [, server = '', tool = ''] = MCP_NAME.exec(name) ?? []
  return isMcpServerName(server) ? { server, tool } : undefined
}

const MCP_NAME = /^mcp__(.+?)__([\w./-]+)$/

/** Of what an MCP client comes back with; see `gateway/access/mcp-states.ts`. */
export const MCP_STATE_PREFIX = 'bms_'

/** What a token is good for that is good for the proxy in front of this server only. */
export function mcpScope(server: string): string {
  return `mcp:${server}`
}
