/**
 * The SDK's own pause: the run ends with an interruption for each call that a person is asked about, its state is saved as text, and
 * any process goes on later. The state's yes is not a person's yes: it makes the SDK call the tool, and there the guard looks at the
 * request (P5).
 */
import type { Guard } from '../../guard/contract.ts'
import { isTerminated, refusalError } from '../call-refused.ts'
import { forecast } from '../forecast.ts'
import { nameOfTool } from './agents-tool.ts'
import { callsOf, guardTools, type OpenAIAgentsOptions, readArguments } from './guard-tools.ts'

export interface PausingAgents<TOOLS> {
  tools: TOOLS
  /**
   * Before a run goes on: approves in the state what was decided, a person's no included, which the guard then tells the model.
   * Resolves with the number of calls that still wait. Rejects with `SessionTerminated` where a person ended the session.
   */
  update(state: RunStateShape): Promise<number>
}

/** `RunState` of the SDK. */
export interface RunStateShape {
  getInterruptions(): InterruptionShape[]
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own item.
  approve(item: any): void
}

interface InterruptionShape {
  name?: string | undefined
  arguments?: string | undefined
  rawItem: object
}

export function pausing<TOOLS extends readonly object[]>(
  guard: Guard,
  tools: TOOLS,
  options: Omit<OpenAIAgentsOptions, 'pause'>,
): PausingAgents<TOOLS> {
  const pausingTools = guardTools(guard, tools, { ...options, pause: true })
  return {
    tools: pausingTools,
    async update(state) {
      let waiting = 0
      for (const item of state.getInterruptions()) {
        const { name, rawItem } = item
        const tool = pausingTools.find((one) => nameOfTool(one) === name)
        const toCall = tool === undefined ? undefined : callsOf(tool)
        if (toCall === undefined) continue
        const { callId } = rawItem as { callId?: string }
        const call = await toCall(readArguments(item.arguments ?? ''), callId, contextOf(state))
        const found = call === undefined ? undefined : await forecast(guard, call, options)
        if (found?.kind === 'wait') {
          waiting++
          continue
        }
        const refused = found?.kind === 'refused' ? refusalError(name!, found.refused) : undefined
        if (refused !== undefined && isTerminated(refused)) throw refused
        state.approve(item)
      }
      return waiting
    },
  }
}

function contextOf(state: object): unknown {
  return (state as { _context?: { context?: unknown } })._context?.context
}
