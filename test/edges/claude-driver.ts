/** The real Claude Agent SDK and the program that it brings, on a model that follows a script, for suites of the secretary. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaudeSdk } from '../../src/agents/claude/claude-sdk.ts'
import { createClaudeEngine } from '../../src/agents/claude/create-claude-engine.ts'
import type { ModelScript } from '../../src/agents/models/scripted/script.ts'
import { startModelServer } from '../../src/testing/model-server/model-server.ts'
import type { SecretaryDriver } from '../secretary/secretary-driver.ts'

export const claudeDriver: SecretaryDriver = {
  name: 'Claude Code',
  time: 'real',
  task: (prompt) => ({
    tool: 'Agent',
    arguments: { description: 'a task', prompt, subagent_type: 'general-purpose' },
  }),
  async open({ script, placeOf, modeOf, clock, home, report }) {
    const model = await startModelServer(script as ModelScript['scenes'])
    const user = join(home, 'user')
    mkdirSync(user, { recursive: true })
    const engine = createClaudeEngine({
      async placeOf(session) {
        const { folder, settings = 'none' } = await placeOf(session)
        return { folder, settings }
      },
      modeOf: ({ id }) => modeOf(id),
      home,
      environment: {
        PATH: process.env.PATH,
        HOME: user,
        ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ''),
        ANTHROPIC_API_KEY: 'none',
      },
      maxTurns: 100,
      // The one that is installed in this folder.
      loadSdk: async () => (await import('@anthropic-ai/claude-agent-sdk')) as unknown as ClaudeSdk,
      clock,
      report,
    })
    return {
      engine,
      programs() {
        const children = join(home, 'children')
        return existsSync(children) ? readdirSync(children).length : 0
      },
      close: () => model.close(),
    }
  },
}
