/** What a plan says of other files and servers. What connecting does with it is in `connect-mcp.test.ts`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MCP_CLIENTS } from '../../../coding-agents/mcp-clients/mcp-clients.ts'
import { lockDataFolder, openDataFolder } from '../../installation/data-folder.ts'
import { connectMcp } from './connect-mcp.ts'
import { mcpTokenFile, readMcpRecord } from './mcp-record.ts'
import { planMcp, type WantedMcp } from './plan-mcp.ts'

let folder: string
let environment: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-plan-'))
  environment = { HOME: folder, BANKSMAN_HOME: join(folder, 'own') }
})
afterEach(() => rmSync(folder, { recursive: true }))

const cursor = () => join(folder, '.cursor/mcp.json')
const windsurf = () => join(folder, '.codeium/windsurf/mcp_config.json')
function put(path: string, ...command: string[]): void {
  const [program, ...args] = command
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ mcpServers: { files: { command: program, args } } }))
}
function wantedFor(client: string, data = join(folder, 'data')): WantedMcp {
  return {
    client: MCP_CLIENTS.find(({ name }) => name === client)!,
    place: { home: folder, environment, platform: 'linux', projects: [join(folder, 'shop')] },
    servers: [],
    wrapper: {
      command: [process.execPath, '/x/banksman.js'],
      server: { data },
      tokenFile: (name) => mcpTokenFile(environment, name),
    },
  }
}
const plan = (wanted: WantedMcp) => planMcp(wanted, readMcpRecord(environment))
const connect = (wanted: WantedMcp) =>
  connectMcp(wanted, plan(wanted), {
    tokens: {
      create: async (name) => ({ id: `t-${name}`, secret: 'x' }),
      isValid: async () => true,
      revoke: async () => {},
    },
    probe: async ({ file, key, name }) => ({ file, key, name, tools: [] }),
    keep: async () => true,
  })

describe('a name that goes to another Banksman server', () => {
  beforeEach(async () => {
    put(cursor(), 'node', 'files.js')
    put(windsurf(), 'node', 'files.js')
    await connect(wantedFor('cursor', join(folder, 'usual')))
  })

  it('from a folder where no server runs: says that, and which --data was meant', () => {
    expect(() => plan(wantedFor('windsurf'))).toThrow(
      `no Banksman server is running on ${folder}/data. In ${cursor()}, files goes to another one: to connect to that one, add --data ${folder}/usual. Otherwise start one on ${folder}/data: banksman start --data ${folder}/data`,
    )
  })

  it('where another server runs, the first has to be disconnected', () => {
    const data = openDataFolder(join(folder, 'data'))
    writeFileSync(data.serverFile, JSON.stringify({ url: 'http://127.0.0.1:1', pid: process.pid }))
    const lock = lockDataFolder(data)
    expect(() => plan(wantedFor('windsurf'))).toThrow(
      /goes to another Banksman server in .*Run `banksman disconnect cursor --mcp files` first/,
    )
    lock.release()
  })
})

describe('one name for different programs', () => {
  it('in two clients: the plan names both files', async () => {
    put(cursor(), 'node', 'files.js', '~/notes')
    put(windsurf(), 'node', 'files.js', '~/work')
    expect(plan(wantedFor('cursor')).ambiguous).toEqual([])
    await connect(wantedFor('cursor'))
    expect(plan(wantedFor('windsurf')).ambiguous).toEqual([{ name: 'files', files: [windsurf(), cursor()] }])
    // One command for both is as it should be.
    put(windsurf(), 'node', 'files.js', '~/notes')
    expect(plan(wantedFor('windsurf'))).toMatchObject({ changes: [{ name: 'files' }], ambiguous: [] })
    rmSync(cursor())
    put(windsurf(), 'other')
    expect(plan(wantedFor('windsurf')).ambiguous).toEqual([])
  })

  it('in two files of one client', () => {
    put(cursor(), 'node', 'files.js')
    const own = join(folder, 'shop/.cursor/mcp.json')
    put(own, 'node', 'other.js')
    expect(plan(wantedFor('cursor')).ambiguous).toMatchObject([{ name: 'files', files: [cursor(), own] }])
  })
})
