/** P11: whoever may write a file with MCP entries can take the proxy out of it. */
import { describe, expect, it } from 'vitest'
import type { McpPlace } from '../../../coding-agents/mcp-clients/mcp-client.ts'
import { MCP_CLIENTS } from '../../../coding-agents/mcp-clients/mcp-clients.ts'
import { compilePolicy } from '../../../policy/index.ts'

const MOVED = {
  CLAUDE_CONFIG_DIR: '/srv/claude',
  CODEX_HOME: '/srv/codex',
  COPILOT_HOME: '/srv/copilot',
  GEMINI_CLI_HOME: '/srv/gemini',
  OPENCODE_CONFIG: '/srv/oc.json',
  OPENCODE_CONFIG_DIR: '/srv/opencode',
  XDG_CONFIG_HOME: '/srv/config',
}
const PLACES: (Omit<McpPlace, 'projects'> & { title: string })[] = [
  { title: 'Linux', home: '/home/ana', environment: {}, platform: 'linux' },
  { title: 'macOS', home: '/home/ana', environment: {}, platform: 'darwin' },
  {
    title: 'Windows',
    home: 'C:/Users/Ana',
    environment: { APPDATA: 'C:/Users/Ana/AppData/Roaming' },
    platform: 'win32',
  },
  { title: 'moved by the environment', home: '/home/ana', environment: MOVED, platform: 'linux' },
]

describe.each(PLACES)('$title', (place) => {
  const { home, environment } = place
  const ownHouse = {
    ...{ files: [], folders: [], addresses: [], program: 'banksman' },
    agents: { homes: [home], environment },
  }
  const policy = compilePolicy({ mode: 'bypass' }, { ownHouse, roots: ['/space'], home })

  it.each(MCP_CLIENTS)('P11: no call writes a file of $title', ({ files }) => {
    for (const { path } of files({ ...place, projects: ['/space'] }))
      for (const call of [
        { tool: 'Write', arguments: { file_path: path, content: 'x' }, cwd: '/space' },
        { tool: 'Bash', arguments: { command: `echo x > '${path}'` }, cwd: '/space' },
      ])
        expect(policy.evaluate(call).rule, path).toBe('built-in: agent files')
  })
})
