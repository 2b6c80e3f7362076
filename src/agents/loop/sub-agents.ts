/** Agents that agents start with `spawn`. */
import type { JsonObject } from '../../core/json/json.ts'
import type { TurnOutcome } from '../sessions/turn-over.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import type { TurnState } from './turn-state.ts'

export const SPAWN = 'spawn'

/** Has another agent do the task, and gives its last words. */
export async function startSubAgent(
  state: TurnState,
  call: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { task, agent } = args as { task: string; agent?: string }
  const problem = problemOf(state, agent)
  const { name } = state.session.agent
  const outcome: TurnOutcome =
    problem === undefined
      ? await state.turn.runChild({ call, text: task, agent: agent ?? name, signal })
      : { status: 'failed', text: '', reason: problem }
  const { status, text, reason } = outcome
  if (status === 'completed') return { text }
  const why = reason === undefined ? '' : `: ${reason}`
  return {
    text: `the sub-agent's turn ended as ${status}${why}. Its last words: ${text || '(none)'}`,
    isError: true,
  }
}

function problemOf({ parts, session }: TurnState, agent: string | undefined): string | undefined {
  const { subAgents, maxDepth } = parts.settings
  const { parents = [] } = session.agent
  if (parents.length + 1 >= maxDepth) return `agents may start agents ${maxDepth} deep, and no deeper`
  if (agent === undefined || Object.hasOwn(subAgents, agent)) return undefined
  const known = Object.keys(subAgents).join(', ') || 'none'
  return `there is no agent ${JSON.stringify(agent)}; there are: ${known}`
}
