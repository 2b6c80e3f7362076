/**
 * Takes the proxy away from the servers of a client: each entry that has our mark is as it was before, and no other is touched. That counts for
 * all folders that it was connected in.
 */
import { rmSync } from 'node:fs'
import { findServers } from '../../../coding-agents/mcp-clients/find-servers.ts'
import type { McpClient, McpPlace } from '../../../coding-agents/mcp-clients/mcp-client.ts'
import { unwrapServer } from '../../../coding-agents/mcp-clients/wrap-server.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { type PlannedFile, writePlanned } from '../planned-file.ts'
import { readOthers } from '../read-others.ts'
import {
  isSameEntry,
  type McpRecord,
  type McpToken,
  mcpTokenFile,
  recordedEntry,
  writeMcpRecord,
} from './mcp-record.ts'
import { atFile, filesOf, type NamedServer, serverAt } from './plan-mcp.ts'

export interface PlannedUnwrapping {
  files: PlannedFile[]
  unwrapped: NamedServer[]
  /** Wrapped, but what it was before is not known. */
  leftAlone: (NamedServer & { because: string })[]
  /** What is left on record. */
  record: McpRecord
  /** Tokens that no entry uses any longer. */
  unused: McpToken[]
}

/** Without servers it is all of the client's. */
export function planUnwrapping(
  client: McpClient,
  place: McpPlace,
  servers: readonly string[],
  record: McpRecord,
): PlannedUnwrapping {
  const isMeant = (key: string) => servers.length === 0 || servers.includes(key)
  const own = record.entries.filter((entry) => entry.client === client.name)
  const projects = [...new Set([...place.projects, ...own.map(({ project }) => project)])]
  const plan: Omit<PlannedUnwrapping, 'record' | 'unused'> = { files: [], unwrapped: [], leftAlone: [] }
  const kept: { file: string; at: readonly string[] }[] = []
  for (const file of filesOf(client, { ...place, projects })) {
    const now = readOthers(file.path)
    if (now === undefined) continue
    const after = atFile(file, () => {
      let left = now
      for (const { key, at, wrapper } of findServers(file, now)) {
        if (wrapper === undefined || !isMeant(key)) continue
        const known = recordedEntry(record, client.name, { file: file.path, at, name: wrapper.name })
        try {
          left = unwrapServer(file, left, serverAt(file, left, at), known)
          plan.unwrapped.push({ file: file.path, key })
        } catch (error) {
          kept.push({ file: file.path, at: known?.at ?? at })
          plan.leftAlone.push({ file: file.path, key, because: (error as Error).message })
        }
      }
      return left
    })
    if (after !== now) plan.files.push({ path: file.path, now, before: after, after })
  }
  const entries = record.entries.filter(
    (entry) =>
      entry.client !== client.name ||
      !isMeant(entry.key) ||
      kept.some(({ file, at }) => file === entry.file && isSameEntry(at, entry.at)),
  )
  const isUsed = ({ name }: McpToken) => entries.some((entry) => entry.name === name)
  return {
    ...plan,
    record: { version: 1, entries, tokens: record.tokens.filter(isUsed) },
    unused: record.tokens.filter((token) => !isUsed(token)),
  }
}

/**
 * The entries go first: a token is of no use without them, but not the other way. Running clients write such files often: what was shown
 * counts as long as the same entries are ours.
 */
export function disconnectMcp(
  shown: PlannedUnwrapping,
  planAgain: () => PlannedUnwrapping,
  environment: McpPlace['environment'],
): void {
  const isFresh = shown.files.every(({ path, now }) => readOthers(path) === now)
  const plan = isFresh ? shown : planAgain()
  if (JSON.stringify(plan.unwrapped) !== JSON.stringify(shown.unwrapped))
    throw new BanksmanError('facts_changed', 'the files have changed meanwhile; run this again')
  for (const file of plan.files) writePlanned(file)
  writeMcpRecord(environment, plan.record)
  for (const { name } of plan.unused) rmSync(mcpTokenFile(environment, name), { force: true })
}
