/** An agent that was connected with its settings elsewhere, and is looked at, connected again or disconnected without the variable. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claudeCodeSetup } from '../../coding-agents/claude-code/setup.ts'
import { codexSetup } from '../../coding-agents/codex/setup.ts'
import { opencodeSetup } from '../../coding-agents/opencode/setup.ts'
import type { AgentSetup } from '../../coding-agents/setup/agent-setup.ts'
import type { AgentTools } from './agent-tools.ts'
import { connectAgent, type HookTokens, planConnection, type WantedConnection } from './connect-agent.ts'
import { readConnection } from './connection-record.ts'
import { disconnectAgent, planDisconnection } from './disconnect-agent.ts'
import { inspectConnection } from './inspect-connection.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'banksman-moved-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const tokens: HookTokens = {
  create: async () => ({ id: 'tok_1', secret: 'secret' }),
  revoke: async () => {},
  lastSession: async () => undefined,
}
const proved: AgentTools = { prove: async () => {} }
/** Codex lists its hooks with the place of their file. */
const listed: AgentTools = {
  ...proved,
  openHooks: ({ setup, place, wiring }) => {
    const [hooks] = setup.files(place, wiring)
    const ours = ['pre_tool_use', 'stop'].map((event) => ({
      key: `${hooks!.path}:${event}:0:0`,
      hash: 'sha256:1',
      isTrusted: true,
    }))
    return { list: async () => ({ ours, others: [] }), close: async () => {} }
  },
}

const MINE =
  '{ "hooks": { "PreToolUse": [{ "matcher": "x", "hooks": [{ "type": "command", "command": "mine" }] }] } }\n'

describe.each([
  ['CLAUDE_CONFIG_DIR', claudeCodeSetup, '', '.claude', { 'settings.json': MINE }],
  ['CODEX_HOME', codexSetup, '', '.codex', { 'hooks.json': MINE, 'config.toml': 'model = "mine"\n' }],
  ['OPENCODE_CONFIG_DIR', opencodeSetup, '', '.config/opencode', {}],
  ['XDG_CONFIG_HOME', opencodeSetup, 'opencode', '.config/opencode', {}],
] as const)('%s of the past', (variable, setup: AgentSetup, below, usual, theirs) => {
  const moved = () => join(home, 'moved', below)
  const there = () => join(home, usual)
  const filesIn = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
          .map((path) => [path, readFileSync(path, 'utf8')])
      : []
  const wantedAt = (value?: string): WantedConnection => ({
    setup,
    place: {
      home,
      environment: {
        HOME: home,
        BANKSMAN_HOME: join(home, 'own'),
        ...(value === undefined ? {} : { [variable]: value }),
      },
    },
    found: { program: '/nowhere/agent', version: '2.1.325' },
    mode: 'everything',
    server: { kind: 'socket', path: join(home, 'x.sock') },
    sender: { kind: 'curl', program: '/usr/bin/curl' },
  })
  const connect = (wanted: WantedConnection) =>
    connectAgent(wanted, tokens, setup.trust === undefined ? proved : listed)
  const disconnect = ({ place }: WantedConnection) => {
    const record = readConnection(place.environment, setup.name)!
    disconnectAgent(setup, place, record, planDisconnection(setup, place, record))
  }
  const fill = (folder: string) => {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(theirs)) writeFileSync(join(folder, name), text)
  }

  it('disconnect takes the hooks from where they were put', async () => {
    fill(moved())
    fill(there())
    const [before, other] = [filesIn(moved()), filesIn(there())]
    await connect(wantedAt(join(home, 'moved')))
    expect(filesIn(moved())).not.toEqual(before)
    disconnect(wantedAt())
    expect([filesIn(moved()), filesIn(there())]).toEqual([before, other])
  })

  it('and from the usual place when the variable came later', async () => {
    fill(there())
    const before = filesIn(there())
    await connect(wantedAt())
    disconnect(wantedAt(join(home, 'moved')))
    expect([filesIn(there()), filesIn(moved())]).toEqual([before, []])
  })

  it('a second connect moves them, and shows that', async () => {
    fill(moved())
    fill(there())
    const [before, other] = [filesIn(moved()), filesIn(there())]
    await connect(wantedAt(join(home, 'moved')))
    const shown = planConnection(wantedAt()).filter(({ now, after }) => now !== after)
    expect(shown.some(({ path }) => path.startsWith(moved()))).toBe(true)
    await connect(wantedAt())
    expect(filesIn(moved())).toEqual(before)
    expect(filesIn(there())).not.toEqual(other)
    disconnect(wantedAt())
    expect(filesIn(there())).toEqual(other)
  })

  it('a second connect that fails leaves the first as it was', async () => {
    fill(moved())
    fill(there())
    await connect(wantedAt(join(home, 'moved')))
    const [first, other] = [filesIn(moved()), filesIn(there())]
    const failing = {
      ...(setup.trust === undefined ? {} : listed),
      prove: () => Promise.reject(new Error('not proved')),
    }
    await expect(connectAgent(wantedAt(), tokens, failing)).rejects.toThrow('not proved')
    expect([filesIn(moved()), filesIn(there())]).toEqual([first, other])
    disconnect(wantedAt())
    expect(filesIn(moved()).length).toBe(Object.keys(theirs).length)
  })

  it('doctor looks where they were put, and says that the agent would look elsewhere', async () => {
    fill(moved())
    await connect(wantedAt(join(home, 'moved')))
    const look = async ({ place }: WantedConnection) => {
      const record = readConnection(place.environment, setup.name)!
      const findings = await inspectConnection({ setup, place, record, project: home })
      return findings.map(({ detail }) => detail).join('\n')
    }
    const elsewhere = `its hooks are in ${moved()}, and in this environment it reads ${there()}`
    expect(await look(wantedAt())).toContain(elsewhere)
    expect(await look(wantedAt())).not.toMatch(/no hooks of Banksman any longer/)
    expect(await look(wantedAt(join(home, 'moved')))).not.toContain('in this environment')
  })

  it('a place that depends on the folder one stands in is refused', async () => {
    await expect(connect(wantedAt('moved'))).rejects.toThrow(/must be absolute/)
  })
})
