/**
 * Reads the arguments as the model wrote them, once and strictly. What is not plain JSON (broken, a key twice, a number
 * that would be rounded) is no call: a lenient reader would run something that nobody wrote.
 */
import { isBanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'

export type ReadArguments = { ok: true; arguments: JsonObject } | { ok: false; problem: string }

export function readToolArguments(text: string): ReadArguments {
  // Some servers send nothing for a tool without arguments.
  if (text.trim() === '') return { ok: true, arguments: {} }
  try {
    const value = parseStrictJson(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { ok: false, problem: 'the arguments must be a JSON object' }
    }
    canonicalize(value)
    return { ok: true, arguments: value }
  } catch (error) {
    if (!isBanksmanError(error)) throw error
    return { ok: false, problem: `the arguments can't be read: ${error.message}` }
  }
}
