/** Names of MCP servers that stand for different programs: rules and grants are for one, so each call of either would need approval. */
import { type FoundServer, findServers } from '../../../coding-agents/mcp-clients/find-servers.ts'
import type { McpPlace } from '../../../coding-agents/mcp-clients/mcp-client.ts'
import { MCP_CLIENTS } from '../../../coding-agents/mcp-clients/mcp-clients.ts'
import { readOthers } from '../read-others.ts'
import { isSameEntry, type McpRecord, type WrappedEntry } from './mcp-record.ts'

/** Among what is to be connected, and between that and what is connected already, of other clients too. */
export function ambiguousNames(
  changes: readonly (WrappedEntry & { server: FoundServer })[],
  { entries }: McpRecord,
  place: McpPlace,
): { name: string; files: string[] }[] {
  const others = entries.filter(
    (entry) => !changes.some(({ file, at }) => file === entry.file && isSameEntry(at, entry.at)),
  )
  return [...Map.groupBy(changes, ({ name }) => name)].flatMap(([name, list]) => {
    const known = others
      .filter((entry) => entry.name === name)
      .flatMap((entry) => {
        const server = serverOf(entry, place)
        return server?.wrapper === undefined ? [] : [{ file: entry.file, server }]
      })
    const all = [...list, ...known]
    const programs = new Set(
      all.map(({ server }) => JSON.stringify([server.wrapper?.rest, server.wrapper?.url])),
    )
    return programs.size < 2 ? [] : [{ name, files: [...new Set(all.map(({ file }) => file))] }]
  })
}

/** As it stands there now. Undefined: it is gone, or its file can't be read, which others say. */
function serverOf({ client, file, at, project }: WrappedEntry, place: McpPlace): FoundServer | undefined {
  const found = MCP_CLIENTS.find(({ name }) => name === client)
    ?.files({ ...place, projects: [project] })
    .find(({ path }) => path === file)
  try {
    const text = found && readOthers(found.path)
    return text && found ? findServers(found, text).find((server) => isSameEntry(server.at, at)) : undefined
  } catch {
    return undefined
  }
}
