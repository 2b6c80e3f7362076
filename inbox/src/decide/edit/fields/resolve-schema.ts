/** What of a JSON Schema a form can be made of. A tool may say anything in it, so nothing is taken on trust. */
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { valueAt } from '../../../../../src/display/masks/json-pointer.ts'
import { type FormBudget, spend } from '../draft/form-limits.ts'

export interface ResolvedSchema {
  schema: JsonObject
  type: string | undefined
}

/** References may go round in a circle. */
const MOST_STEPS = 8
const MOST_ALTERNATIVES = 20
const LONGEST_REFERENCE = 500

/**
 * The one schema that is meant: references into the same document are followed, and what may also be null is what it is
 * otherwise. Undefined where it could be one of several things, can't be found, or would take more looking than is left.
 */
export function resolveSchema(
  schema: JsonObject,
  root: JsonObject,
  budget: FormBudget,
): ResolvedSchema | undefined {
  let found: JsonValue | undefined = schema
  for (let step = 0; step < MOST_STEPS; step++) {
    if (!isObject(found) || !spend(budget, 'nodes')) return undefined
    const { $ref, anyOf, oneOf, allOf, type }: JsonObject = found
    const several = anyOf ?? oneOf ?? allOf
    if (typeof $ref === 'string') {
      found = $ref.startsWith('#') ? referred(root, $ref, budget) : undefined
    } else if (Array.isArray(several)) {
      found = onlyOne(several, (each) => isObject(each) && each.type === 'null', budget)
    } else {
      const only = Array.isArray(type) ? onlyOne(type, (each) => each === 'null', budget) : type
      if (Array.isArray(type) && only === undefined) return undefined
      return { schema: found, type: typeof only === 'string' ? only : undefined }
    }
  }
  return undefined
}

/** As JSON Schema calls it. */
export function typeOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function onlyOne(
  list: readonly JsonValue[],
  isNull: (each: JsonValue) => boolean,
  budget: FormBudget,
): JsonValue | undefined {
  if (list.length > MOST_ALTERNATIVES || !spend(budget, 'nodes', list.length)) return undefined
  const meant = list.filter((each) => !isNull(each))
  return meant.length === 1 ? meant[0] : undefined
}

function referred(root: JsonObject, reference: string, budget: FormBudget): JsonValue | undefined {
  if (reference.length > LONGEST_REFERENCE) return undefined
  if (!spend(budget, 'nodes', reference.split('/').length)) return undefined
  try {
    return valueAt(root, decodeURIComponent(reference.slice(1)))
  } catch {
    return undefined
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
