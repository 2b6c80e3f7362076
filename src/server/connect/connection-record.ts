/**
 * What `banksman connect` has done for one agent, so that `disconnect` can undo it and `doctor` can look after it. It has the text that
 * each file had before us, so only its owner can read it, and no call may (P11).
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type AgentSetup, GATE_MODES, type HookWiring } from '../../coding-agents/setup/agent-setup.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { personalFolder } from '../configuration/trust.ts'
import { MAX_GROWN_BYTES, readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'

const SCHEMA = z.strictObject({
  version: z.literal(1),
  agent: z.string(),
  agentVersion: z.string(),
  /** The program that was found. */
  program: z.string(),
  mode: z.enum(GATE_MODES),
  server: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('socket'), path: z.string() }),
    z.strictObject({ kind: z.literal('url'), url: z.string() }),
  ]),
  /** Where the agent sends events itself. */
  url: z.string().exactOptional(),
  /** The id of its token, and where it was made. */
  token: z.string(),
  data: z.string().exactOptional(),
  at: z.string(),
  /** The digest of the script. */
  script: z.string(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** Null: there was no file. */
      before: z.string().nullable(),
      /** The digest of what we wrote. */
      after: z.string(),
    }),
  ),
  /** Folders that were made for them, the innermost first. */
  folders: z.array(z.string()).default([]),
  /** What the agent was told to trust. */
  trusted: z.array(z.strictObject({ key: z.string(), hash: z.string(), isTrusted: z.boolean() })),
})

export type ConnectionRecord = z.infer<typeof SCHEMA>

export interface ConnectionFiles {
  script: string
  token: string
  record: string
}

export function connectionFiles(environment: Environment, agent: string): ConnectionFiles {
  const folder = personalFolder(environment)
  return {
    script: join(folder, 'hooks', agent),
    token: join(folder, 'hooks', `${agent}.token`),
    record: join(folder, 'connections', `${agent}.json`),
  }
}

/** Undefined: it is not connected. */
export function readConnection(environment: Environment, agent: string): ConnectionRecord | undefined {
  const path = connectionFiles(environment, agent).record
  const text = readIfThere(path, MAX_GROWN_BYTES)
  if (text === undefined) return undefined
  try {
    return SCHEMA.parse(parseJson(text))
  } catch (cause) {
    throw new BanksmanError(
      'invalid',
      `${path} can't be read: it should be as \`banksman connect\` wrote it. Remove Banksman's hooks from ${agent} by hand, then delete this file`,
      {},
      { cause },
    )
  }
}

export function writeConnection(environment: Environment, record: ConnectionRecord): void {
  const { record: path } = connectionFiles(environment, record.agent)
  putFile(path, `${JSON.stringify(record, null, 2)}\n`)
}

export function forgetConnection(environment: Environment, agent: string): void {
  const { script, token, record } = connectionFiles(environment, agent)
  for (const path of [script, token, record]) rmSync(path, { force: true })
}

/** As it was when the agent was connected. */
export function wiringOf(
  { agent, agentVersion: version, mode, server, url }: ConnectionRecord,
  environment: Environment,
  setup: AgentSetup,
): HookWiring {
  const { script, token: tokenFile } = connectionFiles(environment, agent)
  const secret = tokenIn(readIfThere(tokenFile) ?? '')
  const http = url === undefined || setup.sendsEvents === undefined ? undefined : { url, token: secret }
  return { mode, script, tokenFile, server, version, ...defined({ http }) }
}

/** The file is a header for curl, which reads it as it is. */
export function tokenFileText(secret: string): string {
  return `Authorization: Bearer ${secret}\n`
}

function tokenIn(text: string): string {
  return text.replace(/^Authorization: Bearer /, '').trim()
}
