/** Every method of the official MCP servers, direct against through the proxy: the same bytes, but for what differs between two direct runs. */
import { afterEach, expect, it } from 'vitest'
import { type GatedProxies, openGatedProxies } from '../mcp/gated-proxy.ts'
import { converse, OFFICIAL, type OfficialName, officialServer } from '../mcp/official-servers.ts'
import { startProxy } from '../mcp/proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

async function run(name: OfficialName, isDirect: boolean): Promise<string[]> {
  const server = officialServer(name)
  const { command, environment } = server
  const started = isDirect
    ? startProxy({ command, environment, isDirect: true })
    : gated.start({ command, environment })
  try {
    return await converse(name, started, server.folder)
  } finally {
    await started.stop()
    server.remove()
  }
}

it.each(OFFICIAL)('%s', async (name) => {
  gated = await openGatedProxies({ policy: { mode: 'bypass' } })
  const [one, other] = [await run(name, true), await run(name, true)]
  const proxied = await run(name, false)
  // Times and random ids; all else has to be there to the byte.
  const masked = (lines: string[]) => lines.map(mask).toSorted()
  expect(masked(other)).toEqual(masked(one))
  expect(masked(proxied)).toEqual(masked(one))
  expect(one.filter((line) => mask(line) !== line).length).toBeLessThan(one.length / 3)
})

function mask(line: string): string {
  return line
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\d{1,2}:\d\d:\d\d [AP]M/g, '<time>')
    .replace(/\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d[^"\\]*/g, '<time>')
}
