/**
 * Whether edited arguments fit the schema that the tool gave of itself. A schema that can't be read, or that would take too
 * long to check, fits nothing. What is said of it may repeat the values that the schema lists, so it goes through `quote`.
 */
import { BanksmanError } from '../core/errors.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'
import { checkJson } from '../core/json-schema/check-json.ts'

/** Returns the places of the schema that can't be checked, and were not, as JSON pointers. */
export function checkArguments(
  schema: JsonValue | undefined,
  args: JsonObject,
  quote: (words: string) => string,
): string[] {
  if (schema === undefined || schema === null) return []
  const checked = checkJson(schema, args)
  if (checked.kind === 'unreadable') {
    throw new BanksmanError(
      'arguments_invalid',
      `the tool's schema can't be read, so edited arguments can't be checked against it: ${quote(checked.because)}`,
    )
  }
  if (checked.issues.length === 0) return checked.unchecked
  const issues = checked.issues.map(({ pointer, message }) => ({ pointer, message: quote(message) }))
  throw new BanksmanError(
    'arguments_invalid',
    `the edited arguments don't fit the tool's schema: ${issues.map((issue) => `${issue.pointer}: ${issue.message}`).join('; ')}`,
    { issues },
  )
}
