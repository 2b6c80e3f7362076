/**
 * The frames of the pet protocol: requests come in as `{action, data, request_id?}`, responses and pushes go out. They are
 * those of the original, with two differences that old clients don't notice: `request_id` comes back, and an error stands
 * both at the top, as the original's page says, and in `data`, as its code does.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'

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

/** What is no request. Duplicate keys are none: `approved` said twice is not an answer. */
export interface NoRequest {
  /** What is wrong, and what would be right. */
  detail: string
}

export function readRequest(text: string): PetRequest | NoRequest {
  let frame: JsonValue
  try {
    frame = parseStrictJson(text)
  } catch (error) {
    if (error instanceof BanksmanError) return { detail: `the frame must be plain JSON: ${error.message}` }
    throw error
  }
  if (!isObject(frame)) return { detail: mustBe('the frame', 'an object like {"action": "chat"}', frame) }
  const { action, data, request_id: requestId } = frame
  if (typeof action !== 'string' || action === '') {
    return { detail: mustBe('action', 'the name of a command, like "chat"', action) }
  }
  if (requestId === undefined || requestId === null) return { action, data, requestId: undefined }
  if (typeof requestId !== 'string' || requestId.length > MAX_ID) {
    return { detail: mustBe('request_id', `a text of at most ${MAX_ID} characters, or left out`, requestId) }
  }
  return { action, data, requestId }
}

/** What a frame that is no request is answered with. */
export function invalidRequest({ detail }: NoRequest): string {
  return JSON.stringify({ status: 'error', data: { error: INVALID, detail }, error: INVALID })
}

const INVALID = 'invalid request'

/** `approved must be true or false; found "yes"`, `text is missing: it must be …`. */
export function mustBe(name: string, what: string, found: JsonValue | undefined): string {
  if (found === undefined) return `${name} is missing: it must be ${what}`
  return `${name} must be ${what}; found ${describe(found)}`
}

function describe(found: JsonValue): string {
  if (Array.isArray(found)) return 'a list'
  return isObject(found) ? 'an object' : shortened(JSON.stringify(found))
}

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

function shortened(action: string): string {
  return action.length > MAX_ACTION ? `${action.slice(0, MAX_ACTION).toWellFormed()}…` : action
}
