/** Decisions about calls of the official servers, as both official clients hear of them. The whole comparison is in `test/edges/mcp-official.test.ts`. */
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, expect, it } from 'vitest'
import { PROGRAM_WORDS } from '../../src/cli/fixtures/program.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { OFFICIAL, type OfficialName, type OfficialServer, officialServer } from './official-servers.ts'
import type { Any } from './proxy-driver.ts'

let gated: GatedProxies
let server: OfficialServer
let client: { close(): Promise<void> }
afterEach(async () => {
  await client.close()
  await gated.close()
  server.remove()
})

/** What is allowed, and what is asked about. */
const CALLS: Record<OfficialName, [Any, Any]> = {
  everything: [
    { name: 'get-structured-content', arguments: { location: 'Chicago' } },
    { name: 'echo', arguments: { message: 'hi' } },
  ],
  filesystem: [
    { name: 'read_text_file', arguments: { path: '{files}/a.txt' } },
    { name: 'write_file', arguments: { path: '{files}/n.txt', content: 'x' } },
  ],
  memory: [
    { name: 'read_graph', arguments: {} },
    { name: 'create_entities', arguments: { entities: [{ name: 'A', entityType: 'x', observations: [] }] } },
  ],
  'sequential-thinking': [
    {
      name: 'sequentialthinking',
      arguments: { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    },
    {
      name: 'sequentialthinking',
      arguments: { thought: 'b', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    },
  ],
}

const cases = OFFICIAL.flatMap((name) =>
  (['client 2.x', 'sdk 1.x'] as const).map((version) => [name, version] as const),
)

it.each(cases)(
  '%s with %s: lists, runs what is allowed, and waits for what is asked about',
  async (name, version) => {
    const allowed = name === 'sequential-thinking' ? [] : [`mcp__t__${CALLS[name][0].name}`]
    gated = await openGatedProxies({ policy: { allow: allowed } })
    server = officialServer(name)
    const parameters = {
      command: process.execPath,
      args: [...PROGRAM_WORDS, 'mcp', '--name', 't', '--', ...server.command],
      env: {
        PATH: process.env.PATH ?? '',
        BANKSMAN_URL: gated.http.server.address.url,
        BANKSMAN_TOKEN: gated.token,
        ...server.environment,
      },
      stderr: 'ignore' as const,
    }
    const about = { name: 'official', version: '1' }
    const opened: Any =
      version === 'client 2.x'
        ? await connected(new NewClient(about), new NewTransport(parameters))
        : await connected(new OldClient(about), new OldTransport(parameters))
    client = opened
    const [first, second] = JSON.parse(JSON.stringify(CALLS[name]).replaceAll('{files}', server.folder))
    const { tools } = await opened.listTools()
    expect(tools.map((tool: Any) => tool.name)).toContain(first.name)
    const one = opened.callTool(first)
    if (allowed.length === 0) await gated.approve((await gated.pending())[0]!.id)
    expect((await one).isError ?? false).toBe(false)
    const two = opened.callTool(second)
    await gated.approve((await gated.pending())[0]!.id)
    expect((await two).isError ?? false).toBe(false)
    // A client that knows the tool's output schema takes a refusal for one.
    const refused = opened.callTool(second)
    await gated.decide((await gated.pending())[0]!.id, { decision: 'reject', reason: 'enough' })
    const { isError, content } = await refused
    expect(isError).toBe(true)
    expect(content[0].text).toContain('enough')
  },
)

async function connected(one: Any, transport: Any): Promise<Any> {
  await one.connect(transport)
  return one
}
