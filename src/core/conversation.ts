/**
 * A conversation with an agent of ours: what those can do who talk to it, what they see of it while it goes on, and
 * what is kept of it. The agent is in `agents/`, those who talk to it are in `people/`, `http/` and `cli/`; this is
 * what they agree on.
 *
 * One turn at a time runs in a session. Whoever says something while one runs steers it. All that happens is told as
 * numbered events, and what must outlive a restart is a log of entries in the store. Several processes may serve the same
 * sessions: one of them runs a turn, and at the others all of these work too. There, what happens is told from the log, a
 * second late at most, and without pieces of text.
 */

import type { AgentLineage, Origin } from './call.ts'
import type { JsonObject, JsonValue } from './json/json.ts'
import type { SessionProgress } from './progress.ts'
import type { Reason } from './reasons/reason.ts'
import type { RequestState } from './request.ts'
import type { Actor, Role } from './session.ts'

export interface Conversations {
  /** Begins a turn, or steers or interrupts the one that runs, as its engine wants it. Who says the first word in a session owns it. People only (P11). */
  say(saying: Saying, actor: Actor): Promise<Said>
  /**
   * `graceful` lets what runs finish, skips what has not begun, and has the model say a last word without tools. `hard`
   * stops everything at once: what waits is cancelled, what runs is told to stop. False when no turn runs.
   */
  interrupt(session: string, input: Interruption, actor: Actor): Promise<boolean>
  /**
   * What happens in the session and in what it starts. Absent `after`: from now on. With the id of an event: what
   * followed it; what can't be shown any more is told again from the beginning of its turn. It ends when the signal
   * aborts or the agent is closed, and not with a turn.
   */
  events(session: string, options: EventOptions, actor: Actor): AsyncIterable<TurnEvent>
  /** What was kept, from the entry with this index on. */
  entries(
    session: string,
    page: { after?: number; limit?: number },
    actor: Actor,
  ): Promise<{ entries: TurnEntry[]; more: boolean }>
  /** The turn that runs, here or at another process; undefined when none does, or when the session is unknown or someone else's. */
  running(session: string, actor: Actor): Promise<string | undefined>
  /** How far the newest turn is, from whatever process. */
  progress(session: string, actor: Actor): Promise<SessionProgress>
  /** What an agent is, for people: its model, and its tools with those that hooks have brought. Absent: the default agent. */
  describe(agent?: string): AgentDescription
  /** Stops taking words, lets go of what runs (it resumes at the next start), and resolves when nothing is left. */
  close(): Promise<void>
}

export interface AgentDescription {
  name: string
  /** All agents here, where there are several. */
  agents?: string[]
  model: string
  tools: { name: string; description: string; providedBy?: string }[]
}

export interface Saying {
  session: string
  text: string
  /** Where it was said, so that people are asked where they can answer. */
  origin?: Origin
  /** Whom it is said to. It is fixed by the first message of a session; absent there: the default agent. */
  agent?: string
}

/** A session that is made before anybody says anything in it. */
export interface SessionOpening {
  session: string
  /** Absent: the default agent. */
  agent?: string
}

export interface Said {
  turn: string
  kind: 'begun' | 'steered'
  /** The id of an event: what the words led to follows it. */
  after: string
}

export const INTERRUPTION_KINDS = ['graceful', 'hard'] as const

export type InterruptionKind = (typeof INTERRUPTION_KINDS)[number]

export interface Interruption {
  kind: InterruptionKind
  reason?: string
}

export interface EventOptions {
  after?: string
  signal?: AbortSignal
}

/** How a turn ended. `terminated`: a person ended the session. `aborted`: as if it had never been (a hook's hard abort). */
export const TURN_STATUSES = ['completed', 'interrupted', 'limit', 'failed', 'aborted', 'terminated'] as const

export type TurnStatus = (typeof TURN_STATUSES)[number]

export interface Usage {
  inputTokens: number
  outputTokens: number
  /** What it cost, as the engine estimates it. Absent: it doesn't say. */
  costUsd?: number
}

/** Something that was shown besides text. `id` names it on the media shelf. */
export interface MediaItem {
  id: string
  type: string
  name?: string
}

/**
 * One thing that happened. Its `id` begins with the turn of the session that is listened to, and what follows the last dash
 * is opaque. It names a place at the process that told it; from any other the turn is told again from its beginning.
 */
export type TurnEvent = {
  id: string
  turn: string
  /** Where it happened: the session itself, or one that it started. */
  session: string
  agent: AgentLineage
  at: number
} & TurnEventBody

export type TurnEventBody =
  | { kind: 'turn_begun'; text: string; by: string; resumed?: true }
  | {
      kind: 'model_called'
      step: number
      model: string
      messages: number
      tools: number
      maxTokens?: number
      temperature?: number
    }
  | { kind: 'thinking'; delta: string }
  | { kind: 'text'; delta: string }
  | { kind: 'model_answered'; step: number; text: string; reasoning?: string; calls: number; usage: Usage }
  | { kind: 'model_retried'; attempt: number; of: number; delayMs: number; because: string }
  /** The model wants it. Nothing has been judged yet. */
  | {
      kind: 'call_proposed'
      call: string
      tool: string
      arguments: JsonObject
      step: number
      index: number
      of: number
    }
  /** A person is asked. */
  | { kind: 'call_waiting'; call: string; tool: string; arguments: JsonObject; request: string }
  | { kind: 'call_started'; call: string; tool: string; arguments: JsonObject; request?: string }
  | {
      kind: 'call_finished'
      call: string
      tool: string
      ok: boolean
      text: string
      durationMs: number
      request?: string
      media?: MediaItem[]
      /** A hook gave the result, and nothing ran. */
      replacedBy?: string
    }
  | ({ kind: 'call_refused'; call: string; tool: string } & Refusal)
  /** A person gave the result. */
  | { kind: 'call_answered'; call: string; tool: string; text: string; by: string; request: string }
  /** For the person, past the model. */
  | { kind: 'shown'; text?: string; media?: MediaItem[]; tool: string }
  /** All results of a step go back to the model. */
  | { kind: 'observing'; step: number; results: number }
  | { kind: 'steered'; text: string; by: string }
  | { kind: 'interrupted'; how: InterruptionKind; by: string; reason?: string }
  | { kind: 'sub_began'; child: string; task: string }
  | { kind: 'sub_ended'; child: string; status: TurnStatus }
  | { kind: 'failed'; stage: string; message: string }
  | {
      kind: 'turn_ended'
      status: TurnStatus
      /** The last word, empty where there is none. */
      text: string
      reason?: string
      endedBy?: SessionEnder
      usage: Usage
      steps: number
      durationMs: number
    }

/** Who ended the session, and the reason that they gave, in their own words. */
export interface SessionEnder {
  by: string
  reason?: string
}

/** Why a call did not run, as the model is told it too. */
export interface Refusal {
  /** `denied` by the policy or a hook, a state of the request, `invalid` for a call that is none, `error` for a fault. */
  state: 'denied' | 'invalid' | 'skipped' | 'error' | RequestState
  because: string
  /** What the sentence was made of. Absent in what an earlier version wrote. */
  reason?: Reason
  /** The person or hook who said so. */
  by?: string
  mayRetry: boolean
  request?: string
}

/** What is kept of a conversation, in order. Positions are the turn log's. */
export type TurnEntry =
  /** The session was made before anybody said anything in it: whose it is and which agent it has is fixed. It is of no turn, `t0`. */
  | { kind: 'opened'; turn: string; at: number; by: string; agent?: string }
  | {
      kind: 'begun'
      turn: string
      at: number
      text: string
      by: string
      origin?: Origin
      task?: SubTask
      /** Absent: the default agent. */
      agent?: string
    }
  | { kind: 'steered'; turn: string; at: number; text: string; by: string }
  | {
      kind: 'answered'
      turn: string
      at: number
      step: number
      model: string
      text: string
      reasoning?: string
      calls: LoggedCall[]
      usage: Usage
      /** How many of the words that steered the turn the model had heard when it answered. */
      heard: number
      /** Tools that hooks had added to the question: what is called may be one of them. */
      offered?: OfferedTool[]
      /** The answer was cut off: a call in it may not be whole, and none of them runs. */
      cutOff?: true
      /** What the provider wants to see again with this answer, such as signatures. */
      provider?: JsonValue
    }
  | ({ kind: 'result'; turn: string; at: number; step: number } & CallResult)
  /** Said of a turn that another process may be running: whoever runs it, or takes it up, stops. */
  | {
      kind: 'interrupted'
      turn: string
      at: number
      how: InterruptionKind
      by: string
      role: Role
      reason?: string
    }
  /** A process has taken up what another left unfinished. From here on nothing that the other still writes is taken. */
  | { kind: 'resumed'; turn: string; at: number }
  /** What an engine wants to find again, such as the id of its own transcript. No event tells it, and it holds no secrets. */
  | { kind: 'note'; turn: string; at: number; engine: string; data: JsonValue }
  /** A person wants no more of this kind in this session. */
  | { kind: 'barred'; turn: string; at: number; shape: string; by: string }
  | {
      kind: 'ended'
      turn: string
      at: number
      status: TurnStatus
      text: string
      reason?: string
      endedBy?: SessionEnder
      usage: Usage
      steps: number
    }
  /** Its content was erased after the retention time. */
  | { kind: 'erased' }

/** A tool that a hook provides. */
export interface OfferedTool {
  name: string
  description: string
  schema: JsonObject
  hook: string
}

/** A call as the model made it. */
export interface LoggedCall {
  /** Ours: `<turn>.<step>.<index>`. */
  id: string
  /** The model's own, which some servers use twice. */
  modelId: string
  tool: string
  /** The raw text, as it came. */
  argumentsText: string
  provider?: JsonValue
}

/** What became of a call, as the model is told. */
export interface CallResult {
  call: string
  tool: string
  outcome: 'ran' | 'failed' | 'refused' | 'answered' | 'replaced'
  text: string
  /** Of the call that was judged, where one was. */
  digest?: string
  /** What kind of call it was: variants of one call have the same. */
  shape?: string
  refusal?: Refusal
  media?: MediaItem[]
  /** The person has been served: the model need not say it again. */
  handled?: true
}

export interface SubTask {
  parentSession: string
  parentTurn: string
  call: string
}
