/** Our ReAct loop as an engine: it thinks, acts and observes until the model has nothing more to do. */

import { defined } from '../../core/defined.ts'
import type { Engine } from '../sessions/engine.ts'
import type { RegisteredTool } from '../tools/tool.ts'
import { runTurn, takeUp } from './run-turn.ts'
import { createTurnState, type LoopParts, type TurnState } from './turn-state.ts'

export function createLoopEngine(parts: LoopParts): Engine {
  /** Tools that hooks have added to questions to the model, by name. */
  const added = new Map<string, RegisteredTool>()
  /** Where the sessions that are open work. */
  const workspaces = new Map<string, string>()
  return {
    kind: 'loop',
    lease: 'turn',
    describe: () => ({
      model: parts.model.name,
      tools: [...parts.tools.list(), ...added.values()].map(({ tool, definition, providedBy }) => ({
        name: tool.name,
        description: definition.description,
        ...defined({ providedBy }),
      })),
    }),
    async open(session) {
      const inherited = session.parent === undefined ? undefined : workspaces.get(session.parent)
      const workspace = inherited ?? (await parts.workspaceOf?.(session)) ?? parts.workspace
      workspaces.set(session.id, workspace)
      let state: TurnState | undefined
      return {
        async runTurn(turn) {
          // The host asks again about a turn in which something was said before its end.
          if (state?.turn !== turn) {
            state = createTurnState(parts, { session, workspace }, turn, (tool) =>
              added.set(tool.tool.name, tool),
            )
            if (turn.resumed) await takeUp(state)
          }
          return runTurn(state)
        },
        // Everything that a turn starts ends with the turn.
        async close() {
          workspaces.delete(session.id)
        },
      }
    },
    observe: (event, about) => parts.hooks.tell(event, about),
  }
}
