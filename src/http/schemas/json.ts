/** Small pieces that many schemas share. */
import { z } from 'zod'
import type { JsonObject } from '../../core/json.ts'

/** Any JSON object. What is in it is looked at where it is used. */
export const jsonObject = z.looseObject({}) as unknown as z.ZodType<JsonObject>

export const time = z.string().describe('ISO 8601, in UTC.')

export const role = z.enum(['agent', 'approver', 'admin'])

export const scope = z.enum(['once', 'session', 'always'])

export const severity = z.enum(['low', 'normal', 'high', 'critical'])

export const decisionKind = z.enum(['approve', 'edit', 'reject', 'respond', 'terminate', 'answer'])

export const answers = z.record(
  z.string(),
  z.strictObject({ choices: z.array(z.string()).exactOptional(), text: z.string().exactOptional() }),
)
