/**
 * Puts Banksman in front of a coding agent: a token of its own, the script, the entries in the agent's files, trust where it wants some,
 * and a probe that must arrive at the server. If anything of it fails, everything is as it was before, and an older connection goes on.
 */
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { findCodingAgent } from '../../coding-agents/agents.ts'
import type { AgentPlace, AgentSetup, HookWiring, SetupFile } from '../../coding-agents/setup/agent-setup.ts'
import { hookScript } from '../../coding-agents/setup/hook-script.ts'
import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import type { AgentTools, HookLists } from './agent-tools.ts'
import {
  type ConnectionRecord,
  connectionFiles,
  forgetConnection,
  readConnection,
  tokenFileText,
  writeConnection,
} from './connection-record.ts'
import { planDisconnection } from './disconnect-agent.ts'
import type { InstalledAgent } from './find-agent.ts'
import {
  missingFolders,
  type PlannedFile,
  planAdding,
  removeEmptyFolders,
  takeBack,
  writePlanned,
} from './planned-file.ts'
import { checkPlace, isSamePath, recordedFolder } from './recorded-place.ts'

export interface WantedConnection {
  setup: AgentSetup
  place: AgentPlace
  found: InstalledAgent
  mode: HookWiring['mode']
  server: HookWiring['server']
  /** For an agent that sends events itself. */
  url?: string
  data?: string
  sender: Parameters<typeof hookScript>[0]['sender']
}

/** What is asked of the server. */
export interface HookTokens {
  create(scope: string): Promise<{ id: string; secret: string }>
  revoke(id: string): Promise<void>
  /** The session that the token's last hook event was of. */
  lastSession(id: string): Promise<string | undefined>
}

/** Stands for the token where people look. */
const HIDDEN_TOKEN = '(its own token)'

/** What would be written, to be shown. */
export function planConnection(wanted: WantedConnection): PlannedFile[] {
  const earlier = readConnection(wanted.place.environment, wanted.setup.name)
  const files = filesFor(wanted, HIDDEN_TOKEN).map((file) => planAdding(file, earlier))
  return [...planMoving(wanted, earlier), ...files]
}

/** What is taken out of the files of an earlier connection whose settings were elsewhere: one connection has one record. */
function planMoving(
  { setup, place }: WantedConnection,
  earlier: ConnectionRecord | undefined,
): PlannedFile[] {
  checkPlace(setup, place)
  if (earlier === undefined) return []
  const isMoved = !isSamePath(recordedFolder(setup, place, earlier), setup.folder(place))
  return isMoved ? planDisconnection(setup, place, earlier) : []
}

/** Where the agent is told to trust what was written. That is known only once it has listed it. */
export function trustFileOf(wanted: WantedConnection): string | undefined {
  const wiring = wiringFor(wanted, HIDDEN_TOKEN)
  return wanted.setup.trust?.(wanted.place, { wiring, ours: [] }).path
}

export async function connectAgent(
  wanted: WantedConnection,
  tokens: HookTokens,
  tools: AgentTools,
): Promise<ConnectionRecord> {
  const { setup, place, found, mode, server, url, data } = wanted
  const { environment } = place
  const earlier = readConnection(environment, setup.name)
  const moved = planMoving(wanted, earlier)
  const { id, secret } = await tokens.create(`hooks:${setup.name}`)
  let lists: HookLists | undefined
  const undo: PlannedFile[] = []
  let folders: string[] = []
  try {
    const wiring = wiringFor(wanted, secret)
    const own = ownFiles(wanted, secret)
    // It takes a while to start.
    const listed = { setup, place, program: found.program, wiring, folder: dirname(wiring.script) }
    lists = tools.openHooks?.(listed)
    const files = filesFor(wanted, secret).map((file) => planAdding(file, earlier))
    folders = missingFolders(files)
    const record: ConnectionRecord = {
      version: 1,
      agent: setup.name,
      agentVersion: found.version,
      program: found.program,
      mode,
      server,
      token: id,
      at: new Date().toISOString(),
      script: digestOf(own[1].after),
      files: files.map(written),
      folders: [...folders, ...(earlier?.folders ?? [])],
      trusted: [],
      ...defined({ url, data }),
    }
    for (const file of own) {
      undo.push(file)
      // Whoever could change it before can't any longer.
      putFile(file.path, file.after, file.mode)
    }
    // Before the agent's own files: whoever is killed in between can take it all back.
    writeConnection(environment, record)
    for (const file of [...moved, ...files]) apply(file)
    const hooks = (await lists?.list())?.ours ?? []
    if (setup.trust !== undefined) {
      const trusted = { wiring, ours: hooks, earlier: earlier?.trusted ?? [], changes: files }
      const file = planAdding(setup.trust(place, trusted), earlier)
      record.trusted = [...hooks]
      record.files.push(written(file))
      writeConnection(environment, record)
      apply(file)
      const again = (await lists?.list())?.ours ?? []
      if (again.length < hooks.length || !again.every(({ isTrusted }) => isTrusted))
        throw new BanksmanError('invalid', `${setup.title} doesn't trust the hooks although it was told to`)
    }
    await tools.prove(wanted, wiring, (session) => arrived(tokens, id, session))
    if (earlier !== undefined) await tokens.revoke(earlier.token).catch(() => {})
    if (moved.length > 0) removeEmptyFolders(earlier?.folders ?? [])
    return record
  } catch (error) {
    const left = takeAllBack(undo.reverse())
    removeEmptyFolders(folders)
    if (earlier !== undefined) writeConnection(environment, earlier)
    // With what is left, it can still be disconnected.
    else if (left.length === 0) forgetConnection(environment, setup.name)
    await tokens.revoke(id).catch(() => {})
    if (left.length === 0) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new BanksmanError(
      'invalid',
      `${why}. Not everything could be put back: ${left.join('; ')}. Mend that, then run: banksman disconnect ${setup.name}`,
      {},
      { cause: error },
    )
  } finally {
    await lists?.close()
  }

  function apply(file: PlannedFile): void {
    undo.push(file)
    writePlanned(file)
  }
}

/** What couldn't be, with the reason. */
function takeAllBack(files: readonly PlannedFile[]): string[] {
  return files.flatMap((file) => {
    try {
      takeBack(file)
      return []
    } catch (error) {
      return [`${file.path} (${(error as Error).message})`]
    }
  })
}

async function arrived(tokens: HookTokens, id: string, session: string): Promise<boolean> {
  return (await tokens.lastSession(id)) === session
}

function written({ path, before, after }: PlannedFile): ConnectionRecord['files'][number] {
  return { path, before: before ?? null, after: digestOf(after ?? '') }
}

function filesFor(wanted: WantedConnection, secret: string): SetupFile[] {
  return wanted.setup.files(wanted.place, wiringFor(wanted, secret))
}

function wiringFor({ setup, place, found, mode, server, url }: WantedConnection, secret: string): HookWiring {
  const { script, token: tokenFile } = connectionFiles(place.environment, setup.name)
  const http = url === undefined ? undefined : { url, token: secret }
  return { mode, script, tokenFile, server, version: found.version, ...defined({ http }) }
}

type OwnFile = PlannedFile & { after: string; mode: number }

function ownFiles(wanted: WantedConnection, secret: string): [token: OwnFile, script: OwnFile] {
  const { setup, place, server, sender } = wanted
  const { script, token } = connectionFiles(place.environment, setup.name)
  const folder = dirname(script)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const text = hookScript({
    agent: setup.name,
    title: setup.title,
    server,
    tokenFile: token,
    sender,
    timeoutMs: findCodingAgent(setup.name)!.hookTimeoutMs,
  })
  const own = (path: string, after: string, mode: number) => {
    const now = readIfThere(path)
    return { path, now, before: now, after, mode }
  }
  return [own(token, tokenFileText(secret), 0o600), own(script, text, 0o700)]
}
