/** What clients send, read strictly. `null` stands for a field that is not there: the guide's own clients send it. */
import { BanksmanError } from '../../../core/errors.ts'
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import { parseStrictJson } from '../../../core/json/strict-json.ts'
import { isObject } from './read-decision.ts'

export type BodyField = { kind: 'text'; text: string } | { kind: 'absent' } | { kind: 'wrong' }

/** Blank counts as absent. */
export function textField(body: JsonObject, name: string): BodyField {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null) return { kind: 'absent' }
  if (typeof value !== 'string') return { kind: 'wrong' }
  return value.trim() === '' ? { kind: 'absent' } : { kind: 'text', text: value }
}

export function objectField(body: JsonObject, name: string): JsonObject {
  const value: JsonValue | undefined = Object.hasOwn(body, name) ? body[name] : undefined
  return isObject(value) ? value : {}
}

export function readObject(text: string): JsonObject {
  const value = parseStrictJson(text)
  if (isObject(value)) return value
  throw new BanksmanError('invalid', 'the body must be a JSON object')
}
