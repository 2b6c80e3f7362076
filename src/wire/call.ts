/** A call as it comes in, as it is looked back on, and what becomes of one that is claimed. */
import { z } from 'zod'
import { object, ofCore, optional, strictObject } from './named.ts'
import { request } from './request.ts'
import { because, jsonObject, jsonValue, outcomeKind, time, verdictKind } from './values.ts'

/**
 * Unknown fields are refused: a misspelt one that was passed over would make another call than was meant. Limits and
 * meanings are checked by the gateway, which says more.
 */
export const callParts = {
  tool: z.string(),
  arguments: jsonObject,
  agent: ofCore(
    'AgentLineage',
    'call.ts',
    z.strictObject({
      name: z.string(),
      parents: optional(z.array(z.string()), 'Nearest last.'),
    }),
  ).exactOptional(),
  parentSession: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  definition: ofCore(
    'ToolDefinition',
    'call.ts',
    z.strictObject({
      description: z.string().exactOptional(),
      schema: optional(jsonValue, "The JSON Schema of the tool's arguments."),
      annotations: optional(
        z.strictObject({
          title: z.string().exactOptional(),
          readOnlyHint: z.boolean().exactOptional(),
          destructiveHint: z.boolean().exactOptional(),
          idempotentHint: z.boolean().exactOptional(),
          openWorldHint: z.boolean().exactOptional(),
        }),
        'Hints that the tool gives of itself. The policy lets them narrow, never widen.',
      ),
    }),
  ).exactOptional(),
  context: optional(z.string(), 'What the agent was doing, in its own words.'),
  preview: optional(z.string(), "The agent's own summary of the call."),
  origin: ofCore(
    'Origin',
    'call.ts',
    z.strictObject({ channel: z.string(), conversation: z.string().exactOptional() }),
  ).exactOptional(),
}

export const callBody = ofCore(
  'ToolCall',
  'call.ts',
  z.strictObject({
    ...callParts,
    callId: z.string().describe('Unique in the session. The same id with the same content is the same call.'),
    session: z.string(),
  }),
)

export const verdict = object('WireVerdict', {
  kind: verdictKind,
  ...because,
  rule: z.string().exactOptional(),
})

export const review = object('WireReview', {
  repeated: z
    .boolean()
    .describe(
      'The call was known before: it is the same call again. One that was allowed may have run already.',
    ),
  verdict,
  request: request.exactOptional(),
})

export const call = object('WireCall', 'A call that the policy allowed or denied: nobody was asked.', {
  session: z.string(),
  callId: z.string(),
  tool: z.string(),
  digest: z.string(),
  arguments: optional(
    jsonObject,
    'Masked, and cut with marks where they are long; absent once they were erased.',
  ),
  verdict: z.enum(['allow', 'deny']),
  ...because,
  rule: z.string().exactOptional(),
  submittedBy: z.string(),
  createdAt: time,
})

export const claim = object('WireClaim', {
  claimId: z.string(),
  arguments: jsonObject,
  digest: z.string(),
  leaseUntil: time,
  leaseMs: z.number().describe('How long the lease lasts from the moment it was asked for.'),
})

export const claimBody = strictObject('ClaimInput', {
  digest: z.string().describe('Of what was approved.'),
  key: z.string().describe('Made up by the runner. The same key gets the same claim again.'),
})

export const renewBody = z.strictObject({ claimId: z.string() })

export const renewal = object('WireRenewal', {
  leaseUntil: time,
  leaseMs: z.number(),
  stop: z.boolean().describe('The call was told to stop.'),
  stopped: optional(
    z.object({ by: z.string(), reason: z.string().exactOptional() }),
    'By whom and why, where it was.',
  ),
})

const summary = optional(z.string(), 'A short text for people.')

export const outcomeBody = z.strictObject({
  claimId: z.string(),
  outcome: outcomeKind,
  summary,
  result: optional(z.string(), 'What remember keeps, as text. Kept within the lease only.'),
})

export const settleBody = strictObject('OutcomeInput', { outcome: outcomeKind, summary })

export const cancelBody = strictObject('CancelInput', {
  reason: z.string().exactOptional(),
  interrupted: optional(z.boolean(), "The agent's turn was interrupted, rather than the call withdrawn."),
})
