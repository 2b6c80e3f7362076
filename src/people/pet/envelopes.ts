/**
 * The frames of the pet protocol: requests come in as `{action, data, request_id?}`, responses and pushes go out. They are
 * those of the original, with two differences that old clients don't notice: `request_id` comes back, and an error stands
 * both at the top, as the original's page says, and in `data`, as its code does.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { parseStrictJson } from '../../core/strict-json.ts'

export interface PetRequest {
  action: string
  data: JsonValue | undefined
  /** The client's own, which is given back. It is not the id of what a person is asked. */
  requestId: string | undefined
}

export type PushType =
  | 'init_status'
  | 'ai_chat'
  | 'tool_approval'
  | 'tool_approval_resolved'
  | 'user_question'
  | 'heartbeat'
  | 'error'

const MAX_ID = 256
const MAX_ACTION = 100

/** Undefined for what is no request. Duplicate keys are none: `approved` said twice is not an answer. */
export function readRequest(text: string): PetRequest | undefined {
  const frame = parse(text)
  if (!isObject(frame)) return undefined
  const { action, data, request_id: requestId } = frame
  if (typeof action !== 'string' || action === '') return undefined
  if (requestId === undefined || requestId === null) return { action, data, requestId: undefined }
  if (typeof requestId !== 'string' || requestId.length > MAX_ID) return undefined
  return { action, data, requestId }
}

/** What a frame that is no request is answered with. */
export const INVALID_REQUEST = JSON.stringify({ status: 'error', error: 'invalid request' })

export function okText({ action, requestId }: PetRequest, data: JsonObject): string {
  return JSON.stringify({ status: 'ok', action, data, request_id: requestId })
}

export function errorText({ action, requestId }: PetRequest, error: string, about: JsonObject = {}): string {
  return JSON.stringify({
    status: 'error',
    action: shortened(action),
    data: { ...about, error },
    error,
    request_id: requestId,
  })
}

/** `now` in milliseconds; the wire has Unix seconds. */
export function pushText(type: PushType, data: object, now: number, isFinal?: boolean): string {
  return JSON.stringify({
    type: 'push',
    push_type: type,
    data,
    timestamp: toSeconds(now),
    is_final: isFinal,
  })
}

export function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

export function unknownAction({ action }: PetRequest): string {
  return `unknown action: ${shortened(action)}`
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseStrictJson(text)
  } catch (error) {
    if (error instanceof BanksmanError) return undefined
    throw error
  }
}

function shortened(action: string): string {
  return action.length > MAX_ACTION ? `${action.slice(0, MAX_ACTION).toWellFormed()}…` : action
}
