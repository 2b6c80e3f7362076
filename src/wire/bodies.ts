/**
 * What comes in. Unknown fields are refused: a misspelt one that was passed over would make another call than was
 * meant. Limits and meanings are checked by the gateway, which says more.
 */

import { z } from 'zod'
import type { AgentLineage, Origin, ToolCall, ToolDefinition } from '../core/call.ts'
import { INTERRUPTION_KINDS } from '../core/conversation.ts'
import type { JsonValue } from '../core/json/json.ts'
import { MODES, PERSON_ROLES } from '../core/session.ts'
import type { WireDecisionInput } from './types/request.ts'
import { answers, decisionKind, grantTerms, jsonObject, outcomeKind, role, scope } from './values.ts'

const agent: z.ZodType<AgentLineage> = z.strictObject({
  name: z.string(),
  parents: z.array(z.string()).exactOptional().describe('Nearest last.'),
})

const definition: z.ZodType<ToolDefinition> = z.strictObject({
  description: z.string().exactOptional(),
  schema: (z.unknown() as z.ZodType<JsonValue>)
    .exactOptional()
    .describe("The JSON Schema of the tool's arguments."),
  annotations: z
    .strictObject({
      title: z.string().exactOptional(),
      readOnlyHint: z.boolean().exactOptional(),
      destructiveHint: z.boolean().exactOptional(),
      idempotentHint: z.boolean().exactOptional(),
      openWorldHint: z.boolean().exactOptional(),
    })
    .exactOptional()
    .describe('Hints that the tool gives of itself. The policy lets them narrow, never widen.'),
})

const origin: z.ZodType<Origin> = z.strictObject({
  channel: z.string(),
  conversation: z.string().exactOptional(),
})

export const callParts = {
  tool: z.string(),
  arguments: jsonObject,
  agent: agent.exactOptional(),
  parentSession: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  definition: definition.exactOptional(),
  context: z.string().exactOptional().describe('What the agent was doing, in its own words.'),
  preview: z.string().exactOptional().describe("The agent's own summary of the call."),
  origin: origin.exactOptional(),
}

export const callBody: z.ZodType<ToolCall> = z.strictObject({
  ...callParts,
  callId: z.string().describe('Unique in the session. The same id with the same content is the same call.'),
  session: z.string(),
})

export const decisionParts = {
  decision: decisionKind,
  digest: z.string().describe('Of the request as it was shown.'),
  arguments: jsonObject
    .exactOptional()
    .describe('With edit: all arguments. A mask that is left as it is keeps the secret.'),
  reason: z.string().exactOptional(),
  text: z.string().exactOptional().describe("With respond: what the tool's result will be."),
  answers: answers.exactOptional().describe('With answer: one for each question, by its id.'),
  scope: scope.exactOptional().describe('Whether it is remembered: once leaves nothing behind.'),
  grant: grantTerms
    .exactOptional()
    .describe('With scope session or always: which grant is left behind. Without it: for exactly this call.'),
}

export const decisionBody: z.ZodType<WireDecisionInput> = z.strictObject(decisionParts)

export const claimBody = z.strictObject({
  digest: z.string().describe('Of what was approved.'),
  key: z.string().describe('Made up by the runner. The same key gets the same claim again.'),
})

export const renewBody = z.strictObject({ claimId: z.string() })

export const outcomeBody = z.strictObject({
  claimId: z.string(),
  outcome: outcomeKind,
  summary: z.string().exactOptional().describe('A short text for people.'),
  result: z.string().exactOptional().describe('What remember keeps, as text. Kept within the lease only.'),
})

export const settleBody = z.strictObject({ outcome: outcomeKind, summary: z.string().exactOptional() })

export const cancelBody = z.strictObject({
  reason: z.string().exactOptional(),
  interrupted: z
    .boolean()
    .exactOptional()
    .describe("The agent's turn was interrupted, rather than the call withdrawn."),
})

export const reasonBody = z.strictObject({
  reason: z
    .string()
    .max(16 * 1024)
    .exactOptional(),
})

export const stopBody = reasonBody.extend({
  how: z
    .enum(INTERRUPTION_KINDS)
    .exactOptional()
    .describe('graceful lets what runs finish; hard, which is meant without it, tells that to stop too.'),
})

/** Long enough for a document that is pasted in. */
export const sayBody = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(256 * 1024),
  agent: z
    .string()
    .min(1)
    .max(64)
    .exactOptional()
    .describe('Whom it is said to, in the first message of a session. Absent: the default agent.'),
})

export const emptyBody = z.strictObject({})

export const emptyAnswer = z.object({})

/** The modes of the policy. One that it does not know would deny everything, and nobody would know why. */
export const modeBody = z.strictObject({
  mode: z.enum(MODES),
})

export const tokenBody = z.strictObject({
  role,
  subject: z.string(),
  label: z.string().exactOptional(),
  expiresInMs: z.number().exactOptional(),
})

export const loginBody = z.strictObject({ code: z.string().describe('From the login link.') })

/** Whose key it is, the header says. */
export const logoutBody = z.strictObject({})

export const loginCodeBody = z.strictObject({ subject: z.string(), role: z.enum(PERSON_ROLES) })
