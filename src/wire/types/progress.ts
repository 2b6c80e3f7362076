/** Written by `npm run generate:wire` from src/wire/progress.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { AgentLineage } from '../../core/call.ts'
import type { TurnStatus, Usage } from '../../core/conversation.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { RequestKind } from '../../core/request-state.ts'
import type { Mode } from '../../core/session.ts'

export interface WireTurnProgress {
  id: string
  /** What somebody said. */
  text: string
  by: string
  begunAt: string
  /** When the newest thing happened. ISO 8601, in UTC. */
  since: string
  /** How often the model has answered. */
  steps: number
  /** The model's newest words, the newest last: of each answer that had some, a few at most. */
  said: string[]
  /** How many calls there were, those of sub-agents too. */
  calls: number
  /** The newest calls, the newest last. */
  recent: {
    /** The session itself, or one that it started. */
    session: string
    call: string
    tool: string
    /** Masked where a value has the shape of a secret, and cut with marks where they are long. */
    arguments: JsonObject
    /** In one line. */
    summary: string
    /** Since when it is in this state. ISO 8601, in UTC. */
    since: string
    state: 'proposed' | 'waiting' | 'running' | 'done' | 'failed' | 'refused' | 'answered'
  }[]
  /** Requests that wait for a person, in sub-agents too. */
  waiting: {
    /** The session itself, or one that it started. */
    session: string
    call: string
    tool: string
    /** Masked where a value has the shape of a secret, and cut with marks where they are long. */
    arguments: JsonObject
    /** In one line. */
    summary: string
    /** Since when it is in this state. ISO 8601, in UTC. */
    since: string
    request: string
    kind: RequestKind
  }[]
  ended?: { at: string; status: TurnStatus; text: string; reason?: string; usage: Usage }
}

export interface WireProgress {
  session: string
  agent: AgentLineage
  /** waiting: a turn runs, and a person is asked. idle: no turn runs. */
  state: 'idle' | 'running' | 'waiting'
  /** The newest turn. Absent where nobody has said anything yet, or all of it was erased. */
  turn?: WireTurnProgress
  /** Of a coding session: where it works. So are all that follow. */
  folder?: string
  /** In which mode its calls are judged. */
  mode?: Mode
  /** How long the turn has run; 0 where none does. */
  elapsedMs?: number
  /** Over all turns. */
  used?: {
    turns: number
    /** The time in which turns ran, without waiting for people. */
    workedMs: number
    /** As the engine tells it. Absent: it doesn't. */
    costUsd?: number
  }
  /** What it may use before its owner is asked. */
  limits?: { turns?: number; workedMs?: number; costUsd?: number }
}
