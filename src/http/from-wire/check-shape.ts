/** Holds what came in against a schema, and says of each fault where it is and what would be right. */
import type { z } from 'zod'
import { BanksmanError, type ErrorCode } from '../../core/errors.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'

interface Fault {
  pointer: string
  detail: string
}

/** More would only repeat the same mistake. */
const MAX_FAULTS = 10
const MAX_KEY = 100

/**
 * Gives back the value that came in, not the schema's copy of it: zod leaves out a member named `__proto__`, and what
 * a person is asked must be what was sent (P3). A schema that changes values is for queries, by `readShape`.
 */
export function checkShape<T>(schema: z.ZodType<T>, value: unknown, code: ErrorCode, what: string): T {
  readShape(schema, value, code, what)
  return value as T
}

/** Gives the schema's reading of the value. */
export function readShape<T>(schema: z.ZodType<T>, value: unknown, code: ErrorCode, what: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.flatMap(faultsOf).slice(0, MAX_FAULTS)
  const first = faults[0]!
  const detail = `${what} is not right${first.pointer === '' ? '' : ` at ${first.pointer}`}: ${first.detail}`
  throw new BanksmanError(code, detail, { pointer: first.pointer, errors: faults })
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const at = issue.path.map((step) => pointerStep(shorten(String(step)))).join('')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: at + pointerStep(shorten(key)), detail: 'unknown field' }))
  }
  return [{ pointer: at, detail: issue.message }]
}

/** Keys come from outside and may be long. */
function shorten(key: string): string {
  return key.length > MAX_KEY ? `${key.slice(0, MAX_KEY).toWellFormed()}…` : key
}
