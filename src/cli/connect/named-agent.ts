/** The agent that a command is about. */
import { homedir } from 'node:os'
import { AGENT_SETUPS, findAgentSetup } from '../../coding-agents/agent-setups.ts'
import { MCP_CLIENTS } from '../../coding-agents/mcp-clients/mcp-clients.ts'
import type { AgentPlace, AgentSetup } from '../../coding-agents/setup/agent-setup.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { Context } from '../command-line/command.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

export const AGENT_NAMES = AGENT_SETUPS.map(({ name }) => name)

export function setupNamed(name: string, command: 'connect' | 'disconnect'): AgentSetup {
  const setup = findAgentSetup(name)
  if (setup !== undefined) return setup
  const what = `${visible(JSON.stringify(name))} isn't one of ${AGENT_NAMES.join(', ')}`
  if (MCP_CLIENTS.some((client) => client.name === name))
    throw usageError(`${what}; for its MCP servers: \`banksman ${command} ${name} --mcp\``)
  const meant = nearestWord(name, AGENT_NAMES)
  throw usageError(meant === undefined ? what : `${what}; did you mean ${meant}?`)
}

export function placeOf({ environment }: Context): AgentPlace {
  return { home: environment.HOME || homedir(), environment }
}
