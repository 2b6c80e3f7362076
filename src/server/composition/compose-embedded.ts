/** Composes a store, a policy and channels into a gateway inside a program; the server does the same and adds the doors. */

import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Directory } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { createIds } from '../../core/ids.ts'
import type { Actor } from '../../core/session.ts'
import { createGateway, type Gateway } from '../../gateway/gateway.ts'
import { createChainWriter } from '../../journal/index.ts'
import { createInboxChannel } from '../../people/inbox/channel.ts'
import { compilePolicy, type OwnHouse, type Policy } from '../../policy/index.ts'
import type { Store } from '../../stores/store.ts'
import { trustFolder } from '../configuration/trust.ts'
import { createFactsGatherer } from '../facts/gather-facts.ts'
import { createTextReader } from '../facts/workspace-files.ts'
import { createHostRandom, createKeepAlive, hostClock, yieldToEventLoop } from '../host/host.ts'
import { userName } from '../host/user-name.ts'
import { protectedResourcesAt } from '../policy/protected-resources.ts'
import { openStore } from '../stores/open-store.ts'
import { readStorePlace, type StorePlace, storeAddresses, storeFiles } from '../stores/store-place.ts'
import type { OpenGatewayOptions } from './open-gateway.ts'

export async function composeEmbedded(options: OpenGatewayOptions): Promise<Gateway> {
  const namespace = options.namespace ?? 'default'
  const report = options.report ?? reportToStandardError
  const place = typeof options.store === 'string' ? readStorePlace(options.store, process.cwd()) : undefined
  const store = place === undefined ? (options.store as Store) : await openStore(place, { namespace, report })
  try {
    const house = await protectedResources(options, place)
    const { policy, directory, roots } = await policyParts(options, house)
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
        giveWay: yieldToEventLoop,
        keepAlive: createKeepAlive(),
        report,
        ...defined({ settings: options.settings, observe: options.observe, trace: options.trace }),
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

/** What the gateway goes by. */
export interface PolicyParts {
  policy: () => Policy
  directory: () => Directory
  roots: readonly string[]
}

/** Reading a file takes a parser and the schema of all that can be in it, which a program with a block never needs. */
async function policyParts(options: OpenGatewayOptions, house: OwnHouse): Promise<PolicyParts> {
  const owner = options.owner ?? userName()
  if (typeof options.policy === 'object') return partsOfBlock(options.policy, options, { owner, house })
  const { policyOfFile } = await import('./policy-of-file.ts')
  return policyOfFile(options.policy, { owner, house })
}

function partsOfBlock(
  block: object,
  options: OpenGatewayOptions,
  { owner, house }: { owner: string; house: OwnHouse },
): PolicyParts {
  const roots = (options.roots ?? []).map(realPath)
  const compiled = compilePolicy(block, {
    ownHouse: house,
    roots,
    home: homedir(),
    ...defined({ tools: options.tools }),
  })
  const people = new Map(
    Object.entries(options.people ?? {}).map(([name, { groups }]) => [name, { groups: groups ?? [] }]),
  )
  return { policy: () => compiled, directory: () => ({ owner, people }), roots }
}

/** What no call may touch: our database with its side files, or the address of the store, and the policy. */
async function protectedResources(
  { policy }: OpenGatewayOptions,
  place: StorePlace | undefined,
): Promise<OwnHouse> {
  return protectedResourcesAt({
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

function reportToStandardError({ doing, error }: { doing: string; error: unknown }): void {
  console.error(`banksman: ${doing}: ${error instanceof Error ? error.message : String(error)}`)
}
