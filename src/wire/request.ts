/** A request as it goes over the wire, and how it is decided. */
import { z } from 'zod'
import { CANCEL_CAUSES, REQUEST_KINDS } from '../core/request-state.ts'
import { named, ofCore } from './named.ts'
import {
  agentLineage,
  answers,
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

export const decision = named(
  'WireDecision',
  z
    .object({
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
    .describe('What a person decided.'),
)

export const vote = named(
  'WireVote',
  z
    .object({
      by: z.string(),
      at: time,
      via: z.string().describe('The channel it came through.'),
      digest: z.string().describe('Of what was shown.'),
      reason: reason.describe('What the voter wrote beside it.'),
      scope: scope.exactOptional().describe('Which grant this voter would leave behind.'),
      grant: grantTerms.exactOptional(),
    })
    .describe("One person's approval, whether or not it reaches the quorum."),
)

export const decisionParts = {
  decision: decisionKind,
  digest: z.string().describe('Of the request as it was shown.'),
  arguments: jsonObject
    .exactOptional()
    .describe('With edit: all arguments. A mask that is left as it is keeps the secret.'),
  reason: z.string().exactOptional().describe('Why. It goes back to the model with a rejection.'),
  text: z.string().exactOptional().describe("With respond: what the tool's result will be."),
  answers: answers.exactOptional().describe('With answer: one for each question, by its id.'),
  scope: scope.exactOptional().describe('Whether it is remembered: once leaves nothing behind.'),
  grant: grantTerms
    .exactOptional()
    .describe('With scope session or always: which grant is left behind. Without it: for exactly this call.'),
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

export const mask = named(
  'WireMask',
  z.object({
    pointer: z.string().describe('JSON pointer into the arguments.'),
    kind: z.string(),
    length: z.number().describe('Of what is hidden.'),
    name: z
      .string()
      .exactOptional()
      .describe('It is hidden because of this name, and not because of its shape.'),
    mustUncover: z
      .literal(true)
      .exactOptional()
      .describe("It isn't plainly a secret: it has to be uncovered before the call can be approved."),
  }),
)

export const covered = named(
  'WireCovered',
  z
    .object({
      uncover: z
        .array(z.string())
        .describe("The values that must be uncovered first, by JSON pointer: they aren't plainly secrets."),
      uncovered: z.boolean().describe('Whether the reader has uncovered them in the call as it is now.'),
      because: z.string().describe("A sentence for people, in the reader's language."),
    })
    .describe("A value is hidden because of its name: a chat can't approve the request."),
)

export const rendering = named(
  'WireRendering',
  z
    .object({
      title: z.string(),
      summary: z.string(),
      text: z.string().describe('The whole call as plain text, hidden characters visible, secrets masked.'),
      warnings: z.array(z.string()),
    })
    .describe('One canonical rendering for every channel.'),
)

export const request = named(
  'WireRequest',
  z.object({
    id: z.string(),
    kind: ofCore('RequestKind', 'request-state.ts', z.enum(REQUEST_KINDS)),
    state: requestState,
    version: z.number(),
    digest: z.string().describe('Of what is shown: a decision names it.'),
    tool: z.string(),
    arguments: jsonObject.describe('Masked where a value has the shape of a secret, or the name of one.'),
    masks: z.array(mask).describe('Where values are masked.'),
    covered: covered
      .exactOptional()
      .describe('Present where a hidden value bounds how a pending request can be approved.'),
    erased: z
      .boolean()
      .exactOptional()
      .describe('True when the arguments were erased after their retention time.'),
    shortened: z
      .boolean()
      .exactOptional()
      .describe(
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
    because: z.string(),
    rules: z.array(z.string()),
    severity,
    allowedDecisions: z.array(decisionKind),
    scopes: z.array(scope),
    approvers: z
      .array(z.object({ rule: z.string(), approvers: z.array(z.string()), quorum: z.number() }))
      .describe('For each rule that asks: who may approve, and how many are needed.'),
    votes: z.array(vote),
    questions: z.array(question).exactOptional(),
    submittedBy: z.string(),
    follows: z
      .string()
      .exactOptional()
      .describe('The request of the same call that ended without an answer.'),
    carriesNoReason: z
      .literal(true)
      .exactOptional()
      .describe('The runner has no way to tell its model the reason of a rejection.'),
    createdAt: time,
    expiresAt: time
      .nullable()
      .describe('When a pending request expires, an approval lapses, or the lease of a running call ends.'),
    decision: decision.exactOptional(),
    edited: z
      .object({ by: z.string(), digest: z.string() })
      .exactOptional()
      .describe('Present when a person changed the arguments.'),
    cancelled: z
      .object({
        cause: ofCore('CancelCause', 'request-state.ts', z.enum(CANCEL_CAUSES)),
        by: z.string(),
        reason,
      })
      .exactOptional(),
    stop: z.object({ by: z.string(), reason }).exactOptional(),
    outcome: z
      .object({
        kind: outcomeKind,
        summary: z.string().exactOptional().describe('A short text for people.'),
        at: time,
        by: z.string().describe('Who reported: the runner, or the person who settled an unknown outcome.'),
        late: z.boolean().exactOptional().describe('It came after the lease had lapsed.'),
      })
      .exactOptional(),
    yours: z.boolean().describe('Whether the reader could decide it now.'),
  }),
)

export const requestPage = z.object({
  items: z.array(request),
  cursor: z.string().exactOptional(),
  total: z
    .number()
    .exactOptional()
    .describe('How many there are in this state. For people, without a session.'),
})
