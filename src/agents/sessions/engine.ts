/**
 * Engine: what runs the turns of a session. The session host calls it; the host keeps the log, numbers the events, holds the lease,
 * takes messages and stops from any process, and takes over what another process left. Our ReAct loop (`agents/loop`) is one engine.
 * Every engine passes `describeEngine` in `testing/engine-suite.ts`.
 *
 * What MUST hold
 * - The host calls `open` once for a session, and only while this process has the session's lease. `lease: 'turn'` opens for one
 *   turn and gives the lease back after it. `lease: 'open'` keeps engine and lease between turns, until `idleMs` have passed without
 *   one: for engines that have a process or a transcript here. Everything that the engine starts ends with `close`, or before it.
 * - `runTurn` runs to one outcome. `heard` says how many of `messages()` the model has been given. If there are more when a completed
 *   turn is about to end, the host calls `runTurn` again with the same turn, and the engine must hear them then. An engine that can't
 *   be steered in between leaves them until then; one that can is told by `onMessage`.
 * - Every tool call goes through `turn.hold` or `turn.guard`, with an id that is the same after a restart, and right before anything
 *   runs `turn.confirmLease` is awaited. If one of them throws or refuses, nothing runs (P5).
 * - What the model said, and what came of a call, is appended to the log before anybody acts on it.
 * - After `stop` the promise of `runTurn` settles within ten seconds, with everything ended that it had started. The host doesn't wait
 *   longer than fifteen: it closes the engine. Where the reason of `stop` is a `TurnOver` that is how the turn ends. Any other reason
 *   means that the turn isn't over (this process closes, or has lost the lease): the engine throws, and another process goes on.
 * - After `windUp` nothing new begins. What runs may finish, and the model may say a last word. The outcome is then `interrupted`.
 * - A turn that is `resumed` was begun by another process. The engine reads the log and its last note, and never runs again what may
 *   have run: it asks the guard with the same call id, which refuses a call that ran and says `unknown` where nobody can tell.
 * - An error that `runTurn` throws by itself ends the turn as `failed`. Errors of the store, and `closed`, hold it up instead: the
 *   host calls again later, with `resumed`.
 *
 * What MUST NOT happen
 * - An engine doesn't touch the store, leases or other sessions, and doesn't decide in people's place.
 * - It writes no entry of the host's (`opened`, `begun`, `steered`, `interrupted`, `resumed`, `ended`), and emits nothing that isn't true yet.
 * - It takes no identity, session or mode from the model. The host puts session, lineage, owner and origin on every call.
 * - Notes hold no secrets: whoever may read the session can read them.
 */
import type { AgentLineage, Origin, ToolCall } from '../../core/call.ts'
import type { AgentDescription, TurnEntry, TurnEvent, TurnEventBody } from '../../core/conversation.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import type { AsActor } from '../../gateway/guarding/guard.ts'
import type {
  GuardOptions,
  GuardResult,
  Held,
  HoldOptions,
  NotRun,
  Replayed,
  RunTool,
} from '../../guard/contract.ts'
import type { SessionLost } from './log/turn-log.ts'
import type { TurnOutcome, TurnOver } from './turn-over.ts'

export interface Engine {
  /** What it is, in notes and in the configuration. */
  readonly kind: string
  readonly lease: 'turn' | 'open'
  /** With `lease: 'open'`: it is closed after so long without a turn. Absent: after ten minutes. */
  readonly idleMs?: number
  /**
   * What a message does while a turn runs. `steer`: it is put into the turn. `interrupt`: the turn is interrupted, at once, and the
   * message begins the next one when it is over. Absent: `steer`.
   */
  readonly whenBusy?: 'steer' | 'interrupt'
  describe(): Omit<AgentDescription, 'name'>
  open(session: EngineSession): Promise<OpenEngine>
  /** Told of each event in its sessions at this process. It must return at once, and not throw. */
  observe?(event: TurnEvent, about: EventContext): void
}

/** The turn that an event is of, as it stood then. */
export interface EventContext {
  /** How often the model was asked. */
  step: number
  /** What the turn is about, and who said it where. */
  message: string
  by: string
  origin?: Origin
  parentTurn?: string
}

/** An engine at one session. */
export interface OpenEngine {
  runTurn(turn: EngineTurn): Promise<TurnOutcome & { heard: number }>
  /** Ends everything that the engine has started for the session. Not called while a turn runs, except where the host lets go of it. */
  close(reason: EngineCloseReason): Promise<void>
}

/**
 * `ended`: the turn of an engine with `lease: 'turn'` is over. `idle`: no turn for `idleMs`, or a person put the session to sleep. `closing`: this process ends. `lost`:
 * another process has the session. `failed`: the engine failed, or didn't stop in time; a new one is opened for the next turn.
 */
export type EngineCloseReason = 'ended' | 'idle' | 'closing' | 'lost' | 'failed'

export interface EngineSession {
  readonly id: string
  /** The session that started this one. */
  readonly parent: string | undefined
  /** The name of the agent, and of those that started it. */
  readonly agent: AgentLineage
  /** As whom all calls are made. */
  readonly owner: Actor
  /** The log so far. */
  entries(): readonly TurnEntry[]
  /** The last note that an engine of this kind appended, here or at another process. */
  note(): JsonValue | undefined
  /** Something that the engine needs has ended between turns. The host closes it, and opens a new one for the next turn. */
  failed(error: unknown): void
}

export interface EngineTurn {
  readonly id: string
  /** The turn that started this one as a task. */
  readonly parentTurn: string | undefined
  readonly text: string
  readonly by: string
  readonly origin: Origin | undefined
  readonly resumed: boolean
  /** Aborts when everything must stop at once. */
  readonly stop: AbortSignal
  /** Aborts when nothing new is to begin. */
  readonly windUp: AbortSignal
  /** What people said since the turn began, in the order of the log. */
  messages(): readonly SteeredEntry[]
  /** Calls back each time there is one more. */
  onMessage(call: () => void): { remove(): void }
  append(entry: EngineEntry): Promise<void>
  emit(body: EngineEvent): void
  /** Rejects where this process may not go on with the turn, or can't know. */
  confirmLease(): Promise<void>
  /** The request, if there is one, is announced, and withdrawn when the turn is stopped. */
  hold(call: EngineCall, options?: EngineOptions<HoldOptions>): Promise<Held | Replayed | NotRun>
  guard<T>(call: EngineCall, run: RunTool<T>, options?: EngineOptions<GuardOptions>): Promise<GuardResult<T>>
  /** Aborts `stop`: a part of the turn has found that the whole of it is over. */
  end(reason: TurnOver | SessionLost): void
  /** Has an agent on the same engine do a task, in a session of its own below this one. Asked again, it goes on with the task. */
  runChild(task: ChildTask): Promise<TurnOutcome>
  /** Whether the task of this call was begun and not ended. */
  isChildOpen(call: string): Promise<boolean>
}

export interface ChildTask {
  /** The call that the task belongs to: the name of the child's session follows from it. */
  call: string
  text: string
  /** The child's name. */
  agent: string
  signal: AbortSignal
}

/** The host adds the signal and the owner. */
export type EngineOptions<Options> = Omit<Options, 'signal'> & Pick<AsActor, 'asks' | 'expiresInMs'>

/** The host adds session, lineage and origin. */
export interface EngineCall extends Omit<ToolCall, 'session' | 'agent' | 'parentSession' | 'origin'> {
  /** The name of a sub-agent inside of the engine that makes the call. The host puts it below the session's agent. */
  subAgent?: string | undefined
}

type EntryOf<Kind extends TurnEntry['kind']> = Extract<TurnEntry, { kind: Kind }>
export type SteeredEntry = EntryOf<'steered'>
type WithoutPlace<T> = T extends unknown ? Omit<T, 'turn' | 'at'> : never
/** The host adds the turn and the time. */
export type EngineEntry = WithoutPlace<EntryOf<'answered' | 'result' | 'barred' | 'note'>>

type HostEvent =
  | 'turn_begun'
  | 'turn_ended'
  | 'steered'
  | 'interrupted'
  | 'call_waiting'
  | 'sub_began'
  | 'sub_ended'
export type EngineEvent = Exclude<TurnEventBody, { kind: HostEvent }>
