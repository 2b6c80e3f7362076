/**
 * The server: one gateway on the store that is configured, with the HTTP API and the inbox as its doors, and the work
 * that has to be done now and then behind it. Other servers may be on the same store: the truth is there, and what is kept
 * here (keys, the lock, the login of the command line) is this node's own.
 */

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Directory } from '../core/authority.ts'
import { defined } from '../core/defined.ts'
import { createIds } from '../core/ids.ts'
import type { Actor } from '../core/session.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { createHttpApp } from '../http/app.ts'
import { tryAddress } from '../http/connection/start-http-server.ts'
import { createStaticFiles } from '../http/static-files.ts'
import { yieldToRequests } from '../http/to-wire/yield-to-requests.ts'
import { createChainWriter } from '../journal/index.ts'
import { createInboxChannel } from '../people/inbox/channel.ts'
import type { OwnHouse } from '../policy/index.ts'
import { openServerAgent, type ServerAgent } from './agent/open-server-agent.ts'
import { warnWithoutAgent } from './agent/warn-without-agent.ts'
import { startBackgroundWork } from './background/background-work.ts'
import { joinNodes, listNodes, nodeIdOf, nodesToWire } from './background/nodes.ts'
import {
  configuredChats,
  createChatChannels,
  type DemonstrationPreset,
  hookFiles,
} from './channels/chat-channels.ts'
import { openPush } from './channels/open-push.ts'
import { directoryOf } from './composition/directory.ts'
import { gatewaySettings } from './composition/gateway-settings.ts'
import type { Configuration } from './configuration/configuration.ts'
import { describeAppliedChanges, startedWith } from './configuration/configuration-changes.ts'
import {
  type ConfigurationSource,
  createConfigurationSource,
  describeStatus,
} from './configuration/configuration-source.ts'
import { checkOwnAddress, createAddressList, socketsOf } from './configuration/proxy-configuration.ts'
import { trustFolder } from './configuration/trust.ts'
import { createFactsGatherer } from './facts/gather-facts.ts'
import { createTextReader } from './facts/workspace-files.ts'
import { createHostRandom, hostClock } from './host/host.ts'
import { userName } from './host/user-name.ts'
import { refreshDirectoryOnTokenChange, writeAgentToken } from './installation/agent-token.ts'
import { type DataFolder, lockDataFolder, openDataFolder } from './installation/data-folder.ts'
import { openServerStore } from './installation/open-server-store.ts'
import { type Checkpoints, startCheckpoints } from './journal/checkpoints.ts'
import { createJournalReading } from './journal/journal-reading.ts'
import { hostsOf, ownAddresses, publicUrlOf } from './network/own-addresses.ts'
import { startListeners } from './network/start-listeners.ts'
import { compilePolicyInForce, type PolicyInForce } from './policy/policy-in-force.ts'
import { createPolicyPage } from './policy/policy-page.ts'
import { protectedResourcesAt } from './policy/protected-resources.ts'
import { createStoreProbe } from './stores/store-probe.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { openTracing } from './telemetry/tracing.ts'
import { VERSION } from './version.ts'

export interface ServerOptions {
  host: string
  port: number
  /** The data folder. */
  data: string
  /** The configuration file. It need not exist. */
  configuration: string
  environment: Record<string, string | undefined>
  /** Where the store is, with variables in the place of secrets. Absent: as the environment or the configuration says. */
  store?: string
  /** From where a relative file is meant that names the store. */
  cwd?: string
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
  /** Where the store is, in words that hold no secret. */
  readonly store: string
  readonly configuration: ConfigurationSource
  /** Absent where no model is configured. */
  readonly agent: ServerAgent | undefined
  /** The administrator that this process itself is: for what the command that started it does. */
  readonly self: Actor
  /** A new single-use link for the owner. */
  loginLink(): Promise<string>
  close(): Promise<void>
}

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
  const opening = await openServerStore(
    {
      named: options.store,
      environment,
      configuration,
      file: options.configuration,
      folder,
      cwd: options.cwd ?? process.cwd(),
    },
    options,
  )
  undo.push(opening.close)
  const { store } = opening

  /** Those of the hooks that run now, whatever is trusted later. */
  const runningHookFiles = hookFiles(configuration.current())
  const proxyListener = configuration.current().proxy.listen
  checkOwnAddress(proxyListener, options, configuration.current().locate)
  /** The names under which we are called, once the port is known. */
  let hosts = hostsOf(options.host, options.port)
  let held: PolicyInForce = compile()
  let directory: Directory = directoryOf(configuration.current(), await store.tokens.list(), store.now())
  function ownHouse(of: Configuration): OwnHouse {
    return protectedResourcesAt({
      files: [options.configuration, ...runningHookFiles, ...hookFiles(of)],
      databases: [folder.database, ...opening.files, ...socketsOf(proxyListener)],
      folders: [folder.path, trusted],
      addresses: [...ownAddresses(hosts, of.names), ...opening.addresses],
    })
  }
  function compile(): PolicyInForce {
    const current = configuration.current()
    const isAbsent = configuration.status().kind === 'absent'
    const { policy: preset, demonstration } = options
    const presetRoots = demonstration === undefined ? undefined : [demonstration.workspace]
    return compilePolicyInForce(current, { ownHouse: ownHouse(current), isAbsent, preset, presetRoots })
  }
  async function refreshDirectory(): Promise<void> {
    directory = directoryOf(configuration.current(), await store.tokens.list(), store.now())
  }

  const talk = createChatChannels(configuredChats(configuration.current(), options), report)
  const push = openPush({
    configuration: configuration.current().push,
    folder,
    store,
    directory: () => directory,
    report,
  })
  const random = createHostRandom()
  const newId = createIds(hostClock, random)
  const chain = createChainWriter(newId('chn'))
  const nodeId = nodeIdOf(folder, () => newId('nod'))
  const run = opening.isShared ? chain.chain : nodeId
  const startedAt = store.now()
  const metrics = createMetrics()
  const probe = createStoreProbe(store)
  const self: Actor = { subject: configuration.current().owner, role: 'admin', via: 'server' }
  const inner = await createGateway(
    {
      store,
      clock: hostClock,
      random,
      chain,
      policy: () => held.policy,
      directory: () => directory,
      refreshDirectory,
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
      giveWay: yieldToRequests,
      observe: metrics.observe,
      ...(await openTracing()),
      report,
      settings: gatewaySettings(configuration.current()),
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
  const gateway = refreshDirectoryOnTokenChange(inner, {
    refresh: refreshDirectory,
    knows: (subject) => directory.people.has(subject),
  })
  await writeAgentToken(gateway, folder, self)

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
    own: () => [...ownAddresses(hosts, configuration.current().names), ...opening.addresses],
    ...defined({ demonstration: options.demonstration }),
    report,
    say: options.say,
  })
  if (opened !== undefined) undo.push(() => opened.agent.close())
  else warnWithoutAgent(configuration.current(), options.say)

  const app = createHttpApp({
    gateway,
    ...talk.open(gateway, opened),
    allowedHosts: () => [...hosts, ...configuration.current().names],
    publicHosts: () => configuration.current().names,
    isProxyAddress: (address) => createAddressList(configuration.current().proxy.from)(address),
    version: VERSION,
    ...createPolicyPage({
      file: resolve(options.configuration),
      trustFolder: trusted,
      defaultOwner: userName(),
      held: () => held,
      hold: (candidate) =>
        compilePolicyInForce(candidate, { ownHouse: ownHouse(candidate), isAbsent: false }),
      note: gateway.notePolicy,
      async follow() {
        followConfiguration()
        await refreshDirectory()
      },
      others: async () => {
        const nodes = opening.isShared ? await listNodes(store.leases) : []
        return nodes.filter((node) => node.run !== run).map((node) => node.url)
      },
      now: store.now,
    }),
    checkHealth: probe.check,
    nodes: async () => nodesToWire(await listNodes(store.leases), run),
    async metrics() {
      await probe.check()
      const { roundTrip, clockOffset } = probe.figures()
      return metrics.text({
        banksman_requests_pending: await store.count('pending'),
        banksman_store_round_trip_seconds: roundTrip,
        banksman_store_clock_offset_seconds: clockOffset,
      })
    },
    ...createJournalReading(gateway, folder, checkpoints),
    inbox: createStaticFiles(inboxFolder()),
    ...defined({ push: push.desk }),
    report,
  })
  const listeners = await startListeners(app, { ...options, proxy: proxyListener })
  undo.push(() => listeners.close())
  hosts = listeners.hosts
  held = compile()
  const { url } = listeners
  const started = startedWith(configuration.current())
  function noteServer(): void {
    const { names, people } = configuration.current()
    const own = { url, pid: process.pid, owner: self.subject, startedWith: started }
    const note = { ...own, people: [...people.keys()], publicUrl: publicUrlOf(names) }
    writeFileSync(folder.serverFile, JSON.stringify(note), { mode: 0o600 })
  }
  noteServer()
  undo.push(() => rmSync(folder.serverFile, { force: true }))
  const nodes = await joinNodes({
    leases: store.leases,
    id: nodeId,
    run,
    nodeFile: folder.nodeFile,
    note: () => ({
      url,
      version: VERSION,
      policyVersion: held.policy.version,
      owner: configuration.current().owner,
      startedAt,
    }),
    isShared: opening.isShared,
    report,
    say: options.say,
  })
  undo.push(() => nodes.close())

  /** Has what is trusted now hold; false where it does already. */
  function followConfiguration(): boolean {
    const before = configuration.current()
    if (!configuration.refresh()) return false
    held = compile()
    noteServer()
    const status = configuration.status()
    options.say(
      configuration.current().text === undefined
        ? describeStatus(status, options.configuration)
        : describeAppliedChanges(before, configuration.current()),
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

  const work = startBackgroundWork({
    nodes,
    journal: store.journal,
    chain: chain.chain,
    sign: checkpoints.sign,
    refreshDirectory,
    async followConfiguration() {
      if (!followConfiguration()) return
      notePolicy()
      await nodes.renew()
    },
    eraseOld: async () => {
      await gateway.history.eraseOlderThan(configuration.current().retentionMs)
    },
    eraseOldMedia: async () => {
      await opened?.media.eraseOlderThan(configuration.current().retentionMs)
    },
    report,
    say: options.say,
  })
  undo.push(() => work.stop())

  await opened?.agent.resume()

  return {
    url,
    gateway,
    agent: opened,
    folder,
    store: opening.at,
    configuration,
    self,
    async loginLink() {
      const owner = configuration.current().owner
      const { secret } = await gateway.tokens.createLogin({ subject: owner, role: 'admin' }, self)
      return `${publicUrlOf(configuration.current().names) ?? url}/#login=${secret}`
    },
    async close() {
      for (const step of undo.splice(0).reverse()) await step()
    },
  }
}

/** The built web app lies beside the package's own code, whether that runs from `src` or from `dist`. */
function inboxFolder(): string {
  return fileURLToPath(new URL('../../inbox/dist', import.meta.url))
}
