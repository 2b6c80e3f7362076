/**
 * The server: one gateway on the configured store, with the HTTP API and the inbox in front of it and background work
 * behind it. It is put together here, from top to bottom, and closed in the opposite order.
 *
 * Other servers may be on the same store. The truth is there; keys, the lock and the command line's login in the data
 * folder are this node's own.
 */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { defined } from '../core/defined.ts'
import type { Secretary } from '../core/secretary.ts'
import type { Actor } from '../core/session.ts'
import type { Gateway } from '../gateway/gateway-verbs.ts'
import { createHttpApp } from '../http/app.ts'
import { tryAddress } from '../http/connection/start-http-server.ts'
import { yieldToRequests } from '../http/to-wire/yield-to-requests.ts'
import { hookFiles } from './agent/hook-files.ts'
import { agentWorkspaces, openServerAgents, type ServerAgent } from './agent/open-server-agents.ts'
import { startBackgroundWork } from './background/background-work.ts'
import { joinNodes, nodeIdOf, replaceRun } from './background/nodes.ts'
import { configuredChannels, type DemonstrationPreset } from './channels/configured-channels.ts'
import { openChannels } from './channels/open-channels.ts'
import { type Closers, createClosers } from './closers.ts'
import { composeGateway, newChain } from './composition/compose-gateway.ts'
import { openDirectory } from './composition/directory.ts'
import { gatewaySettings } from './composition/gateway-settings.ts'
import type { Configuration } from './configuration/configuration.ts'
import type { ConfigurationSource } from './configuration/configuration-source.ts'
import { checkOwnAddress, socketsOf } from './configuration/proxy-configuration.ts'
import { createDemonstrationRuns, type StartedDemonstration } from './demonstration/demonstration-runs.ts'
import { createHostIds, hostClock } from './host/host.ts'
import { writeAgentToken } from './installation/agent-token.ts'
import { createServerAnnouncement } from './installation/announce-server.ts'
import type { DataFolder } from './installation/data-folder.ts'
import { rememberFolder } from './installation/known-folder.ts'
import {
  type InstallationOptions,
  openInstallation,
  type ServerInstallation,
} from './installation/open-installation.ts'
import { noteAccepted, openStoreMark, type StoreMark } from './installation/store-mark.ts'
import { startCheckpoints } from './journal/checkpoints.ts'
import { bindListeners } from './network/bind-listeners.ts'
import { ownAddresses, publicUrlOf } from './network/own-addresses.ts'
import { ownSocketPath } from './network/own-socket.ts'
import { followConnectedFiles } from './policy/connected-files.ts'
import { createConfigurationFollower } from './policy/follow-configuration.ts'
import { createLivePolicy } from './policy/policy-in-force.ts'
import { protectedResourcesAt } from './policy/protected-resources.ts'
import { serverHttpParts } from './server-http-parts.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { openTracing } from './telemetry/tracing.ts'
import { VERSION } from './version.ts'

export interface ServerOptions extends InstallationOptions {
  host: string
  port: number
  /** The policy while there is no configuration file: the demonstration's. */
  policy?: object
  /** The agent and its chats while there is no configuration file, and no other model. */
  demonstration?: DemonstrationPreset
}

export interface Server {
  readonly url: string
  readonly gateway: Gateway
  readonly folder: DataFolder
  /** Where the store is, in words without a secret. */
  readonly store: string
  readonly configuration: ConfigurationSource
  /** Absent where no model is configured. */
  readonly agent: ServerAgent | undefined
  /** Absent where there are no coding sessions. */
  readonly secretary: Secretary | undefined
  /** Absent where the server was started without it, or has no agent. */
  readonly demonstration: StartedDemonstration | undefined
  /** The administrator that this process itself is: for what the command that started it does. */
  readonly self: Actor
  /** A new single-use link for the owner. */
  loginLink(): Promise<string>
  close(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<Server> {
  // A first start that fails for its port leaves nothing behind. Where there is a folder, its lock says more than the port.
  if (!existsSync(options.data)) await tryAddress(options)
  const closing = createClosers()
  try {
    return await composeServer(options, closing)
  } catch (error) {
    await closing.close().catch((fault) => options.report({ doing: 'giving up the start', error: fault }))
    throw error
  }
}

async function composeServer(options: ServerOptions, closing: Closers): Promise<Server> {
  const { configuration: file, demonstration, report, say } = options
  const installation = await openInstallation(options, closing)
  const { folder, configuration, stored } = installation
  const core = await openCore(options, installation, closing)
  const { listeners, policy, directory, checkpoints, gateway, self, url } = core
  await writeAgentToken(gateway, folder, self)

  const agents = closing.add(
    await openServerAgents({
      gateway,
      configuration: configuration.current(),
      folder: folder.path,
      ownFolders: [folder.path, dirname(installation.trustFolder)],
      records: stored.store.records,
      notify: core.channels.notify,
      keepOut: [folder.path, dirname(installation.trustFolder), file, ...core.hookFiles],
      environment: options.environment,
      own: () => core.addresses(configuration.current()),
      ...defined({ demonstration }),
      report,
      say,
    }),
  )

  const main = demonstration === undefined ? undefined : agents.main
  const runs =
    main === undefined
      ? undefined
      : closing.add(
          createDemonstrationRuns({
            agent: main.agent,
            secretary: agents.secretary,
            hasOwnSessions: () => configuration.current().text === undefined,
            workspace: demonstration!.workspace,
            self,
            newId: createHostIds(),
            now: hostClock.now,
            say,
            report,
          }),
        )

  const publicUrl = () => publicUrlOf(configuration.current().names)
  const announcement = createServerAnnouncement({
    folder,
    url,
    socket: listeners.socket,
    publicUrl,
    configuration,
    policy,
  })
  const announce = announcement.write
  const follower = createConfigurationFollower({
    file,
    configuration,
    policy,
    gateway,
    announce,
    report,
    say,
  })
  const { nodeId } = core
  const run = stored.isShared ? core.chain.chain : nodeId
  const parts = serverHttpParts({
    installation,
    file,
    environment: options.environment,
    gateway,
    policy,
    follower,
    directory,
    secretary: agents.secretary,
    demonstration: runs,
    channels: core.channels.open(gateway, agents),
    metrics: core.metrics,
    inboxUrl: () => publicUrl() ?? listeners.url,
    hosts: listeners.hosts,
    run,
    report,
  })
  closing.add(listeners.serve(createHttpApp(parts)))
  announce()
  closing.add(announcement)

  const nodes = closing.add(
    await joinNodes({
      leases: stored.store.leases,
      id: nodeId,
      run,
      lastRun: replaceRun(folder, nodeId, run),
      nodeFile: folder.nodeFile,
      note: () => ({
        url,
        version: VERSION,
        policyVersion: policy.current().version,
        owner: configuration.current().owner,
        startedAt: core.startedAt,
      }),
      isShared: stored.isShared,
      report,
      say,
    }),
  )
  follower.note()
  const retentionMs = () => configuration.current().retentionMs
  closing.add(
    startBackgroundWork({
      nodes,
      journal: stored.store.journal,
      chain: core.chain.chain,
      sign: checkpoints.sign,
      refreshDirectory: directory.refresh,
      async followConfiguration() {
        if (!(await follower.follow())) return
        follower.note()
        await nodes.renew()
      },
      checkSchema: async () => stored.store.checkSchema?.(),
      async eraseOld() {
        await gateway.history.eraseOlderThan(retentionMs())
      },
      eraseOldMedia: () => agents.eraseMediaOlderThan(retentionMs()),
      report,
      say,
    }),
  )
  await agents.resume()

  return {
    url,
    gateway,
    agent: agents.main,
    secretary: agents.secretary,
    demonstration: runs,
    folder,
    store: stored.at,
    configuration,
    self,
    async loginLink() {
      const { owner } = configuration.current()
      const { secret } = await gateway.tokens.createLogin({ subject: owner, role: 'admin' }, self)
      return `${publicUrl() ?? url}/#login=${secret}`
    },
    close: closing.close,
  }
}

/** The gateway, and what it goes by. The ports come first: the policy protects their addresses. */
async function openCore(options: ServerOptions, installation: ServerInstallation, closing: Closers) {
  const { configuration: file, demonstration, report } = options
  const { folder, configuration, trustFolder, stored } = installation
  const { store } = stored
  /** Channels and ports stay as they are at the start, whatever is trusted later. */
  const atStart = configuration.current()

  const proxy = atStart.proxy.listen
  checkOwnAddress(proxy, options, atStart.locate)
  const socket = ownSocketPath(folder.path, options.environment)
  const listeners = closing.add(await bindListeners({ ...options, proxy, socket }))
  /** Where this server and its store can be reached: no agent may. */
  const addresses = (of: Configuration) => [...ownAddresses(listeners.hosts, of.names), ...stored.addresses]
  /** Those of the hooks that run now. */
  const runningHookFiles = hookFiles(atStart)
  const connected = followConnectedFiles(dirname(trustFolder))
  const policy = createLivePolicy({
    configuration,
    connected,
    protectedResources: (of) =>
      protectedResourcesAt({
        files: [file, ...runningHookFiles, ...hookFiles(of)],
        databases: [
          folder.database,
          ...stored.files,
          ...socketsOf(proxy),
          ...(socket === undefined ? [] : [socket]),
        ],
        folders: [folder.path, dirname(trustFolder)],
        addresses: addresses(of),
        environment: { ...process.env, ...options.environment },
        connected: connected.current(),
      }),
    preset: options.policy,
    presetRoots: demonstration === undefined ? undefined : [demonstration.workspace],
  })
  const directory = await openDirectory(configuration, store)
  const nodeId = nodeIdOf(folder, () => createHostIds()('nod'))
  const channels = await openChannels(configuredChannels(atStart, options), {
    folder,
    store,
    environment: options.environment,
    directory: directory.current,
    node: nodeId,
    inboxUrl: () => publicUrlOf(configuration.current().names) ?? listeners.url,
    report,
  })

  const chain = newChain()
  const checkpoints = closing.add(
    startCheckpoints({
      chain,
      keyFile: folder.signingKey,
      files: () =>
        [folder.checkpoints, configuration.current().checkpointFile].filter((each) => each !== undefined),
      now: store.now,
      report,
    }),
  )
  let mark: StoreMark | undefined
  const metrics = createMetrics()
  const startedAt = store.now()
  const self: Actor = { subject: atStart.owner, role: 'admin', via: 'server' }
  const gateway = closing.add(
    await composeGateway({
      store,
      chain,
      policy,
      directory,
      channels: channels.all,
      self,
      workspace: {
        roots() {
          const { roots, talk } = configuration.current()
          return [...roots, ...agentWorkspaces(talk), demonstration?.workspace]
        },
      },
      giveWay: yieldToRequests,
      observe: metrics.observe,
      ...(await openTracing()),
      modes: () => configuration.current().modes,
      settings: gatewaySettings(atStart),
      beforeClaim: async () => mark?.raise(),
      report,
    }),
  )
  if (installation.older.length > 0 || installation.isAdopted) {
    const chains = installation.older.map((each) => ({ ...each }))
    await gateway.startAfresh({ cause: installation.isAdopted ? 'adopted' : 'older', chains }, self)
    await noteAccepted(store)
    rememberFolder(folder, options.environment)
  }
  if (!stored.mayLose) mark = closing.add(await openStoreMark(folder, stored, chain, report))
  closing.add(channels)
  return {
    listeners,
    url: listeners.url,
    addresses,
    nodeId,
    hookFiles: runningHookFiles,
    policy,
    directory,
    channels,
    chain,
    checkpoints,
    metrics,
    startedAt,
    gateway,
    self,
  }
}
