/**
 * `openGateway`: a whole Banksman inside a Node program. What it is made of is loaded when one is opened: a program that
 * imports us and opens nothing, such as one that asks for its own `--help`, has nothing to wait for.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { LaxMode } from '../../core/session.ts'
import type { GatewayParts } from '../../gateway/gateway-parts.ts'
import type { Channel } from '../../people/channel.ts'
import type { ToolBlock } from '../../policy/language/language.ts'
import type { Store } from '../../stores/store.ts'
import { checkRuntime } from '../host/runtime.ts'
import { type PublicGateway, publicGateway } from './public-gateway.ts'

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
  /** The modes that ask less than `default` and may be set, where the policy is given as a block. Default: `acceptEdits`. */
  modes?: LaxMode[]
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

export async function openGateway(options: OpenGatewayOptions): Promise<PublicGateway> {
  checkRuntime()
  checkOptions(options)
  const { composeEmbedded } = await import('./compose-embedded.ts')
  return publicGateway(await composeEmbedded(options))
}

function checkOptions(options: OpenGatewayOptions): void {
  const example = "openGateway({ store: 'sqlite:.banksman/banksman.db', policy: 'banksman.yaml' })"
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
