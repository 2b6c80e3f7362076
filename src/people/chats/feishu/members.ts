/** Reads members of what came in, by their type. */

import type { JsonObject } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'

export function objectIn(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}

/** Not the empty one: Feishu sends that for what it doesn't tell. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    return objectIn(parseJson(text))
  } catch {
    return undefined
  }
}
