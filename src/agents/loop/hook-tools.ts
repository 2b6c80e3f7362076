/** Tools that trusted hooks have added to a question to the model. They are there for the rest of the turn. */

import type { ModelRequestStep } from '../hooks/hook-chain.ts'
import { TurnOver } from '../sessions/turn-over.ts'
import { fromJsonSchema } from '../tools/registry/tool-registry.ts'
import type { TurnState } from './turn-state.ts'

export type AddedTools = Extract<ModelRequestStep, { kind: 'go' }>['added']

export function addHookTools(state: TurnState, added: AddedTools): void {
  for (const { hook, ...offer } of added) {
    const known = state.findTool(offer.name)
    if (known?.providedBy === hook) continue
    if (known !== undefined)
      throw new TurnOver('failed', `hook "${hook}" offers a tool ${offer.name}, and that name is taken`)
    try {
      state.addTool(fromJsonSchema(offer, hook))
    } catch (error) {
      throw new TurnOver(
        'failed',
        `hook "${hook}": ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
