/** Files of MCP clients on the disk: connected, proved, inspected, disconnected, and put back where anything fails. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MCP_CLIENTS } from '../../../coding-agents/mcp-clients/mcp-clients.ts'
import { connectMcp, type ProxyTokens } from './connect-mcp.ts'
import { disconnectMcp, planUnwrapping } from './disconnect-mcp.ts'
import { type McpPrograms, writeMcpPrograms } from './fixtures/mcp-programs.ts'
import { inspectMcp } from './inspect-mcp.ts'
import { mcpTokenFile, readMcpRecord } from './mcp-record.ts'
import { type PlannedMcp, planMcp, type WantedMcp } from './plan-mcp.ts'
import { probeMcp } from './probe-mcp.ts'

let folder: string
let home: string
let project: string
let programs: McpPrograms
let environment: Record<string, string>
let valid: Map<string, string>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-mcp-'))
  home = join(folder, 'home')
  project = join(folder, 'shop')
  mkdirSync(project)
  programs = writeMcpPrograms(folder)
  environment = { HOME: home, BANKSMAN_HOME: join(folder, 'own'), PATH: process.env.PATH ?? '' }
  valid = new Map()
})
afterEach(() => rmSync(folder, { recursive: true }))

let ids = 0
const tokens: ProxyTokens = {
  async create(name) {
    const id = `t${++ids}`
    valid.set(id, name)
    return { id, secret: `bma_${name}_${id}` }
  },
  isValid: async (id) => valid.has(id),
  async revoke(id) {
    valid.delete(id)
  },
}

function wantedFor(client: string, servers: string[] = [], data = join(folder, 'data')): WantedMcp {
  return {
    client: MCP_CLIENTS.find(({ name }) => name === client)!,
    place: { home, environment, platform: 'linux', projects: [project] },
    servers,
    wrapper: {
      command: [process.execPath, programs.proxy],
      server: { data },
      tokenFile: (name) => mcpTokenFile(environment, name),
    },
  }
}
const plan = (wanted: WantedMcp) => planMcp(wanted, readMcpRecord(environment))
const run = (wanted: WantedMcp, shown: PlannedMcp = plan(wanted)) =>
  connectMcp(wanted, shown, {
    tokens,
    probe: (change) => probeMcp(change, wanted.place),
    keep: async () => false,
  })
async function disconnect(client: string, servers: string[] = []) {
  const { client: found, place } = wantedFor(client)
  const again = () => planUnwrapping(found, place, servers, readMcpRecord(environment))
  const planned = again()
  disconnectMcp(planned, again, environment)
  for (const { id } of planned.unused) await tokens.revoke(id)
  return planned
}
function put(path: string, text: string, mode = 0o640): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}
const read = (path: string) => readFileSync(path, 'utf8')
const own = () =>
  ['connections/mcp.json', 'mcp/a.token'].filter((name) => existsSync(join(folder, 'own', name)))

const entry = (how = 'works') => JSON.stringify([programs.server, how])
const usual = (list = 'mcpServers', key = 'a') =>
  `{\n\t"${list}": {  "${key}": {"command": ${JSON.stringify(process.execPath)}, "args": ${entry()}, "env": {"A": "é"} }\n\t} }`
const cursorFile = () => join(home, '.cursor/mcp.json')

const FILES: readonly [client: string, path: () => string, text: () => string][] = [
  ['claude-code', () => join(home, '.claude.json'), () => usual().replace('{', '{"numStartups": 3, ')],
  [
    'claude-code',
    () => join(home, '.claude.json'),
    () => `{"projects":{${JSON.stringify(project)}:${usual()},"/x":${usual()}}}`,
  ],
  ['claude-code', () => join(project, '.mcp.json'), () => usual()],
  ['claude-desktop', () => join(home, '.config/Claude/claude_desktop_config.json'), () => usual()],
  ['cursor', cursorFile, () => `// mine\n${usual()}\n`],
  [
    'vscode',
    () => join(project, '.vscode/mcp.json'),
    () => usual('servers').replace('}\n\t}', '}, // x\n\t}'),
  ],
  [
    'codex',
    () => join(home, '.codex/config.toml'),
    () =>
      `[mcp_servers.a]\r\ncommand = '${process.execPath}'\r\nargs = ${entry()}\r\n[mcp_servers.a.env]\r\nA = "é"`,
  ],
  ['gemini', () => join(home, '.gemini/settings.json'), () => usual()],
  [
    'opencode',
    () => join(project, 'opencode.jsonc'),
    () =>
      `{ "mcp": { /* x */ "a": { "type": "local", "command": ["node", ${entry().slice(1)}, "environment": { "A": "é" }, }, } }`,
  ],
  ['windsurf', () => join(home, '.codeium/windsurf/mcp_config.json'), () => usual()],
]

describe('connecting and disconnecting', () => {
  it.each(FILES)(
    '%s: the server is started through the proxy, and then the file is as before',
    async (client, at, make) => {
      const [path, text] = [at(), make()]
      put(path, text)
      const probed = await run(wantedFor(client))
      expect(probed).toMatchObject([{ key: 'a', name: 'a', tools: ['first', 'with é'] }])
      expect(read(path)).toContain('--token-file')
      expect(read(path)).not.toContain('bma_')
      expect(statSync(path).mode & 0o777).toBe(0o640)
      const token = mcpTokenFile(environment, 'a')
      expect(read(token)).toMatch(/^Authorization: Bearer bma_a_/)
      for (const file of [token, join(folder, 'own/connections/mcp.json')])
        expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(inspectMcp(environment, project).findings).toMatchObject([{ kind: 'ok' }])
      // Twice is once.
      expect(plan(wantedFor(client))).toMatchObject({ changes: [], files: [], already: [{ key: 'a' }] })
      await disconnect(client)
      expect(read(path)).toBe(text)
      expect(statSync(path).mode & 0o777).toBe(0o640)
      expect([own(), [...valid]]).toEqual([[], []])
    },
  )

  it('whoever stands in the home folder has each file once', async () => {
    project = home
    put(cursorFile(), usual())
    expect(plan(wantedFor('cursor')).files).toHaveLength(1)
  })

  it('what others write meanwhile and afterwards stays', async () => {
    put(cursorFile(), usual())
    const wanted = wantedFor('cursor')
    const shown = plan(wanted)
    const [before, after] = [usual().replace('{', '{"x": 1,'), usual().replace('{', '{"x": 1, "y": 2,')]
    put(cursorFile(), before)
    await run(wanted, shown)
    put(cursorFile(), read(cursorFile()).replace('{"x": 1,', '{"x": 1, "y": 2,'))
    await disconnect('cursor')
    expect(read(cursorFile())).toBe(after)
  })

  it('one of several, and the other later', async () => {
    const text = `{"mcpServers": {"a": {"command": "node", "args": ${entry()}}, "b": {"command": "node", "args": ${entry()}}}}`
    put(cursorFile(), text)
    await run(wantedFor('cursor', ['b']))
    expect(inspectMcp(environment, project).entries).toMatchObject([
      { key: 'b', state: 'wrapped' },
      { key: 'a', state: 'unwrapped' },
    ])
    await run(wantedFor('cursor'))
    expect([...valid.values()]).toEqual(['b', 'a'])
    await disconnect('cursor', ['b'])
    expect([...valid.values()]).toEqual(['a'])
    await disconnect('cursor')
    expect(read(cursorFile())).toBe(text)
  })

  it('two clients share the token of a name; it goes with the last', async () => {
    const windsurf = join(home, '.codeium/windsurf/mcp_config.json')
    put(cursorFile(), usual())
    put(windsurf, usual())
    await run(wantedFor('cursor'))
    await run(wantedFor('windsurf'))
    expect(valid.size).toBe(1)
    await disconnect('cursor')
    expect([valid.size, own().length]).toEqual([1, 2])
    await disconnect('windsurf')
    expect([valid.size, own().length]).toEqual([0, 0])
  })

  it('another server takes the place of the first, unless another client still goes there', async () => {
    put(cursorFile(), usual())
    await run(wantedFor('cursor'))
    const other = join(folder, 'other')
    await run(wantedFor('cursor', [], other))
    expect(read(cursorFile())).toContain(other)
    put(join(home, '.codeium/windsurf/mcp_config.json'), usual())
    expect(() => plan(wantedFor('windsurf'))).toThrow(/goes to another/)
    await disconnect('cursor')
    expect(read(cursorFile())).toBe(usual())
  })

  it('a server that does not answer stays behind it where its user wants that', async () => {
    const text = usual().replace('works', 'fails')
    put(cursorFile(), text)
    const wanted = wantedFor('cursor')
    const probe: Parameters<typeof connectMcp>[2]['probe'] = (change) => probeMcp(change, wanted.place)
    const probed = await connectMcp(wanted, plan(wanted), { tokens, probe, keep: async () => true })
    expect(probed).toMatchObject([{ failure: expect.stringContaining('no database') }])
    expect(inspectMcp(environment, project).entries).toMatchObject([{ state: 'wrapped' }])
    await disconnect('cursor')
    expect(read(cursorFile())).toBe(text)
  })

  it('of another project too', async () => {
    const path = join(project, '.cursor/mcp.json')
    put(path, usual())
    await run(wantedFor('cursor'))
    project = join(folder, 'elsewhere')
    await disconnect('cursor')
    expect(read(path)).toBe(usual())
  })

  it('an entry that was unwrapped by hand is only forgotten', async () => {
    put(cursorFile(), usual())
    await run(wantedFor('cursor'))
    put(cursorFile(), '{"mcpServers": {"a": {"command": "mine"}}}')
    expect((await disconnect('cursor')).files).toEqual([])
    expect([own(), valid.size]).toEqual([[], 0])
  })
})

describe('P5: nothing is written', () => {
  const twoFiles = () => {
    const second = join(project, '.cursor/mcp.json')
    put(cursorFile(), usual())
    put(second, usual())
    return second
  }

  it('when a server does not answer', async () => {
    const second = twoFiles()
    put(second, usual().replace('works', 'fails'))
    await expect(run(wantedFor('cursor'))).rejects.toMatchObject({
      message: "not every server answered through the proxy (a didn't), so all is as it was before",
      details: { failed: [{ key: 'a', failure: 'it ended with code 3 (no database)' }] },
    })
    expect(read(cursorFile())).toBe(usual())
    expect(read(second)).toBe(usual().replace('works', 'fails'))
    expect([own(), valid.size]).toEqual([[], 0])
  })

  it('when an entry of the second file was changed meanwhile', async () => {
    const second = twoFiles()
    const wanted = wantedFor('cursor')
    const shown = plan(wanted)
    put(second, usual().replace('works', 'other'))
    await expect(run(wanted, shown)).rejects.toThrow(/has changed meanwhile/)
    expect(read(cursorFile())).toBe(usual())
    expect(read(second)).toBe(usual().replace('works', 'other'))
    expect([own(), valid.size]).toEqual([[], 0])
  })

  it('over what others write while the server is tried', async () => {
    put(cursorFile(), usual())
    const wanted = wantedFor('cursor')
    const keep = async () => false
    const probe: Parameters<typeof connectMcp>[2]['probe'] = async ({ file, key, name }) => {
      put(cursorFile(), read(cursorFile()).replace('{', '{"x": 1,'))
      return { file, key, name, failure: 'no' }
    }
    await expect(connectMcp(wanted, plan(wanted), { tokens, probe, keep })).rejects.toThrow(
      /as it was before/,
    )
    expect(read(cursorFile())).toBe(usual().replace('{', '{"x": 1,'))
  })

  it('when a token can not be made, and an earlier one goes on', async () => {
    put(cursorFile(), usual())
    await run(wantedFor('cursor'))
    const before = read(cursorFile())
    const wanted = wantedFor('cursor', [], join(folder, 'other'))
    const failing = { ...tokens, create: async () => Promise.reject(new Error('no server')) }
    const connecting = {
      tokens: failing,
      probe: () => Promise.reject(new Error('never')),
      keep: async () => false,
    }
    await expect(connectMcp(wanted, plan(wanted), connecting)).rejects.toThrow(/no server/)
    expect([read(cursorFile()), valid.size]).toEqual([before, 1])
    expect(inspectMcp(environment, project).findings).toMatchObject([{ kind: 'ok' }])
  })

  it.each([
    ['{"mcpServers": ', /mcp\.json can't be changed: it isn't JSON/],
    ['{"mcpServers": {"a b": {"command": "x"}, "a-b": {"command": "y"}}}', /would both be called a-b/],
  ])('for %s', (text, words) => {
    put(cursorFile(), text)
    expect(() => plan(wantedFor('cursor'))).toThrow(words)
  })

  it('for what is left alone, which is named', () => {
    put(
      cursorFile(),
      '{"mcpServers": {"o": {"url": "https://o.example/mcp"}, "s": {"url": "https://s.example/sse"}, "n": 1, "数": {"command": "x"}}}',
    )
    const { changes, leftAlone } = plan(wantedFor('cursor'))
    expect(changes).toEqual([])
    expect(leftAlone).toMatchObject([
      { key: 'o', because: expect.stringMatching(/OAuth/) },
      { key: 's', because: expect.stringMatching(/server-sent events/) },
      { key: '数', because: expect.stringMatching(/no name can be made/) },
    ])
    expect(plan(wantedFor('cursor', ['o'])).changes).toMatchObject([{ key: 'o', name: 'o' }])
  })
})

describe('what doctor says', () => {
  beforeEach(async () => {
    put(cursorFile(), usual())
    await run(wantedFor('cursor'))
  })
  const state = () => inspectMcp(environment, project).entries[0]!.state
  const said = () => inspectMcp(environment, project).findings.map(({ kind, detail }) => `${kind} ${detail}`)

  it.each([
    ['lost', () => usual(), /^problem a in .* is no longer behind Banksman: its calls pass unseen/],
    [
      'changed',
      () => read(cursorFile()).replace(join(folder, 'data'), '/x'),
      /^problem the proxy in front of a .* is not as it was set up/,
    ],
    ['gone', () => '{}', /a is no longer in /],
    ['unknown', () => '{', /^problem .*can't be read: it isn't JSON/],
    [
      'wrapped',
      () => read(cursorFile()).replace('"works"', '"works", "more"'),
      /^ok 1 server is behind Banksman/,
    ],
    [
      'wrapped',
      () => read(cursorFile()).replace('"a":', '"b": {"command": "x"}, "a":'),
      /^warning not behind Banksman: b$/,
    ],
    ['changed', () => read(cursorFile()).replace(process.execPath, '/x/node'), /is not as it was set up/],
    [
      'changed',
      () => read(cursorFile()).replace(programs.proxy, '/gone/banksman.js'),
      /^problem \/gone\/banksman\.js is gone/,
    ],
  ])('%s', (wanted, make, words) => {
    put(cursorFile(), make())
    expect(state()).toBe(wanted)
    expect(said().join('\n')).toMatch(new RegExp(words.source, 'm'))
  })

  it('of others: the command that connects them, and why one can’t be', () => {
    const far = '"far": {"url": "https://f.example/mcp"}, "old one": {"url": "https://o.example/mcp"}'
    const old = '"sse": {"url": "https://s.example/sse"}'
    put(cursorFile(), read(cursorFile()).replace('"a":', `${far}, ${old}, "a":`))
    expect(inspectMcp(environment, project).findings).toMatchObject([
      { kind: 'ok' },
      {
        detail: 'not behind Banksman: far, old one',
        advice: "run: banksman connect cursor --mcp far 'old one'",
      },
      { detail: expect.stringMatching(/^sse can't be put behind Banksman: .*server-sent events/) },
    ])
  })

  it('of tokens', () => {
    expect(inspectMcp(environment, project, () => false).findings[0]!.detail).toMatch(
      /no longer knows the token/,
    )
    const file = mcpTokenFile(environment, 'a')
    chmodSync(file, 0o644)
    expect(said()).toMatchObject([expect.stringMatching(/^problem others can use/)])
    rmSync(file)
    expect(said()).toMatchObject([expect.stringMatching(/^problem .*a\.token is missing/)])
  })
})
