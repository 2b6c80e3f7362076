/** What the loop is made of, and what its parts share about one turn. */

import type { Refusal, TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { HookContext } from '../hooks/hook.ts'
import type { HookChain } from '../hooks/hook-chain.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { Model } from '../models/model.ts'
import type { EngineSession, EngineTurn } from '../sessions/engine.ts'
import type { RegisteredTool, ToolRegistry } from '../tools/tool.ts'

export interface LoopParts {
  /** For hooks, which act in people's place, and for tasks that go on after a restart. */
  gateway: Pick<Gateway, 'intercept' | 'get' | 'report'>
  model: Model
  tools: ToolRegistry
  hooks: HookChain
  media: MediaStore
  /** The folder that the tools work in. */
  workspace: string
  /** The same, where each session has its own. What a session starts works where it does. */
  workspaceOf?: (session: EngineSession) => Promise<string>
  clock: Clock
  /** At least 0 and less than 1. */
  random: () => number
  /** Told of faults that nobody waits for. */
  report: (fault: { doing: string; error: unknown }) => void
  settings: LoopSettings
}

export interface LoopSettings {
  /** What the model is told first. */
  instructions: string
  /** How often the model is asked in one turn. */
  maxSteps: number
  maxTokens?: number
  temperature?: number
  /** Agents that `spawn` can start, by name, besides one like this. */
  subAgents: Record<string, { instructions: string }>
  /** How deep agents may start agents. */
  maxDepth: number
}

export interface TurnState {
  readonly parts: LoopParts
  readonly session: EngineSession
  readonly turn: EngineTurn
  readonly instructions: string
  /** The folder that the tools work in. */
  readonly workspace: string
  /** Tools of this turn: all of the agent's, and those that hooks have added to it. */
  findTool(name: string): RegisteredTool | undefined
  listTools(): RegisteredTool[]
  addTool(tool: RegisteredTool): void
  /** Calls run one after the other, in the order in which they may. */
  lane<T>(work: () => Promise<T>): Promise<T>
}

export function createTurnState(
  parts: LoopParts,
  { session, workspace }: Pick<TurnState, 'session' | 'workspace'>,
  turn: EngineTurn,
  onToolAdded: (tool: RegisteredTool) => void,
): TurnState {
  const added = new Map<string, RegisteredTool>()
  let lane: Promise<unknown> = Promise.resolve()
  const { settings, tools } = parts
  const isSubAgent = session.parent !== undefined && Object.hasOwn(settings.subAgents, session.agent.name)
  const kind = isSubAgent ? settings.subAgents[session.agent.name] : undefined
  return {
    parts,
    session,
    turn,
    instructions: kind?.instructions ?? settings.instructions,
    workspace,
    findTool: (name) => tools.find(name) ?? added.get(name),
    listTools: () => [...tools.list(), ...added.values()],
    addTool(tool) {
      added.set(tool.tool.name, tool)
      onToolAdded(tool)
    },
    lane(work) {
      const done = lane.then(work, work)
      lane = done.catch(() => {})
      return done
    },
  }
}

/** Those of the turn, from its beginning. */
export function turnEntries({ session, turn }: TurnState): TurnEntry[] {
  return session.entries().filter((entry) => entry.kind !== 'erased' && entry.turn === turn.id)
}

export function hookContext(
  state: TurnState,
  step: number,
  signal: AbortSignal = state.turn.stop,
): HookContext {
  const { session, turn } = state
  const { parentTurn, origin } = turn
  return {
    session: session.id,
    turn: turn.id,
    ...defined({ parentTurn }),
    step,
    agent: session.agent,
    ...defined({ origin }),
    by: turn.by,
    signal,
  }
}

export function invalid(because: string): Refusal {
  return { state: 'invalid', because, mayRetry: true }
}
