/**
 * Texts on their way to the server and back. A text in Postgres can't hold U+0000, so that character and the one that
 * escapes it are written as two: no two texts become the same, and their order stays what it was. Lone surrogates
 * are no text; they become U+FFFD, as they do wherever a string is written as UTF-8.
 */
import type { JsonValue } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'

export function toServer(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  if (!/[\u0000\u0001]/.test(whole)) return whole
  return whole.replace(/[\u0000\u0001]/g, (character) =>
    character === '\u0000' ? '\u0001\u0001' : '\u0001\u0002',
  )
}

export function fromServer(text: string): string {
  if (!text.includes('\u0001')) return text
  return text.replace(/\u0001([\u0001\u0002])/g, (_, escaped) => (escaped === '\u0001' ? '\u0000' : '\u0001'))
}

/**
 * JSON whose strings are all written as `toServer` writes them. The serializer escapes just the characters that matter
 * here, so its text is looked at instead of every string; a backslash that is itself escaped begins no escape.
 */
export function jsonToServer(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:000[01]|d)/.test(json)) return json
  return json.replace(/\\(?:\\|u0000|u0001|ud[0-9a-f]{3})/g, (found) => {
    if (found === '\\\\') return found
    if (found === '\\u0000') return '\\u0001\\u0001'
    return found === '\\u0001' ? '\\u0001\\u0002' : '\\ufffd'
  })
}

export function jsonFromServer(json: string): unknown {
  const value = parseJson(json)
  // Nearly always there is nothing to do.
  return json.includes('\\u0001') ? valueFromServer(value) : value
}

function valueFromServer(value: JsonValue): JsonValue {
  if (typeof value === 'string') return fromServer(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(valueFromServer)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [fromServer(name), valueFromServer(inner)]),
  )
}
