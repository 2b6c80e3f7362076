/** The Claude Code that the Agent SDK brings. Its user has allowed every command, so whatever isn't stopped by the hook runs. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ConnectedAgent, openAgent, type Scenes } from '../connected/connected-agent.ts'
import { FOLDER } from './packed-modules.ts'

const [PROGRAM = ''] = globSync('node_modules/@anthropic-ai/claude-agent-sdk-*/claude', { cwd: FOLDER })

/** As people write it by hand. */
export const USERS_SETTINGS = `{
  "permissions": { "allow": ["Bash"] },
  "hooks": {
    "PreToolUse": [{ "matcher": "Read", "hooks": [{ "type": "command", "command": "true" }] }]
  },

  "cleanupPeriodDays": 30
}
`

export interface ConnectedClaudeCode extends ConnectedAgent {
  readSettings(): string
  changeSettings(change: (text: string) => string): void
}

export async function openClaudeCode(
  scenes: Scenes,
  policy: object,
  options: readonly string[] = [],
): Promise<ConnectedClaudeCode> {
  const settings = (home: string) => join(home, '.claude', 'settings.json')
  const agent = await openAgent(
    {
      name: 'claude-code',
      program: join(FOLDER, PROGRAM),
      banksman: join(FOLDER, 'node_modules/banksman/bin/banksman.js'),
      options,
      prepare(home) {
        mkdirSync(dirname(settings(home)))
        writeFileSync(settings(home), USERS_SETTINGS)
      },
      environment: (model) => ({
        ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ''),
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
      }),
      parameters: (words) => [
        ...['-p', words, '--output-format', 'stream-json', '--verbose', '--permission-mode', 'default'],
      ],
    },
    scenes,
    policy,
  )
  const file = settings(agent.home)
  return {
    ...agent,
    readSettings: () => readFileSync(file, 'utf8'),
    changeSettings: (change) => writeFileSync(file, change(readFileSync(file, 'utf8'))),
  }
}
