/** Every method of the official MCP servers and clients, direct against through the proxy: the same bytes, but for what differs between two direct runs. */
import { afterEach, describe, expect, it } from 'vitest'
import { PROGRAM_WORDS } from '../../src/cli/fixtures/program.ts'
import { type GatedProxies, openGatedProxies } from '../mcp/gated-proxy.ts'
import { CLIENTS, type ClientName, converseAs } from '../mcp/official-clients.ts'
import { converse, OFFICIAL, type OfficialName, officialServer } from '../mcp/official-servers.ts'
import { startProxy } from '../mcp/proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

const REVISIONS = ['2025-06-18', '2025-11-25']

describe.each(OFFICIAL)('%s', (name) => {
  it.each(REVISIONS)('line by line, in the revision %s', async (revision) => {
    await compare((isDirect) => runLines(name, revision, isDirect))
  })

  it.each(CLIENTS)('with %s', async (client) => {
    await compare((isDirect) => runClient(name, client, isDirect))
  })
})

async function runLines(name: OfficialName, revision: string, isDirect: boolean): Promise<string[]> {
  const server = officialServer(name)
  const { command, environment } = server
  const started = isDirect
    ? startProxy({ command, environment, isDirect: true })
    : gated.start({ command, environment })
  try {
    return await converse(name, started, server.folder, revision)
  } finally {
    await started.stop()
    server.remove()
  }
}

async function runClient(name: OfficialName, client: ClientName, isDirect: boolean): Promise<string[]> {
  const server = officialServer(name)
  const ours = [process.execPath, ...PROGRAM_WORDS, 'mcp', '--name', 't', '--', ...server.command]
  const environment = {
    ...server.environment,
    ...(isDirect ? {} : { BANKSMAN_URL: gated.http.server.address.url, BANKSMAN_TOKEN: gated.token }),
  }
  try {
    return await converseAs(client, name, { ...server, environment }, isDirect ? server.command : ours)
  } finally {
    server.remove()
  }
}

async function compare(run: (isDirect: boolean) => Promise<string[]>): Promise<void> {
  gated = await openGatedProxies({ policy: { mode: 'bypass' } })
  const [one, other] = [await run(true), await run(true)]
  const proxied = await run(false)
  // Times, random ids and folders; all else has to be there to the byte.
  const masked = (lines: string[]) => withoutChance(lines.map(mask)).toSorted()
  expect(masked(other)).toEqual(masked(one))
  expect(masked(proxied)).toEqual(masked(one))
  expect(one.filter((line) => mask(line) !== line).length).toBeLessThan(one.length / 3)
}

/**
 * Whether a poll sees a status is a matter of time, and so is how far a call comes that was cancelled. Of the log messages that it makes up
 * the server sends one at random.
 */
const BY_CHANCE = [
  /^\{"result":\{"taskId"/,
  /"progress":\d+,"total":600/,
  /"data":"[\w-]+[ -]level[ -]message"/,
]

function withoutChance(lines: string[]): string[] {
  return lines.filter((line, index) => {
    if (BY_CHANCE.some((pattern) => pattern.test(line))) return false
    return !line.includes('<id>') || lines.indexOf(line) === index
  })
}

/** A task is polled: how often, and so with which ids, differs from run to run. */
function mask(line: string): string {
  const isOfTask = /"taskId"|notifications\/tasks/.test(line)
  return (isOfTask ? line.replace(/"id":\d+/, '"id":<id>') : line)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\b[0-9a-f]{32}\b/g, '<id>')
    .replace(/banksman-official-\w+/g, '<folder>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\d{1,2}:\d\d:\d\d [AP]M/g, '<time>')
    .replace(/\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d[^"\\]*/g, '<time>')
}
