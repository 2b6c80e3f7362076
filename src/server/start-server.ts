/**
 * The server: one gateway on the data folder's database, with the HTTP API and the inbox as its doors, and the work
 * that has to be done now and then behind it.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname, networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Directory } from '../core/authority.ts'
import { createIds } from '../core/ids.ts'
import type { Actor } from '../core/session.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { createHttpApp } from '../http/app.ts'
import { startHttpServer, tryAddress } from '../http/start.ts'
import { createStaticFiles } from '../http/static-files.ts'
import { createChainWriter } from '../journal/index.ts'
import { createInboxChannel } from '../people/inbox/channel.ts'
import type { OwnHouse } from '../policy/index.ts'
import { openSqliteStore } from '../stores/sqlite/store.ts'
import { type Checkpoints, startCheckpoints } from './checkpoints.ts'
import type { Configuration } from './configuration.ts'
import {
  type ConfigurationSource,
  createConfigurationSource,
  describeStatus,
} from './configuration-source.ts'
import { type DataFolder, lockDataFolder, openDataFolder } from './data-folder.ts'
import { directoryOf } from './directory.ts'
import { createFactsGatherer } from './facts.ts'
import { followTokens, leaveAgentToken } from './first-start.ts'
import { type HeldPolicy, holdPolicy } from './held-policy.ts'
import { createHostRandom, hostClock } from './host.ts'
import { createJournalReading } from './journal-reading.ts'
import { createMetrics } from './metrics.ts'
import { userName } from './open-gateway.ts'
import { ownHouseAt } from './own-house.ts'
import { createPolicyPage } from './policy-page.ts'
import { openPush } from './push.ts'
import { openServerAgent, type ServerAgent } from './server-agent.ts'
import { createTalk, type DemonstrationPreset, hookFiles, talkOf } from './talk.ts'
import { traceWithOpenTelemetry } from './tracing.ts'
import { trustFolder } from './trust.ts'
import { VERSION } from './version.ts'
import { createTextReader } from './workspace-files.ts'

export interface ServerOptions {
  host: string
  port: number
  /** The data folder. */
  data: string
  /** The configuration file. It need not exist. */
  configuration: string
  environment: Record<string, string | undefined>
  /** A policy for as long as there is no configuration file: the demonstration's. */
  policy?: object
  /** The agent and its chats for as long as there is no configuration file, and no other model. */
  demonstration?: DemonstrationPreset
  report: (fault: { doing: string; error: unknown }) => void
  /** Told what whoever runs the server wants to know. */
  say: (line: string) => void
}

export interface Server {
  readonly url: string
  readonly gateway: Gateway
  readonly folder: DataFolder
  readonly configuration: ConfigurationSource
  /** Absent where no model is configured. */
  readonly agent: ServerAgent | undefined
  /** The administrator that this process itself is: for what the command that started it does. */
  readonly self: Actor
  /** A new single-use link for the owner. */
  loginLink(): Promise<string>
  close(): Promise<void>
}

/** How soon a person's `banksman trust` takes effect. */
const REFRESH_MS = 2000
const RETENTION_EVERY_MS = 60 * 60_000

export async function startServer(options: ServerOptions): Promise<Server> {
  // A first start that fails for its port leaves nothing behind. Where there is a folder, its lock says more than the port.
  if (!existsSync(options.data)) await tryAddress(options)
  const folder = openDataFolder(options.data)
  const lock = lockDataFolder(folder)
  const undo: (() => void | Promise<void>)[] = [() => lock.release()]
  try {
    return await startLocked(options, folder, undo)
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw error
  }
}

async function startLocked(
  options: ServerOptions,
  folder: DataFolder,
  undo: (() => void | Promise<void>)[],
): Promise<Server> {
  const { environment, report } = options
  const trusted = trustFolder(environment)
  const configuration = createConfigurationSource({
    file: options.configuration,
    trustFolder: trusted,
    defaultOwner: userName(),
  })
  const { kind } = configuration.status()
  // Before anything that could fail because of a text that is no longer in the file.
  if (kind === 'untrusted' || kind === 'gone')
    options.say(describeStatus(configuration.status(), options.configuration))
  const store = openSqliteStore({ path: folder.database })
  undo.push(() => store.close())

  /** Those of the hooks that run now, whatever is trusted later. */
  const runningHookFiles = hookFiles(configuration.current())
  /** The names under which we are called, once the port is known. */
  let hosts = hostsOf(options.host, options.port)
  let held: HeldPolicy = compile()
  let directory: Directory = directoryOf(configuration.current(), await store.tokens.list(), store.now())
  function ownHouse(of: Configuration): OwnHouse {
    return ownHouseAt({
      files: [options.configuration, ...runningHookFiles, ...hookFiles(of)],
      databases: [folder.database],
      folders: [folder.path, trusted],
      addresses: hosts,
    })
  }
  function compile(): HeldPolicy {
    const current = configuration.current()
    const isAbsent = configuration.status().kind === 'absent'
    const { policy: preset, demonstration } = options
    const presetRoots = demonstration === undefined ? undefined : [demonstration.workspace]
    return holdPolicy(current, { ownHouse: ownHouse(current), isAbsent, preset, presetRoots })
  }
  async function refreshDirectory(): Promise<void> {
    directory = directoryOf(configuration.current(), await store.tokens.list(), store.now())
  }

  const talk = createTalk(talkOf(configuration.current(), options), report)
  const push = openPush({
    configuration: configuration.current().push,
    folder,
    store,
    directory: () => directory,
    report,
  })
  const random = createHostRandom()
  const chain = createChainWriter(createIds(hostClock, random)('chn'))
  const metrics = createMetrics()
  const self: Actor = { subject: configuration.current().owner, role: 'admin', via: 'server' }
  const expiresInMs = configuration.current().expiresInMs
  const inner = await createGateway(
    {
      store,
      clock: hostClock,
      random,
      chain,
      policy: () => held.policy,
      directory: () => directory,
      channels: [createInboxChannel(), ...talk.channels, ...push.channels],
      gatherFacts: createFactsGatherer({
        lookups: (call) => held.policy.lookups(call),
        now: store.now,
        home: homedir(),
      }),
      readText: createTextReader(() => {
        const { roots, talk: said } = configuration.current()
        return [...roots, said.agent.workspace, options.demonstration?.workspace]
      }),
      observe: metrics.observe,
      trace: traceWithOpenTelemetry,
      report,
      ...(expiresInMs === undefined ? {} : { settings: { expiresInMs } }),
    },
    self,
  )
  let checkpoints: Checkpoints | undefined
  undo.push(async () => {
    await inner.close()
    // After it, so that the entry that closes the chain is signed too.
    checkpoints?.stop()
  })
  // Before the gateway, which would wait for a push that is on its way.
  undo.push(async () => {
    for (const channel of push.channels) await channel.close?.()
  })
  const gateway = followTokens(inner, refreshDirectory)
  await leaveAgentToken(gateway, folder, self)

  checkpoints = startCheckpoints({
    chain,
    keyFile: folder.signingKey,
    files: () =>
      [folder.checkpoints, configuration.current().checkpointFile].filter((file) => file !== undefined),
    now: store.now,
    report,
  })

  const opened = await openServerAgent({
    gateway,
    configuration: configuration.current(),
    folder: folder.path,
    keepOut: [folder.path, trusted, options.configuration, ...runningHookFiles],
    environment,
    own: () => hosts,
    ...(options.demonstration === undefined ? {} : { demonstration: options.demonstration }),
    report,
    say: options.say,
  })
  if (opened !== undefined) undo.push(() => opened.agent.close())
  else warnWithoutAgent(configuration.current(), options.say)

  const app = createHttpApp({
    gateway,
    ...talk.open(gateway, opened),
    allowedHosts: () => hosts,
    version: VERSION,
    ...createPolicyPage({
      file: resolve(options.configuration),
      trustFolder: trusted,
      defaultOwner: userName(),
      held: () => held,
      hold: (candidate) => holdPolicy(candidate, { ownHouse: ownHouse(candidate), isAbsent: false }),
      note: gateway.notePolicy,
      async follow() {
        followConfiguration()
        await refreshDirectory()
      },
      now: store.now,
    }),
    metrics: async () => metrics.text({ banksman_requests_pending: await store.count('pending') }),
    ...createJournalReading(gateway, folder, checkpoints),
    inbox: createStaticFiles(inboxFolder()),
    ...(push.desk === undefined ? {} : { push: push.desk }),
    report,
  })
  const http = await startHttpServer(app, { host: options.host, port: options.port })
  undo.push(() => http.close())
  hosts = hostsOf(options.host, http.address.port)
  held = compile()
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${http.address.port}`
  writeFileSync(folder.serverFile, JSON.stringify({ url, pid: process.pid, owner: self.subject }), {
    mode: 0o600,
  })
  undo.push(() => rmSync(folder.serverFile, { force: true }))

  /** Has what is trusted now hold; false where it does already. */
  function followConfiguration(): boolean {
    const before = configuration.current()
    if (!configuration.refresh()) return false
    held = compile()
    const status = configuration.status()
    options.say(
      configuration.current().text === undefined
        ? describeStatus(status, options.configuration)
        : holdsFromNow(before, configuration.current()),
    )
    return true
  }
  function notePolicy(): void {
    const { digest } = configuration.current()
    gateway
      .notePolicy({ configuration: digest, trust: configuration.status().kind }, self)
      .catch((error) => report({ doing: 'putting the policy on the record', error }))
  }
  notePolicy()

  const timers = [
    setInterval(() => {
      try {
        // Tokens may have been made or revoked by another process on the same file.
        refreshDirectory().catch((error) => report({ doing: 'reading the tokens', error }))
        if (followConfiguration()) notePolicy()
      } catch (error) {
        report({ doing: 'reading the configuration; the last one holds', error })
      }
    }, REFRESH_MS),
    setInterval(eraseOld, RETENTION_EVERY_MS),
  ]
  for (const timer of timers) timer.unref()
  function eraseOld(): void {
    gateway.history
      .eraseOlderThan(configuration.current().retentionMs)
      .catch((error) => report({ doing: 'erasing old arguments', error }))
    opened?.media
      .eraseOlderThan(configuration.current().retentionMs)
      .catch((error) => report({ doing: 'erasing old media', error }))
  }
  eraseOld()

  await opened?.agent.resume()

  return {
    url,
    gateway,
    agent: opened,
    folder,
    configuration,
    self,
    async loginLink() {
      const owner = configuration.current().owner
      const { secret } = await gateway.tokens.createLogin({ subject: owner, role: 'admin' }, self)
      return `${url}/#login=${secret}`
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      for (const step of undo.splice(0).reverse()) await step()
    },
  }
}

function warnWithoutAgent({ talk }: Configuration, say: (line: string) => void): void {
  const idle = [
    ...(talk.hooks.processes.length > 0 ? ['hooks:'] : []),
    ...(talk.pet === undefined ? [] : ['pet:']),
    ...(talk.reactPlus === undefined ? [] : ['reactPlus:']),
  ]
  if (idle.length === 0) return
  say(
    `${idle.join(', ')} is configured, and there is no agent for it: name a model, as in agent: { model: { provider: anthropic, model: … } }, or set ANTHROPIC_API_KEY or OPENAI_BASE_URL`,
  )
}

/** Rules are followed at once; what runs beside the server is not taken down under those who use it. */
function holdsFromNow(before: Configuration, after: Configuration): string {
  const parts = ['agent', 'hooks', 'pet', 'reactPlus', 'push'] as const
  const runs = ({ talk, push }: Configuration) => ({ ...talk, push })
  const changed = parts.filter(
    (part) => JSON.stringify(runs(before)[part]) !== JSON.stringify(runs(after)[part]),
  )
  if (changed.length === 0) return 'a newly trusted configuration holds from now on'
  const names = changed.map((part) => `${part}:`).join(', ')
  return `the policy of a newly trusted configuration holds from now on; what has changed under ${names} takes effect when the server is started again`
}

/** Every name by which this machine itself calls us; any other Host is a page of someone else's. */
function hostsOf(host: string, port: number): string[] {
  const name = host.includes(':') ? `[${host}]` : host
  const loopback = ['127.0.0.1', 'localhost', '::1'].includes(host)
  const everywhere = ['0.0.0.0', '::'].includes(host)
  const names = loopback ? LOOPBACK_NAMES : everywhere ? [...LOOPBACK_NAMES, ...ownNames()] : [name]
  return names.map((each) => `${each}:${port}`)
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** The addresses and the name of this machine, for a server that listens on all of them. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return [
    hostname(),
    ...addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  ]
}

/** The built web app lies beside the package's own code, whether that runs from `src` or from `dist`. */
function inboxFolder(): string {
  return fileURLToPath(new URL('../../inbox/dist', import.meta.url))
}
