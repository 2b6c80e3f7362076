/**
 * Reads what a hook decided. Nothing is guessed: an action that does not exist or has no place at this stage, a payload of
 * the wrong type, a `modify` without what it modifies is an error which says so, and the chain then does what it does with
 * a hook that failed. Taken as meant: no action is `continue`; a payload with `continue` counts like one with `modify`; a
 * payload that is what was sent changes nothing; `message` stands in for a missing `reason`.
 */
import type {
  HookCall,
  HookModelRequest,
  HookModelResponse,
  HookResult,
  ModelRequestDecision,
  ModelResponseDecision,
  ResultDecision,
  ToolDecision,
} from '../../hook.ts'
import type { Stage } from './context.ts'
import { keysOf, objectAt, optionalObject, type WireMembers, wrong } from './fields.ts'
import { isSameModelRequest, modelRequestFromWire } from './model-request.ts'
import { isSameModelResponse, modelResponseFromWire } from './model-response.ts'
import { isSameToolCall, toolCallFromWire } from './tool-call.ts'
import { isSameResult, toolResultFromWire } from './tool-result.ts'

export function readModelRequestDecision(reply: unknown, sent: HookModelRequest): ModelRequestDecision {
  const { action, members } = readAction(reply, 'before_llm')
  if (isStop(action)) return { action, ...reasonOf(members) }
  const payload = payloadOf(action, members, 'request')
  if (payload === undefined) return { action: 'continue' }
  const request = modelRequestFromWire(payload, 'reply.request', sent)
  return isSameModelRequest(request, sent) ? { action: 'continue' } : { action: 'modify', request }
}

export function readModelResponseDecision(reply: unknown, sent: HookModelResponse): ModelResponseDecision {
  const { action, members } = readAction(reply, 'after_llm')
  if (isStop(action)) return { action, ...reasonOf(members) }
  const payload = payloadOf(action, members, 'response')
  if (payload === undefined) return { action: 'continue' }
  const response = modelResponseFromWire(payload, 'reply.response', sent)
  return isSameModelResponse(response, sent) ? { action: 'continue' } : { action: 'modify', response }
}

export function readToolDecision(reply: unknown, sent: HookCall): ToolDecision {
  const { action, members } = readAction(reply, 'before_tool')
  if (action === 'deny_tool') return { action, ...reasonOf(members) }
  if (isStop(action)) return { action, ...reasonOf(members) }
  const payload = payloadOf(action, members, 'call')
  if (action === 'respond') {
    const result = members.result ?? payload?.hook_result
    return { action, result: toolResultFromWire(objectAt(result, 'reply.result'), 'reply.result', []) }
  }
  if (payload === undefined) return { action: 'continue' }
  const call = toolCallFromWire(payload, 'reply.call')
  return isSameToolCall(call, sent) ? { action: 'continue' } : { action: 'modify', call }
}

export function readResultDecision(reply: unknown, sent: HookResult): ResultDecision {
  const { action, members } = readAction(reply, 'after_tool')
  if (isStop(action)) return { action, ...reasonOf(members) }
  const payload = payloadOf(action, members, 'result')
  if (payload === undefined) return { action: 'continue' }
  const inner = optionalObject(payload, 'result', 'reply.result')
  if (inner === undefined) {
    // One level too high is an easy mistake. Taken as "nothing changed" it would show what the hook had struck out.
    const misplaced = RESULT_KEYS.filter((key) => Object.hasOwn(payload, key))
    if (misplaced.length === 0) return { action: 'continue' }
    throw new Error(
      `reply.result.result must be an object with for_llm; found in reply.result: ${keysOf(payload)}`,
    )
  }
  const result = toolResultFromWire(inner, 'reply.result.result', sent.media ?? [])
  return isSameResult(result, sent) ? { action: 'continue' } : { action: 'modify', result }
}

export function readApproval(reply: unknown): { approved: boolean; reason?: string } {
  const members = reply === undefined || reply === null ? {} : objectAt(reply, 'reply')
  const { approved } = members
  if (approved === undefined) throw new Error(`reply lacks boolean \`approved\`; found: ${keysOf(members)}`)
  if (typeof approved !== 'boolean') wrong('reply.approved', 'true or false', approved)
  return { approved, ...reasonOf(members) }
}

type WireAction = 'continue' | 'modify' | 'respond' | 'deny_tool' | 'abort_turn' | 'hard_abort'

const ACTIONS: Record<Exclude<Stage, 'approve_tool'>, readonly WireAction[]> = {
  before_llm: ['continue', 'modify', 'abort_turn', 'hard_abort'],
  after_llm: ['continue', 'modify', 'abort_turn', 'hard_abort'],
  before_tool: ['continue', 'modify', 'respond', 'deny_tool', 'abort_turn', 'hard_abort'],
  after_tool: ['continue', 'modify', 'abort_turn', 'hard_abort'],
}

const RESULT_KEYS = ['for_llm', 'for_user', 'silent', 'is_error', 'media', 'response_handled']

function readAction(
  reply: unknown,
  stage: keyof typeof ACTIONS,
): { action: WireAction; members: WireMembers } {
  const members = reply === undefined || reply === null ? {} : objectAt(reply, 'reply')
  const action = members.action ?? ''
  if (action === '') return { action: 'continue', members }
  const known = ACTIONS[stage].find((one) => one === action)
  return { action: known ?? wrong('reply.action', `one of ${ACTIONS[stage].join(', ')}`, action), members }
}

/** A `modify` under another key was meant to change something: to go on as if it had not been said could show or run it. */
function payloadOf(action: WireAction, members: WireMembers, key: string): WireMembers | undefined {
  const payload = optionalObject(members, key, 'reply')
  if (action === 'modify' && payload === undefined) {
    throw new Error(`reply says modify and lacks \`${key}\`; found: ${keysOf(members)}`)
  }
  return payload
}

function isStop(action: WireAction): action is 'abort_turn' | 'hard_abort' {
  return action === 'abort_turn' || action === 'hard_abort'
}

/** It goes to a model and to people: long enough for a sentence or ten. */
const MAX_REASON_LENGTH = 2000

function reasonOf({ reason, message }: WireMembers): { reason?: string } {
  const text = typeof reason === 'string' && reason !== '' ? reason : message
  if (typeof text !== 'string' || text === '') return {}
  return {
    reason: text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : text,
  }
}
