/** The coding agents that `banksman connect` knows. */
import { claudeCodeSetup } from './claude-code/setup.ts'
import { codexSetup } from './codex/setup.ts'
import { opencodeSetup } from './opencode/setup.ts'
import type { AgentSetup } from './setup/agent-setup.ts'

export const AGENT_SETUPS: readonly AgentSetup[] = [claudeCodeSetup, codexSetup, opencodeSetup]

/** By its name, or by the program that people start. */
export function findAgentSetup(word: string): AgentSetup | undefined {
  return AGENT_SETUPS.find(({ name, programs }) => name === word || programs.includes(word))
}
