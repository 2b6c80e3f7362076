/** Everything that a running server has to show, for its HTTP app. */

import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defined } from '../core/defined.ts'
import { isBanksmanError } from '../core/errors.ts'
import type { Secretary } from '../core/secretary.ts'
import type { Gateway } from '../gateway/gateway-verbs.ts'
import type { HttpParts } from '../http/http-parts.ts'
import type { DemonstrationRuns } from '../http/routes/administration/demonstration.ts'
import { createStaticFiles } from '../http/static-files.ts'
import { listNodes, nodesToWire } from './background/nodes.ts'
import type { Channels } from './channels/open-channels.ts'
import type { LiveDirectory } from './composition/directory.ts'
import { createAddressList } from './configuration/proxy-configuration.ts'
import type { Environment } from './configuration/store-configuration.ts'
import { hostClock } from './host/host.ts'
import { userName } from './host/user-name.ts'
import type { ServerInstallation } from './installation/open-installation.ts'
import { createJournalReading } from './journal/journal-reading.ts'
import type { ConfigurationFollower } from './policy/follow-configuration.ts'
import type { LivePolicy } from './policy/policy-in-force.ts'
import { createPolicyPage } from './policy/policy-page.ts'
import { createStoreProbe } from './stores/store-probe.ts'
import type { Metrics } from './telemetry/metrics.ts'
import { VERSION } from './version.ts'

export interface ServedParts {
  installation: ServerInstallation
  /** The configuration file. */
  file: string
  environment: Environment
  gateway: Gateway
  policy: LivePolicy
  follower: ConfigurationFollower
  directory: LiveDirectory
  secretary: Secretary | undefined
  demonstration: DemonstrationRuns | undefined
  /** What the channels serve. */
  channels: ReturnType<Channels['open']>
  metrics: Metrics
  /** Where people open the inbox. */
  inboxUrl: () => string | undefined
  /** The `host:port` values of the ports that the server listens on. */
  hosts: readonly string[]
  /** Of this process, among the nodes on the store. */
  run: string
  report: (fault: { doing: string; error: unknown }) => void
}

export function serverHttpParts(parts: ServedParts): HttpParts {
  const { installation, gateway, policy, follower, directory, metrics, run } = parts
  const { configuration, stored } = installation
  const { store } = stored
  const names = () => configuration.current().names
  const probe = createStoreProbe(store)
  const page = createPolicyPage({
    file: resolve(parts.file),
    trustFolder: installation.trustFolder,
    defaultOwner: userName(),
    policy,
    directory,
    note: gateway.notePolicy,
    async follow() {
      await follower.follow()
      await directory.refresh()
    },
    async others() {
      const nodes = stored.isShared ? await listNodes(store.leases) : []
      return nodes.filter((node) => node.run !== run).map((node) => node.url)
    },
    now: store.now,
  })
  return {
    gateway,
    inboxUrl: parts.inboxUrl,
    inspectMcpClients: lateMcpInspections(parts),
    ...defined({ secretary: parts.secretary, demonstration: parts.demonstration }),
    ...parts.channels,
    ...page,
    ...createJournalReading(gateway, installation.folder, parts.report),
    allowedHosts: () => [...parts.hosts, ...names()],
    publicHosts: names,
    isProxyAddress: (address) => createAddressList(configuration.current().proxy.from)(address),
    version: VERSION,
    checkHealth: probe.check,
    nodes: async () => nodesToWire(await listNodes(store.leases), run),
    async metrics() {
      await probe.check().catch((error) => {
        if (!isBanksmanError(error, 'schema_newer')) throw error
      })
      const { roundTrip, clockOffset, schemaNewer } = probe.figures()
      return metrics.text({
        banksman_requests_pending: await store.count('pending'),
        banksman_store_schema_newer: schemaNewer,
        banksman_store_round_trip_seconds: roundTrip,
        banksman_store_clock_offset_seconds: clockOffset,
      })
    },
    inbox: createStaticFiles(inboxFolder()),
    clock: hostClock,
    report: parts.report,
  }
}

type InspectMcpClients = NonNullable<HttpParts['inspectMcpClients']>

/** Of the user that the server runs as. It is loaded when somebody looks. */
function lateMcpInspections({ environment, file }: ServedParts): InspectMcpClients {
  let inspect: InspectMcpClients | undefined
  return async () => {
    if (inspect === undefined) {
      const { createMcpInspections } = await import('./connect/mcp/mcp-inspections.ts')
      const project = dirname(resolve(file))
      inspect ??= createMcpInspections({ environment, project }, () => performance.now())
    }
    return inspect()
  }
}

/** The built web app lies beside the package's own code, whether that runs from `src` or from `dist`. */
function inboxFolder(): string {
  return fileURLToPath(new URL('../../inbox/dist', import.meta.url))
}
