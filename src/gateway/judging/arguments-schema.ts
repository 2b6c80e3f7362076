/**
 * Whether edited arguments fit the schema that the tool gave of itself. Some frameworks give one that is no JSON Schema (Gemini's
 * has `"OBJECT"` for a type): it is part of what was approved, but an edit isn't held to it, and the person is told so. One that
 * would take too long to check fits nothing. What is said of a schema may repeat the values that it lists, so it goes through
 * `quote`.
 */

import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { checkJson } from '../../core/json/schema/check-json.ts'
import { told } from '../../core/reasons/english.ts'
import { mapTexts } from '../../core/reasons/fill-message.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'

/** A JSON pointer's way, in an address, to say "all of it". */
const WHOLE_SCHEMA = '#'

/** Why a schema is not used for edits; undefined where it is, or is too expensive to tell. */
export function notASchema(schema: JsonValue | undefined, args: JsonObject): string | undefined {
  if (schema === undefined || schema === null) return undefined
  const checked = checkJson(schema, args)
  return checked.kind === 'unreadable' && !checked.expensive ? checked.because : undefined
}

/** Returns the places of the schema that can't be checked, and were not, as JSON pointers. */
export function checkArguments(
  schema: JsonValue | undefined,
  args: JsonObject,
  quote: (words: string) => string,
): string[] {
  if (schema === undefined || schema === null) return []
  const checked = checkJson(schema, args)
  if (checked.kind === 'unreadable') {
    if (!checked.expensive) return [WHOLE_SCHEMA]
    const reason = reasonOf('problem.schema-unreadable', { why: quote(checked.because) })
    throw reasonedError('arguments_invalid', reason)
  }
  if (checked.issues.length === 0) return checked.unchecked
  const issues = checked.issues.map(({ pointer, reason }) => ({
    pointer,
    ...told(mapTexts(reason, quote)),
  }))
  const misfit = reasonOf('problem.schema-misfit', {
    issues: issues.map(({ pointer, reason }) => reasonOf('issue.at', { pointer, why: reason })),
  })
  throw reasonedError('arguments_invalid', misfit, {
    issues: issues.map(({ pointer, because, reason }) => ({ pointer, message: because, reason })),
  })
}
