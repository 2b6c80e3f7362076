/**
 * Puts the proxy in front of MCP servers in a client's own files: a token for each name, the entries, and a look at each server's tools through
 * the proxy. If anything of it fails, everything is as it was before.
 */
import { rmSync } from 'node:fs'
import { unwrapServer } from '../../../coding-agents/mcp-clients/wrap-server.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { MAX_GROWN_BYTES, readIfThere } from '../../host/read-file.ts'
import { putFile, replaceFile } from '../../host/replace-file.ts'
import { tokenFileText } from '../connection-record.ts'
import { type PlannedFile, writePlanned } from '../planned-file.ts'
import { isSameEntry, type McpRecord, mcpTokenFile, readMcpRecord, writeMcpRecord } from './mcp-record.ts'
import {
  filesOf,
  isSameServer,
  type McpChange,
  type PlannedMcp,
  planMcp,
  serverAt,
  type WantedMcp,
} from './plan-mcp.ts'
import type { ProbedServer } from './probe-mcp.ts'

export interface McpConnecting {
  tokens: ProxyTokens
  probe(change: McpChange): Promise<ProbedServer>
  /** Whether it stays although not every server answered. Says why they didn't. */
  keep(failed: readonly ProbedServer[]): Promise<boolean>
}

/** What is asked of the server. */
export interface ProxyTokens {
  create(name: string): Promise<{ id: string; secret: string }>
  isValid(id: string): Promise<boolean>
  revoke(id: string): Promise<void>
}

type UndoStep = () => void | Promise<void>

export async function connectMcp(
  wanted: WantedMcp,
  shown: PlannedMcp,
  { tokens, probe, keep }: McpConnecting,
): Promise<ProbedServer[]> {
  const { environment } = wanted.place
  const earlier = readMcpRecord(environment)
  const record: McpRecord = {
    version: 1,
    entries: [
      ...earlier.entries.filter((entry) => !shown.changes.some((change) => isSamePlace(change, entry))),
      ...shown.changes.map(({ now: _, server: __, ...entry }) => entry),
    ],
    tokens: [...earlier.tokens],
  }
  const undo: UndoStep[] = []
  const replaced: string[] = []
  try {
    for (const name of new Set(shown.changes.map((change) => change.name))) await giveToken(name)
    undo.push(() => writeMcpRecord(environment, earlier))
    // Before the client's own files: whoever is killed in between can take it all back.
    writeMcpRecord(environment, record)
    for (const file of shown.files) write(file)
    const probed = await Promise.all(shown.changes.map(probe))
    const failed = probed.filter(({ failure }) => failure !== undefined)
    if (failed.length > 0 && !(await keep(failed))) throw failureOf(failed)
    for (const id of replaced) await tokens.revoke(id).catch(() => {})
    return probed
  } catch (error) {
    await takeAllBack(undo, error)
    throw error
  }

  async function giveToken(name: string): Promise<void> {
    const path = mcpTokenFile(environment, name)
    const before = readIfThere(path)
    const known = record.tokens.find((token) => token.name === name)
    const isOurs = known !== undefined && isSameServer(known.server, wanted.wrapper.server)
    if (isOurs && before !== undefined && (await tokens.isValid(known.id))) return
    const { id, secret } = await tokens.create(name)
    undo.push(() => tokens.revoke(id).catch(() => {}))
    undo.push(() => (before === undefined ? rmSync(path, { force: true }) : putFile(path, before)))
    putFile(path, tokenFileText(secret))
    if (isOurs) replaced.push(known.id)
    record.tokens = [
      ...record.tokens.filter((token) => token !== known),
      { name, id, server: wanted.wrapper.server },
    ]
  }

  /** Running clients write such a file often. It counts only whether what we change in it is as it was shown. */
  function write(file: PlannedFile): void {
    const changes = shown.changes.filter((change) => change.file === file.path)
    let planned = file
    if (readIfThere(file.path, MAX_GROWN_BYTES) !== file.now) {
      const again = planMcp(wanted, earlier)
      const fresh = again.files.find(({ path }) => path === file.path)
      const same = again.changes.filter((change) => change.file === file.path)
      if (fresh === undefined || textOf(same) !== textOf(changes))
        throw new BanksmanError('facts_changed', `${file.path} has changed meanwhile; run this again`)
      planned = fresh
    }
    undo.push(() => takeFileBack(wanted, planned, changes))
    writePlanned(planned)
  }
}

/** What others have written since stays. */
function takeFileBack(
  { client, place }: WantedMcp,
  { path, now, after }: PlannedFile,
  changes: McpChange[],
): void {
  const current = readIfThere(path, MAX_GROWN_BYTES)
  if (current === undefined || now === undefined || current === now) return
  if (current === after) {
    replaceFile(path, now, 0o600)
    return
  }
  const file = filesOf(client, place).find((one) => one.path === path)!
  const left = changes.reduce((text, { at, now: before, after }) => {
    const server = serverAt(file, text, at)
    return unwrapServer(file, text, server, { before, after })
  }, current)
  writePlanned({ path, now: current, before: left, after: left })
}

async function takeAllBack(undo: UndoStep[], because: unknown): Promise<void> {
  const failures: string[] = []
  for (const step of undo.reverse()) {
    try {
      await step()
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  if (failures.length > 0)
    throw new BanksmanError(
      'invalid',
      `${(because as Error).message}. Not everything could be put back: ${failures.join('; ')}. Run \`banksman disconnect\` with --mcp`,
      {},
      { cause: because },
    )
}

/** The reasons were told to whoever was asked whether it stays. */
function failureOf(failed: readonly ProbedServer[]): BanksmanError {
  const keys = [...new Set(failed.map(({ key }) => key))].join(', ')
  return new BanksmanError(
    'invalid',
    `not every server answered through the proxy (${keys} didn't), so all is as it was before`,
    { failed },
  )
}

function textOf(changes: readonly McpChange[]): string {
  return JSON.stringify(changes.map(({ at, now, after }) => ({ at, now, after })))
}

function isSamePlace(one: McpChange, other: McpRecord['entries'][number]): boolean {
  return one.client === other.client && one.file === other.file && isSameEntry(one.at, other.at)
}
