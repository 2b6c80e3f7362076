/** Whether the MCP servers that were put behind Banksman still are: for `banksman connect`, `banksman doctor` and the inbox. */
import { existsSync, lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { type FoundServer, findServers } from '../../../coding-agents/mcp-clients/find-servers.ts'
import type { McpClient } from '../../../coding-agents/mcp-clients/mcp-client.ts'
import { MCP_CLIENTS } from '../../../coding-agents/mcp-clients/mcp-clients.ts'
import { shellWord } from '../../../coding-agents/setup/shell-word.ts'
import { type Finding, findingsAbout } from '../../../core/support/finding.ts'
import type { Environment } from '../../configuration/store-configuration.ts'
import { readOthers } from '../read-others.ts'
import { isSameEntry, type McpRecord, mcpTokenFile, readMcpRecord, type WrappedEntry } from './mcp-record.ts'
import { filesOf } from './plan-mcp.ts'

/**
 * `lost`: the entry is there, and the client starts the server without us. `changed`: the proxy is in front of it, but not as it was set up.
 * `gone`: there is no such entry any longer. `unwrapped`: it was never put behind us. `unknown`: the file can't be read.
 */
export type McpEntryState = 'wrapped' | 'lost' | 'changed' | 'gone' | 'unwrapped' | 'unknown'

export interface InspectedEntry {
  client: string
  /** How people call the client. */
  title: string
  file: string
  key: string
  name?: string
  state: McpEntryState
  /** Puts it behind us, for the first time or again. */
  command: string
}

export interface InspectedMcp {
  entries: InspectedEntry[]
  findings: Finding[]
}

/** Whether the server knows the token. Undefined: it can't be asked. */
export type IsTokenKnown = (id: string) => boolean | undefined

const OTHERS = 0o077

export function inspectMcp(
  environment: Environment,
  project: string,
  isKnown: IsTokenKnown = () => undefined,
): InspectedMcp {
  const found: InspectedMcp = { entries: [], findings: [] }
  const record = readMcpRecord(environment)
  for (const client of MCP_CLIENTS) {
    const own = record.entries.filter((entry) => entry.client === client.name)
    if (own.length === 0) continue
    const { ok, problem, warning } = findingsAbout(`MCP servers of ${client.title}`)
    const findings: Finding[] = []
    const servers = serversOf(client, environment, [project, ...own.map((entry) => entry.project)])
    for (const path of servers.unreadable)
      findings.push(problem(`${path.file} can't be read: ${path.why}`, 'correct it'))
    for (const entry of own) {
      const { file, key, name, at } = entry
      const there = servers.found.find((one) => one.file === file && isSameEntry(one.at, at))
      const isUnreadable = servers.unreadable.some((one) => one.file === file)
      const state = isUnreadable ? 'unknown' : stateOf(entry, there)
      const command = commandFor(client, key)
      found.entries.push({ client: client.name, title: client.title, file, key, name, state, command })
      const again = `run: ${command}`
      if (state === 'lost')
        findings.push(problem(`${key} in ${file} is no longer behind Banksman: its calls pass unseen`, again))
      if (state === 'changed')
        findings.push(problem(`the proxy in front of ${key} in ${file} is not as it was set up`, again))
      if (state === 'gone')
        findings.push(
          warning(
            `${key} is no longer in ${file}`,
            `if that is meant, run: banksman disconnect ${client.name} --mcp ${key}`,
          ),
        )
      const missing = (there?.wrapper?.own ?? [])
        .slice(0, 2)
        .find((word) => isAbsolute(word) && !existsSync(word))
      if (missing !== undefined)
        findings.push(problem(`${missing} is gone, so ${key} in ${file} can't be started`, again))
    }
    findings.push(...inspectTokens(client, own, record, { environment, isKnown }))
    const others = servers.found.filter(
      (server) =>
        server.wrapper === undefined &&
        !own.some((entry) => entry.file === server.file && isSameEntry(entry.at, server.at)),
    )
    for (const { file, key } of others)
      found.entries.push({
        client: client.name,
        title: client.title,
        file,
        key,
        state: 'unwrapped',
        command: commandFor(client, key),
      })
    // By name: without names, the command leaves those alone that may log in by themselves.
    const fit = [...new Set(others.filter(({ way }) => way.kind !== 'unfit').map(({ key }) => key))]
    if (fit.length > 0)
      findings.push(warning(`not behind Banksman: ${fit.join(', ')}`, `run: ${commandFor(client, ...fit)}`))
    for (const { key, way } of others)
      if (way.kind === 'unfit') findings.push(warning(`${key} can't be put behind Banksman: ${way.because}`))
    if (findings.every(({ kind }) => kind !== 'problem')) {
      const many = own.length === 1 ? '1 server is' : `${own.length} servers are`
      findings.unshift(ok(`${many} behind Banksman`))
    }
    found.findings.push(...findings)
  }
  return found
}

/** The keys come from files that anybody may have written: a shell must take each for one word. Without a key it is for all servers. */
function commandFor({ name }: McpClient, ...keys: readonly string[]): string {
  return ['banksman', 'connect', name, '--mcp', ...keys.flatMap(wordFor)].join(' ')
}

/** None where it can't be written, or would be taken for an option. */
function wordFor(key: string): string[] {
  if (key.startsWith('-')) return []
  if (/^[\w.@:/-]+$/.test(key)) return [key]
  try {
    return [shellWord(key)]
  } catch {
    return []
  }
}

interface ServersFound {
  found: (FoundServer & { file: string })[]
  unreadable: { file: string; why: string }[]
}

function serversOf(client: McpClient, environment: Environment, projects: string[]): ServersFound {
  const place = {
    home: environment.HOME || homedir(),
    environment,
    platform: process.platform,
    projects: [...new Set(projects)],
  }
  const servers: ServersFound = { found: [], unreadable: [] }
  for (const file of filesOf(client, place)) {
    try {
      const text = readOthers(file.path)
      if (text !== undefined)
        servers.found.push(...findServers(file, text).map((server) => ({ ...server, file: file.path })))
    } catch (error) {
      servers.unreadable.push({ file: file.path, why: (error as Error).message })
    }
  }
  return servers
}

/** What the server itself is started with is its owner's to change. */
function stateOf({ name, after }: WrappedEntry, there: FoundServer | undefined): McpEntryState {
  if (there === undefined) return 'gone'
  const { wrapper } = there
  if (wrapper === undefined) return 'lost'
  const isOurs = wrapper.name === name && wrapper.own.every((word) => after.includes(JSON.stringify(word)))
  return isOurs ? 'wrapped' : 'changed'
}

function inspectTokens(
  client: McpClient,
  own: readonly WrappedEntry[],
  { tokens }: McpRecord,
  { environment, isKnown }: { environment: Environment; isKnown: IsTokenKnown },
): Finding[] {
  const { problem } = findingsAbout(`MCP servers of ${client.title}`)
  return [...new Set(own.map(({ name }) => name))].flatMap((name) => {
    const again = `run: ${commandFor(client, own.find((entry) => entry.name === name)!.key)}`
    const path = mcpTokenFile(environment, name)
    const file = lstatSync(path, { throwIfNoEntry: false })
    const token = tokens.find((one) => one.name === name)
    if (file === undefined || token === undefined)
      return [problem(`${path} is missing, so calls of ${name} are refused`, again)]
    if (process.platform !== 'win32' && (file.mode & OTHERS) !== 0)
      return [problem(`others can use ${path}`, `run: chmod go= ${path}`)]
    return isKnown(token.id) === false
      ? [problem(`the server no longer knows the token of ${name}, so its calls are refused`, again)]
      : []
  })
}
