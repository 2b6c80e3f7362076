/** The policy's catalogue knows every tool that the pinned versions of Claude Code and Codex offer to their models. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { offeredTools, unknownTools } from '../connected/offered-tools.ts'

const programs = (pattern: string) => globSync(`node_modules/${pattern}`, { cwd: import.meta.dirname })
const PROGRAMS = [
  ...programs('@anthropic-ai/claude-*-linux-*/claude').map((program) => ['claude-code', program] as const),
  ...programs('.bin/codex').map((program) => ['codex', program] as const),
]

it('are the ones that are installed', () => {
  expect(PROGRAMS.map(([agent]) => agent)).toEqual(['claude-code', 'claude-code', 'codex'])
})

it.each(PROGRAMS)('P5: %s offers no tool that nobody listed: %s', async (agent, program) => {
  const offered = await offeredTools(agent, join(import.meta.dirname, program))
  expect(offered).toContain(agent === 'codex' ? 'apply_patch' : 'Bash')
  expect(unknownTools(agent, offered)).toEqual([])
})

it('names those that are given to the model later', async () => {
  const program = PROGRAMS.find(([, path]) => path.includes('agent-sdk'))![1]
  expect(await offeredTools('claude-code', join(import.meta.dirname, program))).toContain('Monitor')
})
