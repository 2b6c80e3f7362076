/** Small pieces that many schemas share. */
import { z } from 'zod'
import { DECISION_KINDS, MAX_GRANT_MS } from '../core/decision.ts'
import type { JsonObject } from '../core/json/json.ts'
import { OUTCOMES, STATES } from '../core/request-state.ts'
import { ROLES } from '../core/session.ts'
import { DURATION, parseDuration } from '../core/time/duration.ts'
import { GRANT_WIDTHS, SCOPES, SEVERITIES, VERDICT_KINDS } from '../core/verdict.ts'
import type { WireGrantTerms } from './types/request.ts'

/** Any JSON object. What is in it is looked at where it is used. */
export const jsonObject = z.looseObject({}) as unknown as z.ZodType<JsonObject>

export const time = z.string().describe('ISO 8601, in UTC.')

export const role = z.enum(ROLES)

export const scope = z.enum(SCOPES)

export const grantWidth = z.enum(GRANT_WIDTHS)

export const severity = z.enum(SEVERITIES)

export const decisionKind = z.enum(DECISION_KINDS)

export const requestState = z.enum(STATES)

export const verdictKind = z.enum(VERDICT_KINDS)

export const outcomeKind = z.enum(OUTCOMES)

const isGrantSpan = (text: string) => {
  const milliseconds = DURATION.test(text) ? parseDuration(text) : 0
  return milliseconds >= 1 && milliseconds <= MAX_GRANT_MS
}

export const grantTerms: z.ZodType<WireGrantTerms> = z.strictObject({
  suggestion: z
    .string()
    .exactOptional()
    .describe("The id of one of the request's suggestions; call without it."),
  expiresIn: z
    .string()
    .refine(isGrantSpan, 'must be a time of at most 365d, as in 15m, 8h or 30d')
    .exactOptional()
    .describe('For how long, as in 15m, 8h or 30d; at most 365d.'),
  uses: z.number().exactOptional().describe('For how many calls at most.'),
  includeSubSessions: z
    .boolean()
    .exactOptional()
    .describe('With scope session: whether it holds in what the session starts, too.'),
})

export const answers = z.record(
  z.string(),
  z.strictObject({ choices: z.array(z.string()).exactOptional(), text: z.string().exactOptional() }),
)
