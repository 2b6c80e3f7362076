/** The coding agents that we know. To add one: a folder with its events and answers, and a line here. */
import { claudeCode } from './claude-code/index.ts'
import { codex } from './codex/index.ts'
import type { CodingAgent } from './coding-agent.ts'
import { opencode } from './opencode/index.ts'

export const CODING_AGENTS: readonly CodingAgent[] = [claudeCode, codex, opencode]

export function findCodingAgent(name: string): CodingAgent | undefined {
  return CODING_AGENTS.find((agent) => agent.name === name)
}
