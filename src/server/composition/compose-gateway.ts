/**
 * Composes a gateway on a store: the one place where this happens, for the server, for `openGateway`, for the command line
 * and for tests. What is not given is the host's own: its clock, its random numbers, a new journal chain.
 *
 * Whoever opened the store closes it, after the gateway.
 */
import { homedir } from 'node:os'
import type { Directory } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import type { Actor } from '../../core/session.ts'
import { createGateway } from '../../gateway/gateway.ts'
import type { GatewayParts, Policy } from '../../gateway/gateway-parts.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { createChainWriter } from '../../journal/entry.ts'
import { createFactsGatherer } from '../facts/gather-facts.ts'
import { createTextReader } from '../facts/workspace-files.ts'
import { createHostIds, createHostRandom, hostClock } from '../host/host.ts'
import { refreshOnTokenChange } from './directory.ts'

/** What may be left out, and is then as `createGateway` or this machine has it. */
type OptionalParts = Partial<
  Pick<
    GatewayParts,
    | 'clock'
    | 'random'
    | 'chain'
    | 'giveWay'
    | 'keepAlive'
    | 'modes'
    | 'settings'
    | 'beforeClaim'
    | 'observe'
    | 'trace'
  >
>

export interface GatewayComposition
  extends OptionalParts,
    Pick<GatewayParts, 'store' | 'channels' | 'report'> {
  policy: { current(): Policy }
  /** With `refresh`, the directory follows the tokens: it is refreshed when one is created, used to log in or revoked. */
  directory: { current(): Directory; refresh?(): Promise<void> }
  /** As whom the gateway itself acts, and makes calls where nobody else is named. */
  self: Actor
  namespace?: string
  /** Where calls are looked up on this machine. Absent: nothing is looked up, and no file is shown. */
  workspace?: { roots(): readonly (string | undefined)[] } | Pick<GatewayParts, 'gatherFacts' | 'readText'>
}

export async function composeGateway(composition: GatewayComposition): Promise<Gateway> {
  const { policy, directory, self, namespace, workspace, ...given } = composition
  const gateway = await createGateway(
    {
      clock: hostClock,
      random: createHostRandom(),
      chain: newChain(),
      ...given,
      policy: () => policy.current(),
      directory: () => directory.current(),
      ...defined({ refreshDirectory: directory.refresh }),
      ...lookups(composition),
    },
    self,
    namespace,
  )
  const { refresh } = directory
  if (refresh === undefined) return gateway
  return refreshOnTokenChange(gateway, { current: () => directory.current(), refresh })
}

/** A journal chain that nobody else writes to. */
export function newChain(): GatewayParts['chain'] {
  return createChainWriter(createHostIds()('chn'))
}

function lookups({
  workspace,
  policy,
  store,
}: GatewayComposition): Pick<GatewayParts, 'gatherFacts' | 'readText'> {
  if (workspace === undefined) return {}
  if (!('roots' in workspace)) return workspace
  return {
    gatherFacts: createFactsGatherer({
      lookups: (call) => policy.current().lookups(call),
      now: store.now,
      home: homedir(),
    }),
    readText: createTextReader(() => workspace.roots()),
  }
}
