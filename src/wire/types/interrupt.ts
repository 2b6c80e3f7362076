/** Written by `npm run generate:wire` from src/wire/interrupt.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { AgentLineage } from '../../core/call.ts'
import type { Answer, DecisionKind } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { RequestState } from '../../core/request-state.ts'
import type { GrantScope } from '../../core/verdict.ts'
import type { WireCovered, WireRendering } from './request.ts'

export interface WireActionRequest {
  /** The call's id; with its session in front where a sub-session made it. */
  tool_call_id: string
  name: string
  /**
   * Masked where a value has the shape of a secret, or the name of one. In an edit, a mask that is left as it
   * is keeps the secret.
   */
  arguments: JsonObject
  /** The arguments are long and were cut, with marks. The request alone has them whole. */
  shortened?: boolean
  /** A hidden value bounds how it can be approved: see the request. */
  covered?: WireCovered
  /** Why a person is asked, without the names of the rules: the request has them. */
  description: string
  /** What a person is to be shown. */
  rendering: WireRendering
  request_id: string
  session_id: string
  agent?: AgentLineage
}

export interface WireReviewConfig {
  tool_call_id: string
  action_name: string
  /** Of approve, edit, reject and respond. Empty where it is not the reader's to decide. */
  allowed_decisions: DecisionKind[]
  allowed_scopes: GrantScope[]
}

export interface WireToolApproval {
  type: 'tool_approval'
  action_requests: WireActionRequest[]
  /** Joined by tool_call_id, not by position. */
  review_configs: WireReviewConfig[]
}

export interface WireInterruptQuestion {
  id: string
  question: string
  header?: string
  /** The value of an option is its label. */
  options?: { label: string; value: string; description?: string }[]
  multiSelect?: boolean
  freeText?: boolean
}

export interface WireAskUserQuestion {
  type: 'ask_user_question'
  tool_call_id: string
  /** The first of questions. */
  question: WireInterruptQuestion
  questions: WireInterruptQuestion[]
  /** Of answer and reject. Empty where it is not the reader's to answer. */
  allowed_decisions: DecisionKind[]
  request_id: string
  session_id: string
  agent?: AgentLineage
}

export type WireInterruptPayload = WireToolApproval | WireAskUserQuestion

export interface WireInterrupt {
  /** Names exactly this; another one as soon as anything of it changes. */
  actionId: string
  sessionId: string
  /** When the first of these was asked. ISO 8601, in UTC. */
  createdAt: string
  /** When the first of these expires. ISO 8601, in UTC. */
  expiresAt?: string
  /** The first of interrupts: the calls to approve, where there are any. */
  interrupt: WireInterruptPayload
  /** All that is pending: the calls to approve together, and each call that asks questions by itself. */
  interrupts: WireInterruptPayload[]
}

/** A text, which may be the value of an option; the values that were chosen; or both apart. */
export type WireAnswerInput = string | string[] | Answer

export interface WireResumeDecision {
  tool_call_id: string
  /** One of the call's allowed_decisions. */
  type?: string
  /** The same under its other name. */
  decision?: string
  /** With edit: all arguments, as an object. */
  editedArguments?: unknown
  /** With edit, in place of editedArguments. The name is the tool's, which can't change. */
  edited_action?: { name: string; args: unknown }
  reason?: string
  /** With respond: what the tool's result will be. */
  responseText?: unknown
  /** To the only question. */
  answer?: WireAnswerInput
  /** To each question, by its id. */
  answers?: Record<string, WireAnswerInput>
  scope?: GrantScope
}

export interface WireResumeInput {
  /** As it came with what is decided on. It is required. */
  actionId?: string
  decisions?: WireResumeDecision[]
  /** To the only question. */
  answer?: WireAnswerInput
  /** To each question, by its id. */
  answers?: Record<string, WireAnswerInput>
  /** The session again. It must be the one in the path. */
  conversationId?: string
  /** Taken and not looked at. */
  agent_id?: unknown
  /** Taken and not looked at. */
  endpoint?: unknown
  /** Taken and not looked at. */
  endpointType?: unknown
  /** Taken and not looked at. */
  generationCreatedAt?: unknown
  /** Taken and not looked at. */
  model?: unknown
  /** Taken and not looked at. */
  spec?: unknown
  /** Taken and not looked at. */
  promptPrefix?: unknown
  /** Taken and not looked at. */
  ephemeralAgent?: unknown
}

export interface WireResumedDecision {
  tool_call_id: string
  request_id: string
  type: DecisionKind
  /** False: it was a vote, and more are needed. */
  decided: boolean
  state: RequestState
}

export interface WireResumed {
  sessionId: string
  /** The session, where the body has conversationId. */
  conversationId?: string
  /** The session, where the body has conversationId. */
  streamId?: string
  /** waiting: votes are missing, or others have yet to decide what is theirs. */
  status: 'resuming' | 'waiting'
  decisions: WireResumedDecision[]
}
