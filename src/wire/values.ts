/** The closed lists of core, and small pieces that many schemas share. */
import { z } from 'zod'
import { DECISION_KINDS, MAX_GRANT_MS } from '../core/decision.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { JsonObject, JsonValue } from '../core/json/json.ts'
import type { Reason } from '../core/reasons/reason.ts'
import { OUTCOMES, STATES } from '../core/request-state.ts'
import { ROLES } from '../core/session.ts'
import { durationIn, MAX_DURATION_MS } from '../core/time/duration.ts'
import { GRANT_WIDTHS, SCOPES, SEVERITIES, VERDICT_KINDS } from '../core/verdict.ts'
import { ofCore, optional, strictObject, written } from './named.ts'

/** Any JSON object. What is in it is looked at where it is used. */
export const jsonObject = ofCore(
  'JsonObject',
  'json/json.ts',
  z.looseObject({}) as unknown as z.ZodType<JsonObject>,
)

export const jsonValue = ofCore('JsonValue', 'json/json.ts', z.unknown() as z.ZodType<JsonValue>)

export const reason = ofCore(
  'Reason',
  'reasons/reason.ts',
  z.looseObject({
    code: z.string(),
    values: z.looseObject({}).exactOptional(),
  }) as unknown as z.ZodType<Reason>,
)

/** `because` with what it was made of. */
export const because = {
  because: z.string().describe("Why, in a sentence. For people it is in the reader's language."),
  reason: optional(
    reason,
    'The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote.',
  ),
}

/** A duration in milliseconds. */
export const milliseconds = z.int().min(1).max(MAX_DURATION_MS)

export const time = written('string', z.string().describe('ISO 8601, in UTC.'))

/** A newer server may have codes that this one doesn't know: any text is taken. */
export const errorCode = ofCore('ErrorCode', 'errors.ts', z.string() as unknown as z.ZodType<ErrorCode>)

export const role = ofCore('Role', 'session.ts', z.enum(ROLES))

export const scope = ofCore('GrantScope', 'verdict.ts', z.enum(SCOPES))

export const grantWidth = ofCore('GrantWidth', 'verdict.ts', z.enum(GRANT_WIDTHS))

export const severity = ofCore('Severity', 'verdict.ts', z.enum(SEVERITIES))

export const verdictKind = ofCore('VerdictKind', 'verdict.ts', z.enum(VERDICT_KINDS))

export const decisionKind = ofCore('DecisionKind', 'decision.ts', z.enum(DECISION_KINDS))

export const requestState = ofCore('RequestState', 'request-state.ts', z.enum(STATES))

export const outcomeKind = ofCore('OutcomeKind', 'request-state.ts', z.enum(OUTCOMES))

export const agentLineage = ofCore(
  'AgentLineage',
  'call.ts',
  z.object({ name: z.string(), parents: z.array(z.string()).exactOptional() }),
)

export const origin = ofCore(
  'Origin',
  'call.ts',
  z.object({ channel: z.string(), conversation: z.string().exactOptional() }),
)

const isGrantSpan = (text: string) => durationIn(text, MAX_GRANT_MS) !== undefined

export const grantTerms = strictObject('WireGrantTerms', {
  suggestion: optional(z.string(), "The id of one of the request's suggestions; call without it."),
  expiresIn: optional(
    z.string().refine(isGrantSpan, 'must be a time of at most 365d, as in 15m, 8h or 30d'),
    'For how long, as in 15m, 8h or 30d; at most 365d.',
  ),
  uses: optional(z.number(), 'For how many calls at most.'),
  includeSubSessions: optional(
    z.boolean(),
    'With scope session: whether it covers the sessions, too, that this one starts.',
  ),
})

export const answer = ofCore(
  'Answer',
  'decision.ts',
  z.strictObject({ choices: z.array(z.string()).exactOptional(), text: z.string().exactOptional() }),
)

export const answers = ofCore('Answers', 'decision.ts', z.record(z.string(), answer))
