/** A request as it goes over the wire, and how it is decided. */
import { z } from 'zod'
import { CANCEL_CAUSES, REQUEST_KINDS } from '../core/request-state.ts'
import { named, object, ofCore, optional } from './named.ts'
import { intentKind } from './rendering.ts'
import {
  agentLineage,
  answers,
  because,
  decisionKind,
  grantTerms,
  jsonObject,
  origin,
  outcomeKind,
  requestState,
  scope,
  severity,
  time,
} from './values.ts'

const reason = z.string().exactOptional()

export const decision = object('WireDecision', 'What a person decided.', {
  kind: decisionKind,
  by: z.string(),
  at: time,
  via: z.string().describe('The channel it came through.'),
  digest: z.string().describe('Of what was shown.'),
  reason,
  text: z.string().exactOptional(),
  answers: answers.exactOptional(),
  scope: scope.exactOptional(),
  grant: grantTerms.exactOptional(),
})

export const vote = object('WireVote', "One person's approval, whether or not it reaches the quorum.", {
  by: z.string(),
  at: time,
  via: z.string().describe('The channel it came through.'),
  digest: z.string().describe('Of what was shown.'),
  reason: reason.describe('What the voter wrote beside it.'),
  scope: optional(scope, 'Which grant this voter would leave behind.'),
  grant: grantTerms.exactOptional(),
})

export const decisionParts = {
  decision: decisionKind,
  digest: z.string().describe('Of the request as it was shown.'),
  arguments: optional(jsonObject, 'With edit: all arguments. A mask that is left as it is keeps the secret.'),
  reason: optional(z.string(), 'Why. It goes back to the model with a rejection.'),
  text: optional(z.string(), "With respond: what the tool's result will be."),
  answers: optional(answers, 'With answer: one for each question, by its id.'),
  scope: optional(scope, 'Whether it is remembered: once leaves nothing behind.'),
  grant: optional(
    grantTerms,
    'With scope session or always: which grant is left behind. Without it: for exactly this call.',
  ),
}

export const decisionBody = named('WireDecisionInput', z.strictObject(decisionParts))

export const question = ofCore(
  'Question',
  'question.ts',
  z.object({
    id: z.string(),
    question: z.string(),
    header: z.string().exactOptional(),
    options: z
      .array(z.object({ label: z.string(), description: z.string().exactOptional() }))
      .exactOptional(),
    multiSelect: z.boolean().exactOptional(),
    freeText: z.boolean().exactOptional(),
  }),
)

export const mask = object('WireMask', {
  pointer: z.string().describe('JSON pointer into the arguments.'),
  kind: z.string(),
  length: z.number().describe('Of what is hidden.'),
  name: optional(z.string(), 'It is hidden because of this name, and not because of its shape.'),
  mustUncover: optional(
    z.literal(true),
    "It isn't plainly a secret: it has to be uncovered before the call can be approved.",
  ),
})

export const covered = object(
  'WireCovered',
  "A value is hidden because of its name: a chat can't approve the request.",
  {
    uncover: z
      .array(z.string())
      .describe("The values that must be uncovered first, by JSON pointer: they aren't plainly secrets."),
    uncovered: z.boolean().describe('Whether the reader has uncovered them in the call as it is now.'),
    because: z.string().describe("A sentence for people, in the reader's language."),
  },
)

export const rendering = object('WireRendering', 'One canonical rendering for every channel.', {
  title: z
    .string()
    .describe("What the call would do, on one line and in the reader's language: `Run npm test`."),
  intent: intentKind.describe(
    'The verb of the title, by what the catalogue knows of the tool. `other`: it knows nothing of it.',
  ),
  summary: z.string().describe('The tool and what it is given, on one line.'),
  text: z.string().describe('The whole call as plain text, hidden characters visible, secrets masked.'),
  warnings: z.array(z.string()),
  isShortened: optional(
    z.literal(true),
    'A part of some argument is not in it. Whoever has read it has not seen the whole call, which `/view` has.',
  ),
})

export const request = object('WireRequest', {
  id: z.string(),
  kind: ofCore('RequestKind', 'request-state.ts', z.enum(REQUEST_KINDS)),
  state: requestState,
  version: z.number(),
  digest: z.string().describe('Of what is shown: a decision names it.'),
  tool: z.string(),
  arguments: jsonObject.describe('Masked where a value has the shape of a secret, or the name of one.'),
  masks: z.array(mask).describe('Where values are masked.'),
  covered: optional(covered, 'Present where a hidden value bounds how a pending request can be approved.'),
  erased: optional(z.boolean(), 'True when the arguments were erased after their retention time.'),
  shortened: optional(
    z.boolean(),
    "In lists and events: the arguments are long and were cut, with marks; or, where brief was asked for, they and the rendering's text are left out. The request alone has them whole.",
  ),
  cwd: z.string().exactOptional(),
  rendering: rendering.describe('What a person is shown.'),
  session: z.string(),
  callId: z.string(),
  agent: agentLineage.exactOptional(),
  origin: origin.exactOptional(),
  context: z.string().exactOptional(),
  preview: z.string().exactOptional(),
  ...because,
  rules: z.array(z.string()),
  severity,
  risk: optional(z.object(because), 'What makes the risk high, where it is.'),
  allowedDecisions: z.array(decisionKind),
  scopes: z.array(scope),
  approvers: z
    .array(z.object({ rule: z.string(), approvers: z.array(z.string()), quorum: z.number() }))
    .describe('For each rule that asks: who may approve, and how many are needed.'),
  votes: z.array(vote),
  questions: z.array(question).exactOptional(),
  submittedBy: z.string(),
  follows: optional(z.string(), 'The request of the same call that ended without an answer.'),
  carriesNoReason: optional(
    z.literal(true),
    'The runner has no way to tell its model the reason of a rejection.',
  ),
  createdAt: time,
  expiresAt: time
    .nullable()
    .describe('When a pending request expires, an approval lapses, or the lease of a running call ends.'),
  decision: decision.exactOptional(),
  edited: optional(
    z.object({ by: z.string(), digest: z.string() }),
    'Present when a person changed the arguments.',
  ),
  cancelled: z
    .object({
      cause: ofCore('CancelCause', 'request-state.ts', z.enum(CANCEL_CAUSES)),
      by: z.string(),
      reason,
    })
    .exactOptional(),
  stop: z.object({ by: z.string(), reason }).exactOptional(),
  notReported: optional(
    z.literal(true),
    'Of an unknown outcome: whoever ran the call never said, and nobody is asked to settle it. It can be settled all the same.',
  ),
  outcome: z
    .object({
      kind: outcomeKind,
      summary: optional(z.string(), 'A short text for people.'),
      at: time,
      by: z.string().describe('Who reported: the runner, or the person who settled an unknown outcome.'),
      settled: optional(
        z.literal(true),
        'A person said it, because the runner had stopped responding. Otherwise the runner itself reported.',
      ),
      late: optional(z.boolean(), 'It came after the lease had lapsed.'),
    })
    .exactOptional(),
  yours: z.boolean().describe('Whether the reader could decide it now.'),
})

export const requestPage = z.object({
  items: z.array(request),
  cursor: z.string().exactOptional(),
  total: optional(z.number(), 'How many there are in this state. For people, without a session.'),
})
