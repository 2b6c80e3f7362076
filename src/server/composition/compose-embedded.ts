/** `openGateway` at work: opens the store, compiles the policy, and composes a gateway inside a program. */

import { homedir } from 'node:os'
import type { Directory } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import type { LaxMode } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { createInboxChannel } from '../../people/inbox/channel.ts'
import type { ConnectedFile } from '../../policy/agent-files/agent-table.ts'
import type { OwnHouse } from '../../policy/built-in-denies/compile-built-in-denies.ts'
import { compilePolicy } from '../../policy/compile-policy.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import { personalFolder } from '../configuration/trust.ts'
import { realPath } from '../facts/real-path.ts'
import { createKeepAlive, reportToStandardError, yieldToEventLoop } from '../host/host.ts'
import { userName } from '../host/user-name.ts'
import { followConnectedFiles } from '../policy/connected-files.ts'
import { protectedResourcesAt } from '../policy/protected-resources.ts'
import { openStore } from '../stores/open-store.ts'
import { readStorePlace, type StorePlace, storeAddresses, storeFiles } from '../stores/store-place.ts'
import { composeGateway } from './compose-gateway.ts'
import type { OpenGatewayOptions } from './open-gateway.ts'

export async function composeEmbedded(options: OpenGatewayOptions): Promise<Gateway> {
  const namespace = options.namespace ?? 'default'
  const report = options.report ?? reportToStandardError
  const place = typeof options.store === 'string' ? readStorePlace(options.store, process.cwd()) : undefined
  const store = place === undefined ? (options.store as Store) : await openStore(place, { namespace, report })
  try {
    const connected = followConnectedFiles(personalFolder(process.env))
    const protect = await protectedResources(options, place)
    const { compile, directory, roots, modes } = await policyParts(options)
    let policy = compile(protect(connected.current()))
    const current = () => {
      if (connected.refresh()) policy = compile(protect(connected.current()))
      return policy
    }
    const gateway = await composeGateway({
      store,
      policy: { current },
      directory: { current: () => directory },
      channels: [createInboxChannel(), ...(options.channels ?? [])],
      self: { subject: options.agent ?? 'local', role: 'agent', via: 'library' },
      namespace,
      workspace: { roots: () => roots },
      giveWay: yieldToEventLoop,
      keepAlive: createKeepAlive(),
      report,
      ...(modes === undefined ? {} : { modes: () => modes }),
      ...defined({ settings: options.settings, observe: options.observe, trace: options.trace }),
    })
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
  compile(own: OwnHouse): Policy
  directory: Directory
  roots: readonly string[]
  /** Absent: as the gateway has it. */
  modes: readonly LaxMode[] | undefined
}

/** Reading a file takes a parser and the schema of all that can be in it, which a program with a block never needs. */
async function policyParts(options: OpenGatewayOptions): Promise<PolicyParts> {
  const owner = options.owner ?? userName()
  if (typeof options.policy === 'object') return partsOfBlock(options.policy, options, owner)
  const { policyOfFile } = await import('./policy-of-file.ts')
  return policyOfFile(options.policy, owner)
}

function partsOfBlock(block: object, options: OpenGatewayOptions, owner: string): PolicyParts {
  const roots = (options.roots ?? []).map(realPath)
  const compile = (ownHouse: OwnHouse) =>
    compilePolicy(block, { ownHouse, roots, home: homedir(), ...defined({ tools: options.tools }) })
  const people = new Map(
    Object.entries(options.people ?? {}).map(([name, { groups }]) => [name, { groups: groups ?? [] }]),
  )
  return { compile, directory: { owner, people }, roots, modes: options.modes }
}

/** What no call may touch: our database with its side files, or the address of the store, and the policy. */
async function protectedResources(
  { policy }: OpenGatewayOptions,
  place: StorePlace | undefined,
): Promise<(connected: readonly ConnectedFile[]) => OwnHouse> {
  const addresses = place === undefined ? [] : await storeAddresses(place)
  return (connected) =>
    protectedResourcesAt({
      files: typeof policy === 'string' ? [policy] : [],
      databases: place === undefined ? [] : storeFiles(place),
      folders: [personalFolder(process.env)],
      addresses,
      connected,
    })
}
