/** The MCP client that a command is about, and where its files are. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { McpClient, McpPlace } from '../../coding-agents/mcp-clients/mcp-client.ts'
import { MCP_CLIENTS } from '../../coding-agents/mcp-clients/mcp-clients.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { Context } from '../command-line/command.ts'
import type { OptionSpecs } from '../command-line/option-specs.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'
import { placeOf } from './named-agent.ts'

export const MCP_CLIENT_NAMES = MCP_CLIENTS.map(({ name }) => name)

export const MCP_OPTIONS = {
  mcp: {
    kind: 'flag',
    about: `the MCP servers of a client, instead of its hooks: ${MCP_CLIENT_NAMES.join(', ')}`,
  },
  project: {
    kind: 'text',
    value: 'FOLDER',
    about: 'with --mcp: the project whose own entries count too (default: the current folder)',
  },
  'dry-run': { kind: 'flag', about: 'with --mcp: show what would be written, and write nothing' },
} as const satisfies OptionSpecs

export function clientNamed(name: string): McpClient {
  const client = MCP_CLIENTS.find((one) => one.name === name)
  if (client !== undefined) return client
  const meant = nearestWord(name, MCP_CLIENT_NAMES)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw usageError(`${visible(JSON.stringify(name))} isn't one of ${MCP_CLIENT_NAMES.join(', ')}${hint}`)
}

export function mcpPlaceOf(project: string | undefined, context: Context): McpPlace {
  const folder = resolve(context.cwd, project ?? '.')
  if (!existsSync(folder)) throw usageError(`there is no folder ${visible(folder)}`)
  return { ...placeOf(context), platform: process.platform, projects: [folder] }
}

/** An option that was passed over could turn a careful command into another one. */
export function checkWithoutMcp(
  [server]: readonly string[],
  { project, 'dry-run': isDry }: { project: string | undefined; 'dry-run': boolean },
): void {
  const found = server ?? (project === undefined ? (isDry ? '--dry-run' : undefined) : '--project')
  if (found !== undefined) throw usageError(`${visible(JSON.stringify(found))} is for MCP servers; add --mcp`)
}
