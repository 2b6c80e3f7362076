/**
 * `openGateway`: a whole Banksman inside a Node program. It composes a store, a policy and channels into a gateway;
 * the server does the same and adds the doors.
 */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Directory } from '../core/authority.ts'
import { BanksmanError } from '../core/errors.ts'
import { createIds } from '../core/ids.ts'
import type { Actor } from '../core/session.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import type { GatewayParts } from '../gateway/parts.ts'
import { giveWay } from '../http/give-way.ts'
import { createChainWriter } from '../journal/index.ts'
import type { Channel } from '../people/channel.ts'
import { createInboxChannel } from '../people/inbox/channel.ts'
import { compilePolicy, type OwnHouse, type Policy, type ToolBlock } from '../policy/index.ts'
import type { Store } from '../stores/store.ts'
import { compileConfigured } from './configuration.ts'
import { createConfigurationSource, describeStatus } from './configuration-source.ts'
import { directoryOf } from './directory.ts'
import { createFactsGatherer } from './facts.ts'
import { createHostRandom, createKeepAlive, hostClock } from './host.ts'
import { openStore } from './open-store.ts'
import { ownHouseAt } from './own-house.ts'
import { checkRuntime } from './runtime.ts'
import { readStorePlace, type StorePlace, storeAddresses, storeFiles } from './store-place.ts'
import { trustFolder } from './trust.ts'
import { createTextReader } from './workspace-files.ts'

export interface OpenGatewayOptions {
  /** `sqlite:<file>`, `postgres://…`, `redis://…`, `memory:`, or a store that was opened elsewhere. */
  store: string | Store
  /** A policy block, or the path of a `banksman.yaml` (which a person must have trusted with `banksman trust`). */
  policy: string | object
  /** Whose installation this is. Default: the user that runs the program. */
  owner?: string
  /** Who may decide, where the policy is given as a block. */
  people?: Record<string, { groups?: string[] }>
  /** The folders that agents work in, where the policy is given as a block. Without any, no path is inside the workspace. */
  roots?: string[]
  /** What the policy is told of tools, where it is given as a block. */
  tools?: Record<string, ToolBlock>
  /** Where people are asked, besides the inbox. */
  channels?: Channel[]
  namespace?: string
  /** As whom `guard` makes its calls. */
  agent?: string
  settings?: GatewayParts['settings']
  observe?: GatewayParts['observe']
  trace?: GatewayParts['trace']
  /** Told of faults that nobody waits for. Default: a line on standard error. */
  report?: GatewayParts['report']
}

export async function openGateway(options: OpenGatewayOptions): Promise<Gateway> {
  checkRuntime()
  checkOptions(options)
  const namespace = options.namespace ?? 'default'
  const report = options.report ?? reportToStandardError
  const place = typeof options.store === 'string' ? readStorePlace(options.store, process.cwd()) : undefined
  const store = place === undefined ? (options.store as Store) : await openStore(place, { namespace, report })
  try {
    const house = await ownHouse(options, place)
    const { policy, directory, roots } = rules(options, house)
    const random = createHostRandom()
    const self: Actor = { subject: options.agent ?? 'local', role: 'agent', via: 'library' }
    const chain = createChainWriter(createIds(hostClock, random)('chn'))
    const gateway = await createGateway(
      {
        store,
        clock: hostClock,
        random,
        chain,
        policy,
        directory,
        channels: [createInboxChannel(), ...(options.channels ?? [])],
        gatherFacts: createFactsGatherer({
          lookups: (call) => policy().lookups(call),
          now: store.now,
          home: homedir(),
        }),
        readText: createTextReader(() => roots),
        giveWay,
        keepAlive: createKeepAlive(),
        report,
        ...(options.settings === undefined ? {} : { settings: options.settings }),
        ...(options.observe === undefined ? {} : { observe: options.observe }),
        ...(options.trace === undefined ? {} : { trace: options.trace }),
      },
      self,
      namespace,
    )
    return {
      ...gateway,
      async close() {
        await gateway.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

function rules(
  options: OpenGatewayOptions,
  house: OwnHouse,
): { policy: () => Policy; directory: () => Directory; roots: readonly string[] } {
  const owner = options.owner ?? userName()
  if (typeof options.policy === 'object') {
    const roots = (options.roots ?? []).map(realPath)
    const compiled = compilePolicy(options.policy, {
      ownHouse: house,
      roots,
      home: homedir(),
      ...(options.tools === undefined ? {} : { tools: options.tools }),
    })
    const people = new Map(
      Object.entries(options.people ?? {}).map(([name, { groups }]) => [name, { groups: groups ?? [] }]),
    )
    return { policy: () => compiled, directory: () => ({ owner, people }), roots }
  }
  const source = createConfigurationSource({
    file: options.policy,
    trustFolder: trustFolder(process.env),
    defaultOwner: owner,
  })
  const status = source.status()
  if (status.kind === 'absent') {
    throw new BanksmanError(
      'invalid_configuration',
      `there is no ${options.policy}; name a file that is there, or give the policy as a block, as in { allow: ['read_*'] }`,
    )
  }
  const compiled = compileConfigured(source.current(), { ownHouse: house })
  if (status.kind === 'gone') process.emitWarning(describeStatus(status, options.policy))
  if (status.kind === 'untrusted') {
    process.emitWarning(
      `${options.policy} has not been trusted by a person; ${status.holding === 'built_in' ? 'everything is asked' : 'the text that was trusted last holds'} until someone runs: banksman trust ${options.policy}`,
    )
  }
  const directory = directoryOf(source.current(), [], 0)
  return { policy: () => compiled, directory: () => directory, roots: source.current().roots }
}

/** What no call may touch: our database with its side files, or the address of the store, and the policy. */
async function ownHouse({ policy }: OpenGatewayOptions, place: StorePlace | undefined): Promise<OwnHouse> {
  return ownHouseAt({
    files: typeof policy === 'string' ? [policy] : [],
    databases: place === undefined ? [] : storeFiles(place),
    folders: [trustFolder(process.env)],
    addresses: place === undefined ? [] : await storeAddresses(place),
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

export function userName(): string {
  const name = process.env.USER ?? process.env.LOGNAME ?? process.env.USERNAME ?? 'owner'
  return /^[^\p{C}\p{Z}:]{1,128}$/u.test(name) ? name : 'owner'
}

function reportToStandardError({ doing, error }: { doing: string; error: unknown }): void {
  console.error(`banksman: ${doing}: ${error instanceof Error ? error.message : String(error)}`)
}

function checkOptions(options: OpenGatewayOptions): void {
  const example = "openGateway({ store: 'sqlite:banksman.db', policy: 'banksman.yaml' })"
  if (typeof options !== 'object' || options === null) {
    throw new BanksmanError('invalid_configuration', `openGateway needs options, as in ${example}`)
  }
  for (const name of ['store', 'policy'] as const) {
    const value = options[name]
    if (value === undefined || value === null || (typeof value !== 'string' && typeof value !== 'object')) {
      throw new BanksmanError('invalid_configuration', `openGateway needs ${name}, as in ${example}`)
    }
  }
}
