/** Files that `connect` has written to, wherever an agent had its settings then. */
import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../index.ts'
import type { ConnectedFile } from './agent-table.ts'

function judge(connected: readonly ConnectedFile[], path: string): string | undefined {
  const agents = { homes: ['/home/ana'], environment: {}, connected }
  const policy = compilePolicy(
    { mode: 'bypass' },
    {
      ownHouse: { files: [], folders: [], addresses: [], program: 'banksman', agents },
      roots: ['/space'],
      home: '/home/ana',
    },
  )
  const write = policy.evaluate({
    tool: 'Write',
    arguments: { file_path: path, content: 'x' },
    cwd: '/space',
  })
  const shell = policy.evaluate({ tool: 'Bash', arguments: { command: `echo x > ${path}` }, cwd: '/space' })
  expect(shell.rule).toBe(write.rule)
  return write.kind === 'deny' ? write.rule : undefined
}
const users = (agent: string, path: string, holds: ConnectedFile['holds'] = 'hooks'): ConnectedFile => ({
  agent,
  path,
  level: 'user',
  holds,
})
const KEPT = 'built-in: agent files'

describe('P11: what connect has written is kept from every call', () => {
  it.each([
    ['codex', '/srv/c/hooks.json', ['hooks.json', 'config.toml', 'rules/x.rules', '.env']],
    ['codex', '/srv/c/rules/banksman.rules', ['hooks.json', 'config.toml']],
    ['claude-code', '/srv/c/settings.json', ['settings.json', 'plugins/x', 'hooks/x']],
    [
      'opencode',
      '/srv/c/plugins/banksman.js',
      ['plugins/mine.js', 'plugin/x.js', 'config.json', 'tools/x.js'],
    ],
  ])('%s at %s, with the folder of its settings', (agent, path, files) => {
    for (const file of files) {
      expect(judge([users(agent, path)], `/srv/c/${file}`), file).toBe(KEPT)
      expect(judge([], `/srv/c/${file}`), file).toBeUndefined()
    }
    expect(judge([users(agent, path)], '/srv/c/notes.md')).toBeUndefined()
  })

  it('an MCP file of a project, and nothing beside it', () => {
    const file: ConnectedFile = {
      agent: 'opencode',
      path: '/space/x/opencode.json',
      level: 'project',
      holds: 'mcp',
    }
    expect(judge([file], '/space/x/opencode.json')).toBe(KEPT)
    expect(judge([file], '/space/x/tools/one.js')).toBeUndefined()
  })

  it('an MCP file in a home folder doesn’t make the home folder one of settings', () => {
    const file = users('claude-code', '/home/ana/.claude.json', 'mcp')
    expect(judge([file], '/home/ana/.claude.json')).toBe(KEPT)
    expect(judge([file], '/home/ana/plugins/one.js')).toBeUndefined()
  })

  it('a client that has no table', () => {
    expect(judge([users('someone', '/srv/c/mcp-servers.json', 'mcp')], '/srv/c/mcp-servers.json')).toBe(KEPT)
  })
})
