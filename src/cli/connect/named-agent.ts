/** The agent that a command is about. */
import { homedir } from 'node:os'
import { AGENT_SETUPS, findAgentSetup } from '../../coding-agents/agent-setups.ts'
import type { AgentPlace, AgentSetup } from '../../coding-agents/setup/agent-setup.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { Context } from '../command-line/command.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

export const AGENT_NAMES = AGENT_SETUPS.map(({ name }) => name)

export function setupNamed(name: string): AgentSetup {
  const setup = findAgentSetup(name)
  if (setup !== undefined) return setup
  const meant = nearestWord(name, AGENT_NAMES)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw usageError(`${visible(JSON.stringify(name))} isn't one of ${AGENT_NAMES.join(', ')}${hint}`)
}

export function placeOf({ environment }: Context): AgentPlace {
  return { home: environment.HOME || homedir(), environment }
}
