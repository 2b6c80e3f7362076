/**
 * The pending requests of a session, and how they are decided together, in the shapes of LibreChat and LangChain: for hosts
 * that think in interrupts. Inside a payload the names are theirs; around it they are ours.
 */
import { z } from 'zod'
import { named, object, optional, strictObject } from './named.ts'
import { covered, rendering } from './request.ts'
import { agentLineage, answer, decisionKind, jsonObject, requestState, scope, time } from './values.ts'

const where = { request_id: z.string(), session_id: z.string(), agent: agentLineage.exactOptional() }

export const actionRequest = object('WireActionRequest', {
  tool_call_id: z.string().describe("The call's id; with its session in front where a sub-session made it."),
  name: z.string(),
  arguments: jsonObject.describe(
    'Masked where a value has the shape of a secret, or the name of one. In an edit, a mask that is left as it is keeps the secret.',
  ),
  shortened: optional(
    z.boolean(),
    'The arguments are long and were cut, with marks. The request alone has them whole.',
  ),
  covered: optional(covered, 'A hidden value bounds how it can be approved: see the request.'),
  description: z
    .string()
    .describe('Why a person is asked, without the names of the rules: the request has them.'),
  rendering: rendering.describe('What a person is to be shown.'),
  ...where,
})

export const reviewConfig = object('WireReviewConfig', {
  tool_call_id: z.string(),
  action_name: z.string(),
  allowed_decisions: z
    .array(decisionKind)
    .describe("Of approve, edit, reject and respond. Empty where it is not the reader's to decide."),
  allowed_scopes: z.array(scope),
})

export const toolApproval = object('WireToolApproval', {
  type: z.literal('tool_approval'),
  action_requests: z.array(actionRequest),
  review_configs: z.array(reviewConfig).describe('Joined by tool_call_id, not by position.'),
})

export const question = object('WireInterruptQuestion', {
  id: z.string(),
  question: z.string(),
  header: z.string().exactOptional(),
  options: optional(
    z.array(z.object({ label: z.string(), value: z.string(), description: z.string().exactOptional() })),
    'The value of an option is its label.',
  ),
  multiSelect: z.boolean().exactOptional(),
  freeText: z.boolean().exactOptional(),
})

export const askUserQuestion = object('WireAskUserQuestion', {
  type: z.literal('ask_user_question'),
  tool_call_id: z.string(),
  question: question.describe('The first of questions.'),
  questions: z.array(question),
  allowed_decisions: z
    .array(decisionKind)
    .describe("Of answer and reject. Empty where it is not the reader's to answer."),
  ...where,
})

export const payload = named('WireInterruptPayload', z.union([toolApproval, askUserQuestion]))

export const interrupt = object('WireInterrupt', {
  actionId: z.string().describe('Names exactly this; another one as soon as anything of it changes.'),
  sessionId: z.string(),
  createdAt: time.describe('When the first of these was asked. ISO 8601, in UTC.'),
  expiresAt: optional(time, 'When the first of these expires. ISO 8601, in UTC.'),
  interrupt: payload.describe('The first of interrupts: the calls to approve, where there are any.'),
  interrupts: z
    .array(payload)
    .describe(
      'All that is pending: the calls to approve together, and each call that asks questions by itself.',
    ),
})

export const answerInput = named(
  'WireAnswerInput',
  z
    .union([z.string(), z.array(z.string()), answer])
    .describe('A text, which may be the value of an option; the values that were chosen; or both apart.'),
)

const answerParts = {
  answer: optional(answerInput, 'To the only question.'),
  answers: optional(z.record(z.string(), answerInput), 'To each question, by its id.'),
}

export const resumeDecision = strictObject('WireResumeDecision', {
  tool_call_id: z.string(),
  type: optional(z.string(), "One of the call's allowed_decisions."),
  decision: optional(z.string(), 'The same under its other name.'),
  editedArguments: optional(z.unknown(), 'With edit: all arguments, as an object.'),
  edited_action: optional(
    z.strictObject({ name: z.string(), args: z.unknown() }),
    "With edit, in place of editedArguments. The name is the tool's, which can't change.",
  ),
  reason: z.string().exactOptional(),
  responseText: optional(z.unknown(), "With respond: what the tool's result will be."),
  ...answerParts,
  scope: scope.exactOptional(),
})

/** What hosts of the original send to have their run found again. Here the path and `actionId` name all that is decided. */
const unread = optional(z.unknown(), 'Taken and not looked at.')
const runMembers = {
  agent_id: unread,
  endpoint: unread,
  endpointType: unread,
  generationCreatedAt: unread,
  model: unread,
  spec: unread,
  promptPrefix: unread,
  ephemeralAgent: unread,
}

export const resumeBody = strictObject('WireResumeInput', {
  actionId: optional(z.string(), 'As it came with what is decided on. It is required.'),
  decisions: z.array(resumeDecision).exactOptional(),
  ...answerParts,
  conversationId: optional(z.string(), 'The session again. It must be the one in the path.'),
  ...runMembers,
})

export const resumedDecision = object('WireResumedDecision', {
  tool_call_id: z.string(),
  request_id: z.string(),
  type: decisionKind,
  decided: z.boolean().describe('False: it was a vote, and more are needed.'),
  state: requestState,
})

const sameSession = optional(z.string(), 'The session, where the body has conversationId.')

export const resumed = object('WireResumed', {
  sessionId: z.string(),
  conversationId: sameSession,
  streamId: sameSession,
  status: z
    .enum(['resuming', 'waiting'])
    .describe('waiting: votes are missing, or others have yet to decide what is theirs.'),
  decisions: z.array(resumedDecision),
})
