/** What of a JSON Schema a form can be made of. A tool may say anything in it, so nothing is taken on trust. */
import type { JsonObject, JsonValue } from '../../../../src/client/index.ts'
import { valueAt } from '../../../../src/display/pointer.ts'

/** References may go round in a circle. */
const MOST_STEPS = 8

/**
 * The one schema that is meant: references into the same document are followed, and what may also be null is what it is
 * otherwise. Undefined where it could be one of several things, or can't be found.
 */
export function settleSchema(schema: JsonObject, root: JsonObject): JsonObject | undefined {
  let found: JsonValue | undefined = schema
  for (let step = 0; step < MOST_STEPS; step++) {
    if (!isObject(found)) return undefined
    const { $ref, anyOf, oneOf, allOf, type }: JsonObject = found
    const several = anyOf ?? oneOf ?? allOf
    if (typeof $ref === 'string') {
      found = $ref.startsWith('#') ? referred(root, $ref) : undefined
    } else if (Array.isArray(several)) {
      const meant: JsonValue[] = several.filter((each) => !isObject(each) || each.type !== 'null')
      if (meant.length !== 1) return undefined
      found = meant[0]
    } else if (Array.isArray(type)) {
      const meant: JsonValue[] = type.filter((each) => each !== 'null')
      return meant.length === 1 ? { ...found, type: meant[0]! } : undefined
    } else {
      return found
    }
  }
  return undefined
}

/** As JSON Schema calls it. */
export function typeOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function referred(root: JsonObject, reference: string): JsonValue | undefined {
  try {
    return valueAt(root, decodeURIComponent(reference.slice(1)))
  } catch {
    return undefined
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
