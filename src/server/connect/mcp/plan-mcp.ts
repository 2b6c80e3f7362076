/** What connecting an MCP client would change, and what it leaves alone. Nothing is written here. */

import { existsSync, realpathSync } from 'node:fs'
import { configText } from '../../../coding-agents/mcp-clients/config-text.ts'
import { type FoundServer, findServers } from '../../../coding-agents/mcp-clients/find-servers.ts'
import type { McpClient, McpFile, McpPlace } from '../../../coding-agents/mcp-clients/mcp-client.ts'
import { unwrapServer, wrapServer } from '../../../coding-agents/mcp-clients/wrap-server.ts'
import { type McpWrapper, nameFromKey, wrapperWords } from '../../../coding-agents/mcp-clients/wrapper.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { MCP_NAME_RULE } from '../../../core/support/mcp-names.ts'
import { dataFolderAt } from '../../installation/data-folder.ts'
import { findRunningServer } from '../../installation/find-running-server.ts'
import type { PlannedFile } from '../planned-file.ts'
import { readOthers } from '../read-others.ts'
import { ambiguousNames } from './ambiguous-names.ts'
import { isSameEntry, type McpRecord, recordedEntry, type WrappedEntry } from './mcp-record.ts'

export interface WantedMcp {
  client: McpClient
  /** Of one project: the folder that this is done in. */
  place: McpPlace
  /** Keys of the client's files. Empty: all that there are. */
  servers: readonly string[]
  wrapper: McpWrapper
}

export interface McpChange extends WrappedEntry {
  /** The entry as it is written now: another than before us where it is wrapped already, but not like this. */
  now: string
  /** As the client will read it. */
  server: FoundServer
}

export interface NamedServer {
  file: string
  key: string
}

export interface PlannedMcp {
  files: PlannedFile[]
  changes: McpChange[]
  /** Wrapped already. */
  already: NamedServer[]
  leftAlone: (NamedServer & { because: string })[]
  /** Names that stand for different programs, with the files that say so: each call of those would need approval. */
  ambiguous: { name: string; files: string[] }[]
}

/** What can't be known of a server that is reached without a header. */
const MAY_LOG_IN =
  'it has no header, so the client may log in to it by OAuth, and that would be lost. Name it in the command to try it: the first look at its tools tells'

export function planMcp(wanted: WantedMcp, record: McpRecord): PlannedMcp {
  const plan: PlannedMcp = { files: [], changes: [], already: [], leftAlone: [], ambiguous: [] }
  for (const file of filesOf(wanted.client, wanted.place)) {
    const now = readOthers(file.path)
    if (now === undefined) continue
    const after = atFile(file, () => planFile(wanted, record, { file, text: now, plan }))
    if (after !== now) plan.files.push({ path: file.path, now, before: now, after })
  }
  checkNames(plan.changes, record)
  checkServers(plan.changes, record, wanted.wrapper)
  plan.ambiguous = ambiguousNames(plan.changes, record, wanted.place)
  return plan
}

/** Each once: whoever stands in their home folder has the files of user and project in one place, and links may lead to one file. */
export function filesOf(client: McpClient, place: McpPlace): McpFile[] {
  const seen = new Set<string>()
  return client.files(place).filter(({ path }) => {
    const real = existsSync(path) ? realpathSync(path) : path
    return seen.size < seen.add(real).size
  })
}

/** The mistake of a file has its name. */
export function atFile<T>({ path }: Pick<McpFile, 'path'>, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BanksmanError(
      'invalid',
      `${path} can't be changed: ${why}. Nothing was written`,
      {},
      { cause: error },
    )
  }
}

function planFile(
  wanted: WantedMcp,
  record: McpRecord,
  { file, text, plan }: { file: McpFile; text: string; plan: PlannedMcp },
): string {
  const config = configText(file)
  let made = text
  for (const { key, at } of findServers(file, text)) {
    const isNamed = wanted.servers.includes(key)
    if (wanted.servers.length > 0 && !isNamed) continue
    const server = serverAt(file, made, at)
    const known = recordedEntry(record, wanted.client.name, {
      file: file.path,
      at,
      name: server.wrapper?.name,
    })
    const named = { file: file.path, key }
    // Somebody has wrapped it by hand, as they like it.
    if (server.wrapper !== undefined && known === undefined) {
      plan.already.push(named)
      continue
    }
    const because = unfitBecause(server, isNamed)
    const name = nameFromKey(key)
    if (because !== undefined || name === undefined) {
      plan.leftAlone.push({
        ...named,
        because: because ?? `no name can be made of its key: ${MCP_NAME_RULE}`,
      })
      continue
    }
    try {
      const bare = unwrapServer(file, made, server, known)
      const wrapped = wrapServer(file, bare, serverAt(file, bare, at), wrapperWords(wanted.wrapper, name))
      if (wrapped === made) plan.already.push(named)
      else
        plan.changes.push({
          client: wanted.client.name,
          file: file.path,
          at: [...at],
          key,
          name,
          project: wanted.place.projects[0] ?? '',
          before: config.source(bare, at)!,
          after: config.source(wrapped, at)!,
          now: config.source(made, at)!,
          server: serverAt(file, wrapped, at),
        })
      made = wrapped
    } catch (error) {
      plan.leftAlone.push({ ...named, because: (error as Error).message })
    }
  }
  return made
}

function unfitBecause({ way, wrapper }: FoundServer, isNamed: boolean): string | undefined {
  if (wrapper !== undefined) return undefined
  if (way.kind === 'unfit') return way.because
  return way.kind === 'remote' && way.headers.length === 0 && !isNamed ? MAY_LOG_IN : undefined
}

export function serverAt(file: McpFile, text: string, at: readonly string[]): FoundServer {
  const found = findServers(file, text).find((server) => isSameEntry(server.at, at))
  if (found === undefined) throw new BanksmanError('facts_changed', `${at.join('.')} is gone`)
  return found
}

/** Rules for one would count for the other. */
function checkNames(changes: readonly McpChange[], { entries }: McpRecord): void {
  const keys = new Map<string, string>()
  for (const { name, key } of [...entries, ...changes]) {
    const other = keys.get(name)
    if (other !== undefined && other !== key)
      throw new BanksmanError(
        'invalid',
        `${JSON.stringify(other)} and ${JSON.stringify(key)} would both be called ${name}. Give one of them another key in the client's file; nothing was written`,
      )
    keys.set(name, key)
  }
}

/** One name has one token, and that is of one server. */
function checkServers(changes: readonly McpChange[], record: McpRecord, { server }: McpWrapper): void {
  for (const { name, file, at } of changes) {
    const token = record.tokens.find((one) => one.name === name)
    if (token === undefined || isSameServer(token.server, server)) continue
    const other = record.entries.find(
      (entry) =>
        entry.name === name &&
        !changes.some((one) => one.file === entry.file && isSameEntry(one.at, entry.at)),
    )
    if (other === undefined) continue
    // Whoever forgot --data is not about to change servers.
    if ('data' in server && findRunningServer(dataFolderAt(server.data)) === undefined)
      throw new BanksmanError('invalid', notRunning(server.data, name, { file: other.file, ...token }))
    throw new BanksmanError(
      'invalid',
      `${name} goes to another Banksman server in ${other.file}. Run \`banksman disconnect ${other.client} --mcp ${other.key}\` first; ${file} (${at.join('.')}) is as it was`,
    )
  }
}

function notRunning(
  data: string,
  name: string,
  { file, server }: { file: string; server: McpWrapper['server'] },
): string {
  const option = 'data' in server ? `--data ${server.data}` : `--url ${server.url}`
  return `no Banksman server is running on ${data}. In ${file}, ${name} goes to another one: to connect to that one, add ${option}. Otherwise start one on ${data}: banksman start --data ${data}`
}

export function isSameServer(one: McpWrapper['server'], other: McpWrapper['server']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
