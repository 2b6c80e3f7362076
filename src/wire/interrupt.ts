/** What waits in a session, and how it is decided in one go, in the shapes for hosts that think in interrupts. */
import { z } from 'zod'
import { covered } from './request.ts'
import type {
  WireAnswerInput,
  WireAskUserQuestion,
  WireInterrupt,
  WireInterruptQuestion,
  WireResumeDecision,
  WireResumed,
  WireResumeInput,
  WireToolApproval,
} from './types/interrupt.ts'
import { decisionKind, jsonObject, requestState, scope, time } from './values.ts'

const agent = z.object({ name: z.string(), parents: z.array(z.string()).exactOptional() }).exactOptional()
const where = { request_id: z.string(), session_id: z.string(), agent }

const toolApproval: z.ZodType<WireToolApproval> = z.object({
  type: z.literal('tool_approval'),
  action_requests: z.array(
    z.object({
      tool_call_id: z.string(),
      name: z.string(),
      arguments: jsonObject,
      shortened: z.boolean().exactOptional(),
      covered: covered.exactOptional(),
      description: z.string().describe('Why a person is asked.'),
      rendering: z.object({
        title: z.string(),
        summary: z.string(),
        text: z.string(),
        warnings: z.array(z.string()),
      }),
      ...where,
    }),
  ),
  review_configs: z.array(
    z.object({
      tool_call_id: z.string(),
      action_name: z.string(),
      allowed_decisions: z.array(decisionKind).describe("Empty where it is not the reader's to decide."),
      allowed_scopes: z.array(scope),
    }),
  ),
})

const question: z.ZodType<WireInterruptQuestion> = z.object({
  id: z.string(),
  question: z.string(),
  header: z.string().exactOptional(),
  options: z
    .array(z.object({ label: z.string(), value: z.string(), description: z.string().exactOptional() }))
    .exactOptional(),
  multiSelect: z.boolean().exactOptional(),
  freeText: z.boolean().exactOptional(),
})

const askUserQuestion: z.ZodType<WireAskUserQuestion> = z.object({
  type: z.literal('ask_user_question'),
  tool_call_id: z.string(),
  question,
  questions: z.array(question),
  allowed_decisions: z.array(decisionKind),
  ...where,
})

const payload = z.union([toolApproval, askUserQuestion])

export const interrupt: z.ZodType<WireInterrupt> = z.object({
  actionId: z.string().describe('Names exactly this; another one as soon as anything of it changes.'),
  sessionId: z.string(),
  createdAt: time,
  expiresAt: time.exactOptional(),
  interrupt: payload.describe('The first of interrupts.'),
  interrupts: z.array(payload),
})

const answer: z.ZodType<WireAnswerInput> = z.union([
  z.string(),
  z.array(z.string()),
  z.strictObject({ choices: z.array(z.string()).exactOptional(), text: z.string().exactOptional() }),
])

const answerParts = {
  answer: answer.exactOptional().describe('To the only question.'),
  answers: z.record(z.string(), answer).exactOptional().describe('To each question, by its id.'),
}

const decision: z.ZodType<WireResumeDecision> = z.strictObject({
  tool_call_id: z.string(),
  type: z.string().exactOptional().describe("One of the call's allowed_decisions."),
  decision: z.string().exactOptional().describe('The same under its other name.'),
  editedArguments: z.unknown().exactOptional().describe('With edit: all arguments, as an object.'),
  edited_action: z
    .strictObject({ name: z.string(), args: z.unknown() })
    .exactOptional()
    .describe('With edit, in place of editedArguments.'),
  reason: z.string().exactOptional(),
  responseText: z.unknown().exactOptional().describe("With respond: what the tool's result will be."),
  ...answerParts,
  scope: scope.exactOptional(),
})

export const resumeBody: z.ZodType<WireResumeInput> = z.strictObject({
  actionId: z.string().exactOptional().describe('As it came with what is decided on. It is needed.'),
  decisions: z.array(decision).exactOptional(),
  ...answerParts,
})

export const resumed: z.ZodType<WireResumed> = z.object({
  sessionId: z.string(),
  status: z.enum(['resuming', 'waiting']),
  decisions: z.array(
    z.object({
      tool_call_id: z.string(),
      request_id: z.string(),
      type: decisionKind,
      decided: z.boolean(),
      state: requestState,
    }),
  ),
})
