/**
 * The hook's contract: a function or a program that is consulted around model and tool calls. The same object can be
 * mounted in this process, or run as a program of its own (`runHook` of `banksman/hooks`), where the process on our side
 * stands for it.
 *
 * What a hook may do
 * - Any hook may narrow: deny a tool, end a turn.
 * - A trusted one (`trusted`) may also change what goes through it, answer in a tool's place, and offer tools of its own.
 *   What an untrusted one has changed is not quietly dropped: the call it was about is denied, with that reason.
 * - No hook can allow: policy and people are asked all the same, on the bytes as they are after all hooks.
 *
 * What happens when it fails. A hook that throws, dies, hangs, or answers what is not understood stops what it was
 * consulted about: a tool is denied, a result withheld, a turn ended. With `onFailure: 'continue'` it is passed over
 * instead, and policy and people alone decide. An approver that fails always denies.
 */
import type { AgentLineage, Origin } from '../../core/call.ts'
import type { MediaItem, TurnEvent, Usage } from '../../core/conversation.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { ModelCall, ModelMessage, ModelTool } from '../models/model.ts'
import type { EventContext } from '../sessions/engine.ts'

export interface Hook {
  beforeModel?(request: HookModelRequest, about: HookContext): HookAnswer<ModelRequestDecision>
  afterModel?(response: HookModelResponse, about: HookContext): HookAnswer<ModelResponseDecision>
  beforeTool?(call: HookCall, about: HookContext): HookAnswer<ToolDecision>
  afterTool?(result: HookResult, about: HookContext): HookAnswer<ResultDecision>
  /** False, with a reason, denies. True allows nothing by itself. */
  approveTool?(call: HookCall, about: HookContext): HookAnswer<{ approved: boolean; reason?: string }>
  /** Told of what happens. Nobody waits for it, and what it can't keep up with is dropped. */
  observe?(event: TurnEvent, about?: EventContext): void | Promise<void>
  close?(): Promise<void>
}

/** Nothing is `continue`. */
type HookAnswer<Decision> = Decision | undefined | Promise<Decision | undefined>

/** How a hook is mounted. */
export interface HookMount {
  name: string
  hook: Hook
  /** In-process hooks come first, then by priority, lowest first, then by name. */
  priority?: number
  kind: 'in_process' | 'process'
  trusted?: boolean
  onFailure?: 'deny' | 'continue'
  /** Which events it observes: our kinds, theirs, or all. Absent: all. */
  observes?: (event: TurnEvent) => boolean
  /** Tools that it answers for, by `beforeTool` with `respond`. */
  tools?: readonly HookTool[]
  timeouts?: Partial<HookTimeouts>
}

export interface HookTimeouts {
  observeMs: number
  interceptMs: number
  approveMs: number
}

export const DEFAULT_TIMEOUTS: HookTimeouts = { observeMs: 500, interceptMs: 5000, approveMs: 60_000 }

export interface HookTool {
  name: string
  description: string
  schema: JsonObject
}

/** Where in which conversation. The signal aborts when the hook's time is over or the turn is stopped. */
export interface HookContext {
  session: string
  turn: string
  parentTurn?: string
  step: number
  agent: AgentLineage
  origin?: Origin
  /** Who said what the turn is about. */
  by: string
  signal: AbortSignal
}

export interface HookModelRequest {
  model: string
  messages: ModelMessage[]
  tools: ModelTool[]
  maxTokens?: number
  temperature?: number
  /** The last word after a graceful interrupt: there are no tools. */
  lastWord?: true
}

export interface HookModelResponse {
  model: string
  text: string
  reasoning?: string
  calls: ModelCall[]
  finish: string
  usage: Usage
}

export interface HookCall {
  callId: string
  tool: string
  arguments: JsonObject
}

export interface HookResult extends HookCall {
  text: string
  isError: boolean
  forUser?: string
  media?: MediaItem[]
  handled?: boolean
  durationMs: number
}

/** What a hook gives in a tool's place. */
export interface GivenResult {
  text: string
  isError?: boolean
  forUser?: string
  /** On the shelf already, or as data that is put there. */
  media?: (MediaItem | { type: string; data: Uint8Array; name?: string })[]
  handled?: boolean
}

type StopDecision = { action: 'abort_turn'; reason?: string } | { action: 'hard_abort'; reason?: string }

export type ModelRequestDecision =
  | { action: 'continue' }
  | { action: 'modify'; request: HookModelRequest }
  | StopDecision
export type ModelResponseDecision =
  | { action: 'continue' }
  | { action: 'modify'; response: HookModelResponse }
  | StopDecision
export type ToolDecision =
  | { action: 'continue' }
  | { action: 'modify'; call: { tool: string; arguments: JsonObject } }
  | { action: 'respond'; result: GivenResult }
  | { action: 'deny_tool'; reason?: string }
  | StopDecision
export type ResultDecision = { action: 'continue' } | { action: 'modify'; result: GivenResult } | StopDecision
