/** A request as it goes over the wire. */

import { z } from 'zod'
import type { Question } from '../core/question.ts'
import { CANCEL_CAUSES, REQUEST_KINDS } from '../core/request-state.ts'
import type { WireDecision, WireRequest, WireVote } from './types/request.ts'
import {
  answers,
  decisionKind,
  grantTerms,
  jsonObject,
  outcomeKind,
  requestState,
  scope,
  severity,
  time,
} from './values.ts'

const reason = z.string().exactOptional()

const decision: z.ZodType<WireDecision> = z.object({
  kind: decisionKind,
  by: z.string(),
  at: time,
  via: z.string(),
  digest: z.string(),
  reason,
  text: z.string().exactOptional(),
  answers: answers.exactOptional(),
  scope: scope.exactOptional(),
  grant: grantTerms.exactOptional(),
})

export const vote: z.ZodType<WireVote> = z.object({
  by: z.string(),
  at: time,
  via: z.string(),
  digest: z.string(),
  reason,
  scope: scope.exactOptional(),
  grant: grantTerms.exactOptional(),
})

const question: z.ZodType<Question> = z.object({
  id: z.string(),
  question: z.string(),
  header: z.string().exactOptional(),
  options: z.array(z.object({ label: z.string(), description: z.string().exactOptional() })).exactOptional(),
  multiSelect: z.boolean().exactOptional(),
  freeText: z.boolean().exactOptional(),
})

export const covered = z.object({ uncover: z.array(z.string()), uncovered: z.boolean(), because: z.string() })

export const request: z.ZodType<WireRequest> = z.object({
  id: z.string(),
  kind: z.enum(REQUEST_KINDS),
  state: requestState,
  version: z.number(),
  digest: z.string(),
  tool: z.string(),
  arguments: jsonObject,
  masks: z.array(
    z.object({
      pointer: z.string(),
      kind: z.string(),
      length: z.number(),
      name: z.string().exactOptional(),
      mustUncover: z.literal(true).exactOptional(),
    }),
  ),
  covered: covered.exactOptional(),
  erased: z.boolean().exactOptional(),
  shortened: z.boolean().exactOptional(),
  cwd: z.string().exactOptional(),
  rendering: z.object({
    title: z.string(),
    summary: z.string(),
    text: z.string(),
    warnings: z.array(z.string()),
  }),
  session: z.string(),
  callId: z.string(),
  agent: z.object({ name: z.string(), parents: z.array(z.string()).exactOptional() }).exactOptional(),
  origin: z.object({ channel: z.string(), conversation: z.string().exactOptional() }).exactOptional(),
  context: z.string().exactOptional(),
  preview: z.string().exactOptional(),
  because: z.string(),
  rules: z.array(z.string()),
  severity,
  allowedDecisions: z.array(decisionKind),
  scopes: z.array(scope),
  approvers: z.array(z.object({ rule: z.string(), approvers: z.array(z.string()), quorum: z.number() })),
  votes: z.array(vote),
  questions: z.array(question).exactOptional(),
  submittedBy: z.string(),
  follows: z.string().exactOptional().describe('The request of the same call that ended without an answer.'),
  carriesNoReason: z
    .literal(true)
    .exactOptional()
    .describe('Whoever runs it has no way to tell its model the reason of a no.'),
  createdAt: time,
  expiresAt: time.nullable(),
  decision: decision.exactOptional(),
  edited: z.object({ by: z.string(), digest: z.string() }).exactOptional(),
  cancelled: z.object({ cause: z.enum(CANCEL_CAUSES), by: z.string(), reason }).exactOptional(),
  stop: z.object({ by: z.string(), reason }).exactOptional(),
  outcome: z
    .object({
      kind: outcomeKind,
      summary: z.string().exactOptional(),
      at: time,
      by: z.string(),
      late: z.boolean().exactOptional(),
    })
    .exactOptional(),
  yours: z.boolean().describe('Whether the reader could decide it now.'),
})
