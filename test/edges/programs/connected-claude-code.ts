/**
 * The Claude Code that the Agent SDK brings, and the oldest one that `connect` takes. Its user has allowed every command, so whatever isn't
 * stopped by the hook runs.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ConnectedAgent, MCP_SERVER, openAgent, type Scenes } from '../../connected/connected-agent.ts'
import { FOLDER } from '../packed/packed-modules.ts'

const programOf = (name: string) =>
  join(FOLDER, globSync(`node_modules/@anthropic-ai/${name}-*/claude`, { cwd: FOLDER })[0] ?? name)

/** The second knows neither `onFailure` nor how to block by itself. */
export const CLAUDE_CODES = {
  '2.1.325': programOf('claude-agent-sdk'),
  '2.1.197': programOf('claude-code'),
} as const
export type ClaudeCodeVersion = keyof typeof CLAUDE_CODES

/** As people write it by hand. */
export const USERS_SETTINGS = `{
  "permissions": { "allow": ["Bash", "mcp__shop"] },
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

export interface ClaudeCodeOptions {
  version?: ClaudeCodeVersion
  options?: readonly string[]
  /** The one that its user has. */
  mcpServer?: typeof MCP_SERVER
}

export async function openClaudeCode(
  scenes: Scenes,
  policy: object,
  { version = '2.1.325', options = [], mcpServer = MCP_SERVER }: ClaudeCodeOptions = {},
): Promise<ConnectedClaudeCode> {
  const settings = (home: string) => join(home, '.claude', 'settings.json')
  const agent = await openAgent(
    {
      name: 'claude-code',
      program: CLAUDE_CODES[version],
      banksman: join(FOLDER, 'node_modules/banksman/bin/banksman.js'),
      options,
      prepare(home) {
        mkdirSync(dirname(settings(home)))
        writeFileSync(settings(home), USERS_SETTINGS)
        const mcpServers = { shop: { type: 'stdio', ...mcpServer } }
        writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers }))
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
