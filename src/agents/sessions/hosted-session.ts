/** One session of the agent, as this process holds it: its log, its book of events, and the turn that runs. */
import type { AgentLineage } from '../../core/call.ts'
import type { TurnEventBody } from '../../core/conversation.ts'
import type { Actor } from '../../core/session.ts'
import type { TurnOutcome } from '../loop/run-turn.ts'
import {
  type AgentParts,
  type SubAgentTask,
  TurnOver,
  type TurnState,
  type WaitingCall,
} from '../loop/turn-state.ts'
import type { RegisteredTool } from '../tools/tool.ts'
import type { EventBuffer } from './event-buffer.ts'
import type { SessionLease } from './session-lease.ts'
import type { TurnLog } from './turn-log.ts'

export interface HostedSession {
  readonly session: string
  readonly parent: string | undefined
  /** The session's owner, as whom all calls are made. */
  readonly actor: Actor
  readonly log: TurnLog
  /** Of the conversation that people listen to: a sub-agent writes in that of the one who started it. */
  readonly book: EventBuffer
  readonly agent: AgentLineage
  readonly instructions: string
  running: RunningTurn | undefined
  /** What a person was asked in a turn that another process runs, by request. */
  readonly awaited: Map<string, AwaitedRequest>
  /** How many use it: it is not let go of meanwhile. */
  holders: number
  /** Words are taken one after the other. */
  queue: Promise<unknown>
}

export interface AwaitedRequest extends WaitingCall {
  session: string
  agent: AgentLineage
  isWaiting: boolean
}

export interface RunningTurn {
  readonly turn: string
  readonly controller: AbortController
  readonly waiting: TurnState['waiting']
  windingUp: boolean
  /** From here on nothing more is taken into this turn. */
  ending: boolean
  steering: Set<Promise<unknown>>
  done: Promise<TurnOutcome | undefined>
}

export interface SubAgents {
  start(task: SubAgentTask, parent: TurnState): ReturnType<TurnState['startSubAgent']>
  isOpen(call: string, parent: TurnState): Promise<boolean>
}

export interface TurnStart {
  turn: string
  /** The turn of the conversation that people listen to. */
  shownTurn: string
  parentTurn: string | undefined
  by: string
  origin: TurnState['origin']
  /** A part of it was done by a process that has ended. */
  isResumed: boolean
  /** The right to run it. A task that is part of a turn runs by that of the turn. */
  tenure: Pick<SessionLease, 'confirm'> & Partial<SessionLease>
  /** Whether whoever started this one is winding up. */
  isParentWindingUp: () => boolean
  subAgents: SubAgents
}

export function createTurnState(
  parts: AgentParts,
  line: HostedSession,
  running: RunningTurn,
  start: TurnStart & {
    onToolAdded: (tool: RegisteredTool) => void
    /** Withdraws a request that this turn has just opened. */
    takeBack: (request: string) => void
  },
): TurnState {
  const added = new Map<string, RegisteredTool>()
  let lane: Promise<unknown> = Promise.resolve()

  const state: TurnState = {
    parts,
    session: line.session,
    parentSession: line.parent,
    actor: line.actor,
    turn: start.turn,
    parentTurn: start.parentTurn,
    agent: line.agent,
    instructions: line.instructions,
    origin: start.origin,
    by: start.by,
    log: line.log,
    findTool: (name) => parts.tools.find(name) ?? added.get(name),
    listTools: () => [...parts.tools.list(), ...added.values()],
    addTool(tool) {
      added.set(tool.tool.name, tool)
      start.onToolAdded(tool)
    },
    emit: (body) => emit(parts, line, start, body),
    confirm: () => start.tenure.confirm(),
    stop: running.controller.signal,
    withdraw: start.takeBack,
    isResumed: start.isResumed,
    stopAll: (over) => running.controller.abort(over),
    waiting: running.waiting,
    isWindingUp: () => running.windingUp || start.isParentWindingUp(),
    lane(work) {
      const done = lane.then(work, work)
      lane = done.catch(() => {})
      return done
    },
    isTaskOpen: (call) => start.subAgents.isOpen(call, state),
    startSubAgent: (task) => start.subAgents.start(task, state),
  }
  return state
}

export function emit(
  parts: AgentParts,
  line: HostedSession,
  { turn, shownTurn }: Pick<TurnStart, 'turn' | 'shownTurn'>,
  body: TurnEventBody,
): void {
  const { session, agent, book } = line
  // A task that is part of a turn has its own beginning and end: see sub_began and sub_ended.
  if (line.parent !== undefined && (body.kind === 'turn_begun' || body.kind === 'turn_ended')) return
  const event = book.write(shownTurn, { session, agent, at: parts.clock.now(), ...body })
  parts.hooks.tell({ ...event, turn })
}

/** Whether the turn is over for good, or goes on when the agent is started again. */
export function isOver(reason: unknown): reason is TurnOver {
  return reason instanceof TurnOver
}
