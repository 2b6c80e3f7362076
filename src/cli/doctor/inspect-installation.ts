/** What `doctor` looks at, each by itself: one that can't be looked at is a finding and does not hide the others. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { changedAtNextStart, describeNextStart } from '../../server/configuration/configuration-changes.ts'
import {
  type ConfigurationSource,
  createConfigurationSource,
} from '../../server/configuration/configuration-source.ts'
import { trustFolder } from '../../server/configuration/trust.ts'
import { userName } from '../../server/host/user-name.ts'
import type { DataFolder, ServerFile } from '../../server/installation/data-folder.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import { inspectProxy } from './inspect-proxy.ts'
import { inspectStore } from './inspect-store.ts'

export interface InspectionFinding {
  kind: 'ok' | 'warning' | 'problem'
  /** What was looked at. */
  about: string
  detail: string
  /** What to do. */
  advice?: string
}

export interface InspectedInstallation {
  folder: DataFolder
  configuration: string
  environment: Readonly<Record<string, string | undefined>>
  cwd: string
}

type InspectionResult = InspectionFinding | InspectionFinding[] | undefined
type InstallationCheck = (installation: InspectedInstallation) => InspectionResult | Promise<InspectionResult>

export async function inspectInstallation(installation: InspectedInstallation): Promise<InspectionFinding[]> {
  const findings: InspectionFinding[] = []
  for (const [about, look] of Object.entries(INSPECTIONS)) {
    try {
      const found = await look(installation)
      if (found !== undefined) findings.push(...[found].flat())
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      findings.push({ kind: 'problem', about, detail })
    }
  }
  return findings
}

const INSPECTIONS: Readonly<Record<string, InstallationCheck>> = {
  Node: () => ({ kind: 'ok', about: 'Node', detail: process.version }),
  'data folder': inspectFolder,
  'file modes': inspectModes,
  store: (installation) => {
    const { folder } = installation
    // Before the first start there is no folder, and a store elsewhere can be looked at all the same.
    return isOurs(folder) || !existsSync(folder.path) ? inspectStore(installation) : undefined
  },
  configuration: inspectConfiguration,
  proxy: (installation) => inspectProxy(sourceOf(installation).current(), runningOn(installation.folder)),
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

function inspectFolder({ folder }: InspectedInstallation): InspectionFinding {
  const about = 'data folder'
  if (!existsSync(folder.path)) {
    return {
      kind: 'warning',
      about,
      detail: `there is no ${folder.path} yet`,
      advice: '`banksman start` makes it; or name another with --data',
    }
  }
  const { mode, uid } = statSync(folder.path)
  if (process.getuid !== undefined && uid !== process.getuid()) {
    return { kind: 'ok', about, detail: `${folder.path} belongs to another user (uid ${uid})` }
  }
  accessSync(folder.path, constants.R_OK | constants.W_OK | constants.X_OK)
  if (hasModes() && (mode & OTHERS) !== 0) {
    return {
      kind: 'problem',
      about,
      detail: `others can enter ${folder.path}`,
      advice: `run: chmod 700 ${folder.path}`,
    }
  }
  return { kind: 'ok', about, detail: `${folder.path} is yours alone` }
}

function inspectModes({ folder }: InspectedInstallation): InspectionFinding | undefined {
  const about = 'file modes'
  if (!hasModes() || !isOurs(folder)) return undefined
  const open = readdirSync(folder.path)
    .filter((name) => name !== '.gitignore')
    .map((name) => join(folder.path, name))
    .filter((file) => (statSync(file).mode & OTHERS) !== 0)
  // The folder keeps others out as long as it is closed; a key that is copied along with its mode is not kept in.
  const secrets = open.filter(
    (file) => /(-key|\.pem|-token|\.db|\.db-wal|\.ndjson)$/.test(file) && !file.endsWith('lock.db'),
  )
  if (secrets.length === 0)
    return { kind: 'ok', about, detail: 'keys, tokens and the store are readable for you alone' }
  return {
    kind: 'warning',
    about,
    detail: `others could read ${secrets.join(', ')}`,
    advice: `run: chmod 600 ${secrets.join(' ')}`,
  }
}

/** Where the file names no owner, it is who the server was started by, whoever looks. */
function sourceOf({ configuration, environment, folder }: InspectedInstallation): ConfigurationSource {
  return createConfigurationSource({
    file: configuration,
    trustFolder: trustFolder(environment),
    defaultOwner: runningOn(folder)?.owner ?? userName(),
  })
}

function inspectConfiguration(installation: InspectedInstallation): InspectionFinding {
  const about = 'configuration'
  const { configuration } = installation
  const source = sourceOf(installation)
  const status = source.status()
  if (status.kind === 'absent')
    return { kind: 'ok', about, detail: `there is no ${configuration}: every call is asked` }
  if (status.kind === 'gone') {
    return {
      kind: 'warning',
      about,
      detail: `${configuration} is gone: the text that was trusted last goes on holding`,
      advice: `put it back, or run: banksman trust --forget ${configuration}`,
    }
  }
  if (status.kind === 'untrusted') {
    const holds =
      status.holding === 'built_in' ? 'every call is asked' : 'the text that was trusted last holds'
    return {
      kind: 'warning',
      about,
      detail: `${configuration} is not trusted as it is: ${holds}`,
      advice: `look at it and run: banksman trust ${configuration}`,
    }
  }
  const later = changedAtNextStart(runningOn(installation.folder)?.startedWith ?? {}, source.current())
  if (later.length > 0) {
    return {
      kind: 'warning',
      about,
      detail: `${configuration} is trusted; ${describeNextStart(later)}`,
      advice: 'stop the server and start it again',
    }
  }
  return { kind: 'ok', about, detail: `${configuration} is trusted` }
}

function inspectTrustFolder({ environment }: InspectedInstallation): InspectionFinding | undefined {
  const about = 'trust folder'
  const folder = trustFolder(environment)
  if (!existsSync(folder) || !hasModes()) return undefined
  if ((statSync(folder).mode & WRITE_OF_OTHERS) === 0)
    return { kind: 'ok', about, detail: `only you can write ${folder}` }
  return {
    kind: 'problem',
    about,
    detail: `others can write ${folder}, and so say which configuration is trusted`,
    advice: `run: chmod 700 ${folder}`,
  }
}

async function inspectServer({ folder }: InspectedInstallation): Promise<InspectionFinding | undefined> {
  const about = 'server'
  if (!isOurs(folder)) return undefined
  const server = findRunningServer(folder)
  if (server === undefined) {
    return {
      kind: 'warning',
      about,
      detail: 'none is running on this data folder',
      advice: 'start one with: banksman start',
    }
  }
  const response = await fetch(`${server.url}/healthz`, {
    signal: AbortSignal.timeout(HEALTH_WITHIN_MS),
  }).catch((cause) => {
    throw new Error(
      `process ${server.pid} holds the data folder, but ${server.url} does not answer (${(cause as Error).message})`,
    )
  })
  const { status, version } = (await response.json()) as { status?: unknown; version?: unknown }
  if (!response.ok || status !== 'ok')
    return { kind: 'problem', about, detail: `${server.url} answered ${response.status}` }
  return {
    kind: 'ok',
    about,
    detail: `${server.url} is up (version ${String(version)}, process ${server.pid})`,
  }
}

/** Nobody can see from here which user an agent runs as; but whoever runs this can read what the server's user can. */
function inspectUser({ folder }: InspectedInstallation): InspectionFinding | undefined {
  const about = 'agent’s user'
  if (process.getuid === undefined || !existsSync(folder.path)) return undefined
  if (!isOurs(folder))
    return {
      kind: 'ok',
      about,
      detail: 'you are not the server’s user: agents that run as you can’t touch its data',
    }
  return {
    kind: 'warning',
    about,
    detail: `you are the server’s own user (${userName()}), and so is every agent that runs as you: code that an agent runs can read the data folder and approve itself`,
    advice:
      'where an agent may run arbitrary commands, run the server as a user of its own; see docs/threat-model.md',
  }
}

function inspectDisk({ folder }: InspectedInstallation): InspectionFinding | undefined {
  const about = 'disk'
  if (!existsSync(folder.path)) return undefined
  const { bavail, bsize } = statfsSync(folder.path)
  const free = bavail * bsize
  const detail = `${Math.floor(free / (1024 * 1024))} MB are free`
  const advice = 'free some space: when the disk is full nothing can be decided, and every call is refused'
  if (free < NO_SPACE_BYTES) return { kind: 'problem', about, detail, advice }
  return free < LITTLE_SPACE_BYTES
    ? { kind: 'warning', about, detail, advice }
    : { kind: 'ok', about, detail }
}

/** Deadlines are compared with this clock: one that was set back lets requests wait longer than they should. */
function inspectClock({ folder }: InspectedInstallation): InspectionFinding | undefined {
  const about = 'machine’s clock'
  if (!isOurs(folder)) return undefined
  const newest = Math.max(
    ...readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).mtimeMs),
    0,
  )
  if (newest <= Date.now() + CLOCK_SLACK_MS) return { kind: 'ok', about, detail: new Date().toISOString() }
  return {
    kind: 'warning',
    about,
    detail: `it is ${new Date().toISOString()}, but the data folder was written at ${new Date(newest).toISOString()}: the clock was set back`,
    advice: 'set the clock right; deadlines and expiry of tokens are compared with it',
  }
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
