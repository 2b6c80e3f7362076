/** One session, as this process hosts it: its log, its events, its engine, and the turn that runs. */
import type { AgentLineage, Origin } from '../../core/call.ts'
import type { TurnEventBody } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import type { Engine, EventContext, OpenEngine } from './engine.ts'
import type { SessionHostParts } from './host-parts.ts'
import type { EventBuffer } from './log/event-buffer.ts'
import type { TurnLog } from './log/turn-log.ts'
import type { SessionLease } from './nodes/session-lease.ts'
import type { TurnOutcome } from './turn-over.ts'

export interface HostedSession {
  readonly session: string
  readonly parent: string | undefined
  /** The session's owner, as whom all calls are made. */
  readonly actor: Actor
  readonly log: TurnLog
  /** Of the conversation that people listen to: a sub-agent writes in that of the one who started it. */
  readonly events: EventBuffer
  /** Fixed by the first message. */
  agent: AgentLineage
  /** Absent where this process doesn't have the session's agent: others run its turns. */
  engine: Engine | undefined
  opened: OpenedEngine | undefined
  /** Its engine is on its way out; the lease is given back when it has ended. */
  closing: Promise<void> | undefined
  running: RunningTurn | undefined
  /** What a person was asked in a turn that another process runs, by request. */
  readonly awaited: Map<string, AwaitedRequest>
  /** How many use it: it is not let go of meanwhile. */
  holders: number
  /** Messages are taken one after the other. */
  queue: Promise<unknown>
}

export interface OpenedEngine {
  readonly engine: Promise<OpenEngine>
  /** Between the turns of an engine that keeps it. */
  lease: SessionLease | undefined
  idle: { cancel(): void } | undefined
  /** It has said that it can't go on. */
  hasFailed?: true
}

export interface WaitingCall {
  call: string
  tool: string
  arguments: JsonObject
}

export interface AwaitedRequest extends WaitingCall {
  session: string
  agent: AgentLineage
  isWaiting: boolean
}

export interface RunningTurn {
  readonly turn: string
  /** Stops everything at once. */
  readonly controller: AbortController
  /** Lets nothing new begin. */
  readonly windUp: AbortController
  /** Requests that wait for a person; cancelled where the turn is stopped. */
  readonly waiting: Map<string, WaitingCall>
  /** Called when a message has been written. */
  readonly listeners: Set<() => void>
  /** From here on nothing more is taken into this turn. */
  ending: boolean
  /** Its engine did not stop in time. */
  isLetGo: boolean
  readonly steering: Set<Promise<unknown>>
  /** How often the model was asked, as far as was told. */
  step: number
  done: Promise<TurnOutcome | undefined>
}

export interface TurnStart {
  turn: string
  /** The turn of the conversation that people listen to. */
  shownTurn: string
  parentTurn: string | undefined
  by: string
  origin: Origin | undefined
  /** A part of it was done by a process that has ended. */
  isResumed: boolean
  /** The right to run it. A task that is part of a turn runs by that of the turn. */
  lease: Pick<SessionLease, 'confirm'> & Partial<SessionLease>
  /** Of whoever started this one. */
  parentWindUp?: AbortSignal
}

export function emit(
  { clock }: Pick<SessionHostParts, 'clock'>,
  hosted: HostedSession,
  { turn, shownTurn }: Pick<TurnStart, 'turn' | 'shownTurn'>,
  body: TurnEventBody,
): void {
  const { session, agent, events } = hosted
  // A task that is part of a turn has its own beginning and end: see sub_began and sub_ended.
  if (hosted.parent !== undefined && (body.kind === 'turn_begun' || body.kind === 'turn_ended')) return
  const event = events.write(shownTurn, { session, agent, at: clock.now(), ...body })
  if (hosted.running?.turn === turn && 'step' in body) hosted.running.step = body.step
  hosted.engine?.observe?.({ ...event, turn }, contextOf(hosted, turn))
}

function contextOf({ log, running, actor }: HostedSession, turn: string): EventContext {
  const begun = log.entries.findLast((entry) => entry.kind === 'begun' && entry.turn === turn)
  const step = running?.turn === turn ? running.step : 0
  if (begun?.kind !== 'begun') return { step, message: '', by: actor.subject }
  const { text: message, by, origin, task } = begun
  return { step, message, by, ...defined({ origin, parentTurn: task?.parentTurn }) }
}

/** A message is in the log: the engine may hear it, and listeners are told. */
export function steered(
  parts: Pick<SessionHostParts, 'clock'>,
  hosted: HostedSession,
  running: RunningTurn,
  { text, by }: { text: string; by: string },
): void {
  const { turn } = running
  emit(parts, hosted, { turn, shownTurn: turn }, { kind: 'steered', text, by })
  for (const call of [...running.listeners]) call()
}
