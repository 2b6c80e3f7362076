/** What the parts of the loop share about one turn. */

import type { AgentLineage, Origin } from '../../core/call.ts'
import type { Refusal, TurnEventBody, TurnStatus } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { HookContext } from '../hooks/hook.ts'
import type { HookChain } from '../hooks/hook-chain.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { Model } from '../models/model.ts'
import type { SessionLost, TurnLog } from '../sessions/turn-log.ts'
import type { RegisteredTool, ToolRegistry } from '../tools/tool.ts'

export interface AgentParts {
  gateway: Pick<
    Gateway,
    'guard' | 'intercept' | 'cancel' | 'get' | 'list' | 'report' | 'waiting' | 'turns' | 'session' | 'leases'
  >
  model: Model
  tools: ToolRegistry
  hooks: HookChain
  media: MediaStore
  /** The folder that the tools work in. */
  workspace: string
  clock: Clock
  /** At least 0 and less than 1. */
  random: () => number
  /** Told of faults that nobody waits for. */
  report: (fault: { doing: string; error: unknown }) => void
  /** Where this process is, so that others find out that it has ended before its leases do. */
  place?: {
    name: string
    /** Whether the process at that place is known to be no more. False where nothing is known. */
    hasEnded(name: string): boolean
  }
  settings: AgentSettings
}

export interface AgentSettings {
  name: string
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
  readonly parts: AgentParts
  readonly session: string
  readonly parentSession: string | undefined
  /** As whom calls are made: the session's owner. */
  readonly actor: Actor
  readonly turn: string
  readonly parentTurn: string | undefined
  readonly agent: AgentLineage
  readonly instructions: string
  readonly origin: Origin | undefined
  /** Who said what the turn is about. */
  readonly by: string
  readonly log: TurnLog
  /** Tools of this turn: all of the agent's, and those that hooks have added to it. */
  findTool(name: string): RegisteredTool | undefined
  listTools(): RegisteredTool[]
  addTool(tool: RegisteredTool): void
  emit(body: TurnEventBody): void
  /** Throws where this process may not go on with the turn: to be asked right before anything is done. */
  confirm(): Promise<void>
  /** Aborts when everything must stop at once, when this process is closing, or when another has taken the turn over. */
  readonly stop: AbortSignal
  /** A part of it was done by a process that has ended. */
  readonly isResumed: boolean
  /** Takes a question back that nobody needs to answer any more. */
  withdraw(request: string): void
  /** Stops everything in the turn at once, for this reason. */
  stopAll(over: TurnOver | SessionLost): void
  /** Requests that wait for a person; cancelled where the turn is stopped. */
  readonly waiting: Map<string, WaitingCall>
  /** Whether what has not begun is to be skipped. */
  isWindingUp(): boolean
  /** Calls run one after the other, in the order in which they may. */
  lane<T>(work: () => Promise<T>): Promise<T>
  /** Whether the task of this call was begun and not ended. */
  isTaskOpen(call: string): Promise<boolean>
  /** Has another agent do a task, and gives its last word. */
  startSubAgent(task: SubAgentTask): Promise<{ status: TurnStatus; text: string; reason?: string }>
}

export interface WaitingCall {
  call: string
  tool: string
  arguments: JsonObject
}

export interface SubAgentTask {
  call: string
  task: string
  agent?: string
  signal: AbortSignal
}

/** The turn is over before its end. */
export class TurnOver extends Error {
  readonly status: TurnStatus

  constructor(status: TurnStatus, reason: string) {
    super(reason)
    this.name = 'TurnOver'
    this.status = status
  }
}

export function hookContext(state: TurnState, step: number, signal: AbortSignal = state.stop): HookContext {
  return {
    session: state.session,
    turn: state.turn,
    ...defined({ parentTurn: state.parentTurn }),
    step,
    agent: state.agent,
    ...defined({ origin: state.origin }),
    by: state.by,
    signal,
  }
}

export function invalid(because: string): Refusal {
  return { state: 'invalid', because, mayRetry: true }
}
