/**
 * The model's contract. A model is asked with the whole conversation and streams its answer. It MUST give the raw text of
 * each call's arguments, as the model wrote it: the loop reads it strictly, and what is not plain JSON runs nothing.
 *
 * A model MUST stop when the signal aborts. It throws a `ModelFault` for what went wrong on the way, which says whether the
 * same question may be put again.
 */
import type { Usage } from '../../core/conversation.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'

export interface Model {
  /** As people know it: `anthropic/claude-…`, `scripted/weather`. */
  readonly name: string
  /** Loads what it needs. Rejects where something is missing, which `stream` would tell only later. */
  prepare?(): Promise<void>
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  /** A hook may choose another. Absent: the one that is configured. */
  model?: string
  messages: ModelMessage[]
  tools: ModelTool[]
  maxTokens?: number
  temperature?: number
}

export type ModelMessage =
  | { role: 'system'; text: string }
  | { role: 'user'; text: string; media?: ModelMedia[] }
  | { role: 'assistant'; text: string; reasoning?: string; calls: ModelCall[]; provider?: JsonValue }
  | { role: 'tool'; callId: string; tool: string; text: string; isError: boolean; media?: ModelMedia[] }

/** `id` is the loop's own, unique in the conversation, whatever the model had called it. */
export interface ModelCall {
  id: string
  tool: string
  argumentsText: string
  provider?: JsonValue
}

export interface ModelMedia {
  type: string
  data: Uint8Array
}

export interface ModelTool {
  name: string
  description: string
  schema: JsonObject
}

export type ModelEvent =
  | { kind: 'text'; delta: string }
  | { kind: 'reasoning'; delta: string }
  | { kind: 'call'; id: string; tool: string; argumentsText: string; provider?: JsonValue }
  /** The last one. `provider`: what has to go back with the answer. */
  | { kind: 'end'; finish: ModelFinish; usage: Usage; provider?: JsonValue }

/** `length`: it was cut off, and a call that is there may not be whole. */
export type ModelFinish = 'stop' | 'calls' | 'length' | 'filtered' | 'other'

export class ModelFault extends Error {
  /** Whether asking again may help: a busy server, a lost connection. */
  readonly mayRetry: boolean
  /** What the server said about when. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, about: { mayRetry: boolean; retryAfterMs?: number }, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ModelFault'
    this.mayRetry = about.mayRetry
    this.retryAfterMs = about.retryAfterMs
  }
}
