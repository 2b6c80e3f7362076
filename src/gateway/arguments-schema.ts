/**
 * Whether edited arguments fit the schema that the tool gave of itself. A schema that can't be read fits nothing. What is
 * said of it may repeat the values that the schema lists, so it goes through `quote`.
 */
import { z } from 'zod'
import { BanksmanError } from '../core/errors.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'

export function checkArguments(
  schema: JsonValue | undefined,
  args: JsonObject,
  quote: (words: string) => string,
): void {
  if (schema === undefined || schema === null) return
  let reader: z.ZodType
  try {
    reader = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch (cause) {
    throw new BanksmanError(
      'arguments_invalid',
      `the tool's schema can't be read, so edited arguments can't be checked against it: ${quote((cause as Error).message)}`,
      {},
      { cause },
    )
  }
  const result = reader.safeParse(args)
  if (result.success) return
  const issues = result.error.issues.map((issue) => ({
    pointer: `/${issue.path.join('/')}`,
    message: quote(issue.message),
  }))
  throw new BanksmanError(
    'arguments_invalid',
    `the edited arguments don't fit the tool's schema: ${issues.map((issue) => `${issue.pointer}: ${issue.message}`).join('; ')}`,
    { issues },
  )
}
