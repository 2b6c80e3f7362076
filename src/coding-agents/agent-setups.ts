/** The coding agents that `banksman connect` knows. */
import { claudeCodeSetup } from './claude-code/setup.ts'
import { codexSetup } from './codex/setup.ts'
import type { AgentSetup } from './setup/agent-setup.ts'

export const AGENT_SETUPS: readonly AgentSetup[] = [claudeCodeSetup, codexSetup]

export function findAgentSetup(name: string): AgentSetup | undefined {
  return AGENT_SETUPS.find((setup) => setup.name === name)
}
