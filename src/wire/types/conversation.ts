/** Written by `npm run generate:wire` from src/wire/conversation.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { AgentLineage, Origin } from '../../core/call.ts'
import type {
  InterruptionKind,
  MediaItem,
  OfferedTool,
  Refusal,
  SubTask,
  TurnStatus,
  Usage,
} from '../../core/conversation.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { RequestState } from '../../core/request-state.ts'
import type { Role } from '../../core/session.ts'

/** The answer to words that were said. */
export interface WireSaid {
  turn: string
  kind: 'begun' | 'steered'
  /** The id of an event: what the words led to follows it. */
  after: string
}

/** What people see of a call. */
export interface ShownCall {
  /** Masked where a value has the shape of a secret, and cut with marks where they are long. */
  arguments: JsonObject
  /** In one line. */
  summary: string
}

export type WireTurnEventBody =
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
  | {
      kind: 'model_answered'
      step: number
      text: string
      reasoning?: string
      calls: number
      usage: Usage
    }
  | { kind: 'model_retried'; attempt: number; of: number; delayMs: number; because: string }
  /** The model wants it. Nothing has been judged yet. */
  | {
      kind: 'call_proposed'
      call: string
      tool: string
      /** Masked where a value has the shape of a secret, and cut with marks where they are long. */
      arguments: JsonObject
      /** In one line. */
      summary: string
      step: number
      index: number
      of: number
    }
  /** A person is asked. */
  | {
      kind: 'call_waiting'
      call: string
      tool: string
      /** Masked where a value has the shape of a secret, and cut with marks where they are long. */
      arguments: JsonObject
      /** In one line. */
      summary: string
      request: string
    }
  | {
      kind: 'call_started'
      call: string
      tool: string
      /** Masked where a value has the shape of a secret, and cut with marks where they are long. */
      arguments: JsonObject
      /** In one line. */
      summary: string
      request?: string
    }
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
  | {
      kind: 'call_refused'
      call: string
      tool: string
      /**
       * denied by the policy or a hook, a state of the request, invalid for a call that is none, error for a
       * fault.
       */
      state: 'denied' | 'invalid' | 'skipped' | 'error' | RequestState
      /** Why, in a sentence. For people it is in the reader's language. */
      because: string
      /**
       * The same as a code with its values, which are shown like arguments. Absent on what an earlier version
       * wrote.
       */
      reason?: Reason
      /** The person or hook who said so. */
      by?: string
      mayRetry: boolean
      request?: string
    }
  /** A person gave the result. */
  | {
      kind: 'call_answered'
      call: string
      tool: string
      text: string
      by: string
      request: string
    }
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
      /** The last words, empty where there are none. */
      text: string
      reason?: string
      /** Who ended the session. */
      endedBy?: {
        by: string
        /** In their own words. */
        reason?: string
      }
      usage: Usage
      steps: number
      durationMs: number
    }

/** The SSE event has its kind for a name and its id for an id. */
export type WireTurnEvent = {
  id: string
  turn: string
  /** Where it happened: the session itself, or one that it started. */
  session: string
  agent: AgentLineage
  at: string
} & WireTurnEventBody

export type WireLoggedCall = { id: string; tool: string } & (
  | ShownCall
  | {
      /** What the model wrote in the place of arguments, where it can't be read. */
      unreadable: string
    }
)

/** What is kept of a conversation. */
export type WireTurnEntry =
  | {
      kind: 'begun'
      turn: string
      at: string
      text: string
      by: string
      origin?: Origin
      task?: SubTask
      /** Absent: the default agent. */
      agent?: string
    }
  | { kind: 'steered'; turn: string; at: string; text: string; by: string }
  | {
      kind: 'answered'
      turn: string
      at: string
      step: number
      model: string
      text: string
      reasoning?: string
      calls: WireLoggedCall[]
      usage: Usage
      /** How many of the words that steered the turn the model had heard when it answered. */
      heard: number
      /** Tools that hooks had added to the question: what is called may be one of them. */
      offered?: OfferedTool[]
      /** The answer was cut off: a call in it may not be whole, and none of them runs. */
      cutOff?: true
    }
  | {
      kind: 'result'
      turn: string
      at: string
      step: number
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
  /** The session was made before anybody said anything in it. It is of no turn: `turn` is `t0`. */
  | { kind: 'opened'; turn: string; at: string; by: string; agent?: string }
  /** Said of a turn that another process may be running: the process that runs it, or takes it up, stops. */
  | {
      kind: 'interrupted'
      turn: string
      at: string
      how: InterruptionKind
      by: string
      role: Role
      reason?: string
    }
  /**
   * A process has taken up what another left unfinished. From here on nothing that the other still writes is
   * taken.
   */
  | { kind: 'resumed'; turn: string; at: string }
  /** What an engine wants to find again, such as the id of its own transcript. */
  | { kind: 'note'; turn: string; at: string; engine: string; data: JsonValue }
  /** A person wants no more of this kind in this session. */
  | { kind: 'barred'; turn: string; at: string; shape: string; by: string }
  | {
      kind: 'ended'
      turn: string
      at: string
      status: TurnStatus
      text: string
      reason?: string
      /** Who ended the session. */
      endedBy?: {
        by: string
        /** In their own words. */
        reason?: string
      }
      usage: Usage
      steps: number
    }
  /** Its content was erased after the retention time. */
  | { kind: 'erased' }
