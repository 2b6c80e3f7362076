/** What `doctor` looks at, each by itself: one that can't be looked at is a finding and does not hide the others. */

import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import { changedAtNextStart, describeNextStart } from '../../server/configuration/configuration-changes.ts'
import {
  type ConfigurationSource,
  createConfigurationSource,
} from '../../server/configuration/configuration-source.ts'
import { trustFolder } from '../../server/configuration/trust.ts'
import type { LookUpToken } from '../../server/connect/inspect-connection.ts'
import type { IsTokenKnown } from '../../server/connect/mcp/inspect-mcp.ts'
import { userName } from '../../server/host/user-name.ts'
import type { DataFolder, ServerFile } from '../../server/installation/data-folder.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import { checkKnownFolder } from '../../server/installation/known-folder.ts'
import { inspectProxy } from './inspect-proxy.ts'
import { inspectStore } from './inspect-store.ts'

export interface InspectedInstallation {
  folder: DataFolder
  configuration: string
  environment: Readonly<Record<string, string | undefined>>
  cwd: string
  /** What servers say of tokens. */
  tokens(): Promise<{ lookUp: LookUpToken; isKnown: IsTokenKnown }>
}

type InspectionResult = Finding | Finding[] | undefined
type InstallationCheck = (installation: InspectedInstallation) => InspectionResult | Promise<InspectionResult>

export async function inspectInstallation(installation: InspectedInstallation): Promise<Finding[]> {
  const findings: Finding[] = []
  const isReadable = hasReadableConfiguration(installation)
  for (const [about, look] of Object.entries(INSPECTIONS)) {
    if (!isReadable && FROM_CONFIGURATION.includes(about)) {
      findings.push(findingsAbout(about).warning('not checked, because the configuration has a mistake'))
      continue
    }
    try {
      const found = await look(installation)
      if (found !== undefined) findings.push(...[found].flat())
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      findings.push(findingsAbout(about).problem(detail))
    }
  }
  return findings
}

/** What can be looked at only where the configuration says. Its mistake is told once, by `configuration`. */
const FROM_CONFIGURATION = ['store', 'proxy', 'chats', 'coding sessions']

function hasReadableConfiguration(installation: InspectedInstallation): boolean {
  try {
    sourceOf(installation)
    return true
  } catch {
    return false
  }
}

const INSPECTIONS: Readonly<Record<string, InstallationCheck>> = {
  Node: () => findingsAbout('Node').ok(process.version),
  'data folder': inspectFolder,
  'file modes': inspectModes,
  store: (installation) => {
    const { folder } = installation
    // Before the first start there is no folder, and a store elsewhere can be looked at all the same.
    return isOurs(folder) || !existsSync(folder.path) ? inspectStore(installation) : undefined
  },
  configuration: inspectConfiguration,
  proxy: (installation) => inspectProxy(sourceOf(installation).current(), runningOn(installation.folder)),
  chats: async (installation) => {
    // What a service is talked to with is loaded only where one is configured.
    const { channels, people } = sourceOf(installation).current()
    if (channels.every(({ chat }) => chat === undefined)) return undefined
    const { inspectChats } = await import('../../server/chat-setup/inspect-chats.ts')
    const { folder, environment } = installation
    return inspectChats({
      configuration: { channels, people },
      folder,
      environment,
      hasServer: runningOn(folder) !== undefined,
    })
  },
  'coding sessions': async (installation) => {
    const configuration = sourceOf(installation).current()
    if (configuration.talk.secretary === undefined) return undefined
    const { inspectSecretary } = await import('../../server/secretary/inspect-secretary.ts')
    const { folder, environment } = installation
    const ownFolders = [folder.path, trustFolder(environment)]
    return inspectSecretary({ configuration, ownFolders, environment })
  },
  'coding agents': async ({ environment, cwd, tokens }) => {
    const { inspectConnections } = await import('../../server/connect/inspect-connection.ts')
    return inspectConnections(environment, cwd, (await tokens()).lookUp)
  },
  'MCP servers': async ({ environment, cwd, tokens }) => {
    const { inspectMcp } = await import('../../server/connect/mcp/inspect-mcp.ts')
    return inspectMcp(environment, cwd, (await tokens()).isKnown).findings
  },
  'trust folder': inspectTrustFolder,
  server: inspectServer,
  'agent’s user': inspectUser,
  disk: inspectDisk,
  'machine’s clock': inspectClock,
}

const OTHERS = 0o077
const WRITE_OF_OTHERS = 0o022
/** Requests go on being written until there is none left; below this it is time to look. */
const LITTLE_SPACE_BYTES = 200 * 1024 * 1024
const NO_SPACE_BYTES = 10 * 1024 * 1024
/** Clocks of one machine and its disks differ by less. */
const CLOCK_SLACK_MS = 60_000
const HEALTH_WITHIN_MS = 5000

function inspectFolder({ folder, environment }: InspectedInstallation): Finding {
  const { ok, warning, problem } = findingsAbout('data folder')
  if (!existsSync(folder.path)) {
    return warning(
      `there is no ${folder.path} yet`,
      '`banksman start` creates it; or name another with --data',
    )
  }
  const { mode, uid } = statSync(folder.path)
  if (process.getuid !== undefined && uid !== process.getuid()) {
    return ok(`${folder.path} belongs to another user (uid ${uid})`)
  }
  accessSync(folder.path, constants.R_OK | constants.W_OK | constants.X_OK)
  if (hasModes() && (mode & OTHERS) !== 0) {
    return problem(`others can enter ${folder.path}`, `run: chmod 700 ${folder.path}`)
  }
  try {
    checkKnownFolder(folder, environment)
  } catch (error) {
    return problem(messageOf(error), 'the next start is refused until that is mended')
  }
  return ok(`only you can enter ${folder.path}`)
}

function inspectModes({ folder }: InspectedInstallation): Finding | undefined {
  const { ok, warning } = findingsAbout('file modes')
  if (!hasModes() || !isOurs(folder)) return undefined
  const open = readdirSync(folder.path)
    .filter((name) => name !== '.gitignore')
    .map((name) => join(folder.path, name))
    .filter((file) => (statSync(file).mode & OTHERS) !== 0)
  // The folder keeps others out as long as it is closed; a key that is copied along with its mode is not kept in.
  const secrets = open.filter(
    (file) => /(-key|\.pem|-token|\.db|\.db-wal|\.ndjson)$/.test(file) && !file.endsWith('lock.db'),
  )
  if (secrets.length === 0) return ok('only you can read keys, tokens and the store')
  return warning(`others could read ${secrets.join(', ')}`, `run: chmod 600 ${secrets.join(' ')}`)
}

/** Where the file names no owner, it is who the server was started by, whoever looks. */
function sourceOf({ configuration, environment, folder }: InspectedInstallation): ConfigurationSource {
  return createConfigurationSource({
    file: configuration,
    trustFolder: trustFolder(environment),
    defaultOwner: runningOn(folder)?.owner ?? userName(),
  })
}

async function inspectConfiguration(installation: InspectedInstallation): Promise<Finding> {
  const { ok, warning } = findingsAbout('configuration')
  const { configuration } = installation
  const source = sourceOf(installation)
  const status = source.status()
  const isDemonstration = runningOn(installation.folder)?.demonstration !== undefined
  if (status.kind === 'absent') {
    return ok(
      `there is no ${configuration}: ${isDemonstration ? "the demonstration's policy is in force" : 'every call needs approval'}`,
    )
  }
  if (status.kind === 'gone') {
    return warning(
      `${configuration} is gone: the text that was trusted last stays in force`,
      `put it back, or run: banksman trust --forget ${configuration}`,
    )
  }
  if (status.kind === 'untrusted') {
    const inForce = isDemonstration
      ? "the demonstration's policy is in force"
      : status.holding === 'built_in'
        ? 'every call needs approval'
        : 'the text that was trusted last is in force'
    const mistake = await source.untrusted()?.mistake()
    if (mistake !== undefined) return warning(`${mistake}. Meanwhile ${inForce}`, `correct ${configuration}`)
    return warning(
      `${configuration} isn't trusted: ${inForce}`,
      `check it and run: banksman trust ${configuration}`,
    )
  }
  const later = changedAtNextStart(runningOn(installation.folder)?.startedWith ?? {}, source.current())
  if (later.length > 0) {
    return warning(
      `${configuration} is trusted; ${describeNextStart(later)}`,
      'stop the server and start it again',
    )
  }
  return ok(`${configuration} is trusted`)
}

function inspectTrustFolder({ environment }: InspectedInstallation): Finding | undefined {
  const { ok, problem } = findingsAbout('trust folder')
  const folder = trustFolder(environment)
  if (!existsSync(folder) || !hasModes()) return undefined
  if ((statSync(folder).mode & WRITE_OF_OTHERS) === 0) return ok(`only you can write to ${folder}`)
  return problem(
    `others can write to ${folder}, and so decide which configuration is trusted`,
    `run: chmod 700 ${folder}`,
  )
}

async function inspectServer({ folder }: InspectedInstallation): Promise<Finding | undefined> {
  const { ok, warning, problem } = findingsAbout('server')
  if (!isOurs(folder)) return undefined
  const server = findRunningServer(folder)
  if (server === undefined) {
    return warning('none is running on this data folder', 'start one with: banksman start')
  }
  const response = await fetch(`${server.url}/healthz`, {
    signal: AbortSignal.timeout(HEALTH_WITHIN_MS),
  }).catch((cause) => {
    throw new Error(
      `process ${server.pid} uses the data folder, but ${server.url} doesn't answer (${(cause as Error).message})`,
    )
  })
  const { status, version } = (await response.json()) as { status?: unknown; version?: unknown }
  if (!response.ok || status !== 'ok') return problem(`${server.url} answered ${response.status}`)
  return ok(`${server.url} is up (version ${String(version)}, process ${server.pid})`)
}

/** Nobody can see from here which user an agent runs as; but whoever runs this can read what the server's user can. */
function inspectUser({ folder }: InspectedInstallation): Finding | undefined {
  const { ok, warning } = findingsAbout('agent’s user')
  if (process.getuid === undefined || !existsSync(folder.path)) return undefined
  if (!isOurs(folder)) return ok('you are not the server’s user: agents that run as you can’t touch its data')
  return warning(
    `you are the server’s own user (${userName()}), and so is every agent that runs as you: code that an agent runs can read the data folder and approve itself`,
    'if an agent may run arbitrary commands, run the server as a separate user; see docs/threat-model.md',
  )
}

function inspectDisk({ folder }: InspectedInstallation): Finding | undefined {
  const { ok, warning, problem } = findingsAbout('disk')
  if (!existsSync(folder.path)) return undefined
  const { bavail, bsize } = statfsSync(folder.path)
  const free = bavail * bsize
  const detail = `${Math.floor(free / (1024 * 1024))} MB are free`
  const advice = 'free some space: when the disk is full nothing can be decided, and every call is refused'
  if (free < NO_SPACE_BYTES) return problem(detail, advice)
  return free < LITTLE_SPACE_BYTES ? warning(detail, advice) : ok(detail)
}

/** Deadlines are compared with this clock: one that was set back lets requests wait longer than they should. */
function inspectClock({ folder }: InspectedInstallation): Finding | undefined {
  const { ok, warning } = findingsAbout('machine’s clock')
  if (!isOurs(folder)) return undefined
  const newest = Math.max(
    ...readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).mtimeMs),
    0,
  )
  if (newest <= Date.now() + CLOCK_SLACK_MS) return ok(new Date().toISOString())
  return warning(
    `it is ${new Date().toISOString()}, but the data folder was written at ${new Date(newest).toISOString()}: the clock was set back`,
    'correct the clock; deadlines and the expiry of tokens depend on it',
  )
}

function isOurs({ path }: DataFolder): boolean {
  if (!existsSync(path)) return false
  return process.getuid === undefined || statSync(path).uid === process.getuid()
}

function runningOn(folder: DataFolder): ServerFile | undefined {
  return isOurs(folder) ? findRunningServer(folder) : undefined
}

function hasModes(): boolean {
  return process.platform !== 'win32'
}
