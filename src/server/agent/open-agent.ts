/**
 * `openAgent`: an agent inside a Node program, on a gateway that is open. It composes a model, tools and hooks into our loop;
 * the server does the same from its configuration.
 */

import { createAgent } from '../../agents/loop/create-agent.ts'
import type { Agent } from '../../agents/sessions/session-host.ts'
import { TOOL_NAMES } from '../../agents/tools/built-in/tool-names.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { processIdentity } from '../host/process-identity.ts'
import { checkRuntime } from '../host/runtime.ts'
import { composeLoop, type LoopOptions } from './compose-loop.ts'

export interface OpenAgentOptions extends Omit<LoopOptions, 'gateway'> {
  gateway: Gateway
  name?: string
}

/**
 * Close the agent before the gateway. Turns that were under way go on after `resume`, and so do those of other processes on
 * the same store when these end.
 */
export function openAgent(options: OpenAgentOptions): Agent {
  checkRuntime()
  checkOptions(options)
  const { parts, close } = composeLoop(options)
  const agent = createAgent({
    ...parts,
    gateway: options.gateway,
    ...defined({ place: processIdentity() }),
    settings: { ...parts.settings, name: options.name ?? 'main' },
  })
  return {
    ...agent,
    async close() {
      await agent.close()
      await close()
    },
  }
}

function checkOptions(options: OpenAgentOptions): void {
  const example = "openAgent({ gateway, model, workspace: './work' })"
  for (const name of ['gateway', 'model', 'workspace'] as const) {
    if (options?.[name] === undefined)
      throw new BanksmanError('invalid_configuration', `openAgent needs ${name}, as in ${example}`)
  }
  const unknown = (options.builtInTools ?? []).find(
    (name) => !(TOOL_NAMES as readonly string[]).includes(name),
  )
  if (unknown !== undefined) {
    const known = TOOL_NAMES.join(', ')
    throw new BanksmanError(
      'invalid_configuration',
      `there is no built-in tool ${JSON.stringify(unknown)}; there are ${known}`,
    )
  }
}
