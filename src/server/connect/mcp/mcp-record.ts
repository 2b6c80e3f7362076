/**
 * Which entries of MCP clients `banksman connect --mcp` has wrapped, with each entry as it was before, and the tokens of the proxies. An
 * entry may hold secrets, so only its owner can read this, and no call may (P11).
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { BanksmanError } from '../../../core/errors.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { Environment } from '../../configuration/store-configuration.ts'
import { personalFolder } from '../../configuration/trust.ts'
import { MAX_GROWN_BYTES, readIfThere } from '../../host/read-file.ts'
import { putFile } from '../../host/replace-file.ts'

const ENTRY = z.strictObject({
  client: z.string(),
  file: z.string(),
  /** Where in the file. */
  at: z.array(z.string()),
  key: z.string(),
  /** As policies and the record call the server. */
  name: z.string(),
  /** The folder that it was connected in. */
  project: z.string(),
  /** The entry as it was written before us, and as we wrote it. */
  before: z.string(),
  after: z.string(),
})

const TOKEN = z.strictObject({
  name: z.string(),
  id: z.string(),
  /** The server that made it, and that the proxy asks. */
  server: z.union([z.strictObject({ data: z.string() }), z.strictObject({ url: z.string() })]),
})

const SCHEMA = z.strictObject({
  version: z.literal(1),
  entries: z.array(ENTRY),
  tokens: z.array(TOKEN),
})

export type WrappedEntry = z.infer<typeof ENTRY>
export type McpToken = z.infer<typeof TOKEN>
export type McpRecord = z.infer<typeof SCHEMA>

function recordFile(environment: Environment): string {
  return join(personalFolder(environment), 'connections', 'mcp.json')
}

export function mcpTokenFile(environment: Environment, name: string): string {
  return join(personalFolder(environment), 'mcp', `${name}.token`)
}

export function readMcpRecord(environment: Environment): McpRecord {
  const path = recordFile(environment)
  const text = readIfThere(path, MAX_GROWN_BYTES)
  if (text === undefined) return { version: 1, entries: [], tokens: [] }
  try {
    return SCHEMA.parse(parseJson(text))
  } catch (cause) {
    throw new BanksmanError(
      'invalid',
      `${path} can't be read: it should be as \`banksman connect --mcp\` wrote it. Take \`banksman mcp\` out of the clients' files by hand, then delete this file`,
      {},
      { cause },
    )
  }
}

export function writeMcpRecord(environment: Environment, record: McpRecord): void {
  const path = recordFile(environment)
  if (record.entries.length === 0 && record.tokens.length === 0) {
    rmSync(path, { force: true })
    return
  }
  putFile(path, `${JSON.stringify(record, null, 2)}\n`)
}

/** Of the entry that stands there; otherwise of one that somebody has given another key since. */
export function recordedEntry(
  { entries }: McpRecord,
  client: string,
  place: { file: string; at: readonly string[]; name?: string | undefined },
): WrappedEntry | undefined {
  const own = entries.filter((entry) => entry.client === client && entry.file === place.file)
  return (
    own.find(({ at }) => isSameEntry(at, place.at)) ??
    own.find(({ name }) => place.name !== undefined && name === place.name)
  )
}

export function isSameEntry(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index])
}
