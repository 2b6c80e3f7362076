/** How far the newest turn of a session is: what people ask an agent that works in the background. */
import type { AgentLineage } from './call.ts'
import type { TurnStatus, Usage } from './conversation.ts'
import type { JsonObject } from './json/json.ts'
import type { RequestKind } from './request-state.ts'

/** A snapshot. At a process that doesn't run the turn it is a second late at most, and doesn't know which calls run right now. */
export interface SessionProgress {
  session: string
  agent: AgentLineage
  /** `waiting`: a turn runs, and a person is asked. `idle`: no turn runs. */
  state: 'idle' | 'running' | 'waiting'
  /** Absent where nobody has said anything yet, or all of it was erased. */
  turn?: TurnProgress
}

export interface TurnProgress {
  id: string
  /** What somebody said, and who. */
  text: string
  by: string
  begunAt: number
  /** When the newest thing happened. */
  since: number
  /** How often the model has answered. */
  steps: number
  /** The model's words, the newest last: of each answer that had some, a few at most. */
  said: string[]
  /** How many calls there were, those of sub-agents too. */
  calls: number
  /** The newest calls, the newest last. */
  recent: ProgressCall[]
  /** Requests that wait for a person, in sub-agents too. */
  waiting: ProgressWaiting[]
  ended?: { at: number; status: TurnStatus; text: string; reason?: string; usage: Usage }
}

export interface ProgressCall {
  /** The session that makes it: this one, or that of a sub-agent. */
  session: string
  call: string
  tool: string
  arguments: JsonObject
  state: 'proposed' | 'waiting' | 'running' | 'done' | 'failed' | 'refused' | 'answered'
  /** Since when it is in this state. */
  since: number
}

export interface ProgressWaiting {
  session: string
  request: string
  kind: RequestKind
  call: string
  tool: string
  arguments: JsonObject
  since: number
}

/** Whether what waits for people is questions alone: then an answer is wanted, and no approval. */
export function waitsForAnswer(waiting: readonly { kind: RequestKind }[]): boolean {
  return waiting.length > 0 && waiting.every(({ kind }) => kind === 'question')
}
