/**
 * A resume as hosts send it, read for what waits. Several spellings are taken of one thing; whatever can't be read in
 * exactly one way is refused, here or by the gateway, and nothing is made up.
 */
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Question } from '../../core/question.ts'
import type { PendingInSession, PendingItem } from '../../gateway/deciding/pending-in-session.ts'
import type { ResumeDecision } from '../../gateway/deciding/resume.ts'
import type { WireAnswerInput, WireResumeDecision, WireResumeInput } from '../../wire/types/interrupt.ts'
import { readChoices } from './read-choices.ts'

/** Whoever names a session in the body means that one: where the path names another, nothing is decided. */
export function checkConversation({ conversationId }: WireResumeInput, session: string): void {
  if (conversationId === undefined || conversationId === session) return
  throw invalid('conversationId is not the session in the path: send the same one, or leave it out')
}

export function resumeFromWire(input: WireResumeInput, { items }: PendingInSession): ResumeDecision[] {
  const byCall = new Map(items.map((item) => [item.callId, item]))
  const decisions = (input.decisions ?? []).map((decision) => {
    return decisionOf(decision, byCall.get(decision.tool_call_id))
  })
  if (input.answer === undefined && input.answers === undefined) return decisions
  const asking = items.filter(({ request, yours }) => yours && request.kind === 'question')
  if (asking.length !== 1) {
    throw invalid(
      asking.length === 0
        ? 'there are answers, but no question waits for you here'
        : `${asking.length} calls ask questions; put the answers to each into decisions, with its tool_call_id and type answer`,
    )
  }
  const [item] = asking
  const answers = answersOf(input, item!)
  return [...decisions, { callId: item!.callId, decision: 'answer', ...defined({ answers }) }]
}

function decisionOf(given: WireResumeDecision, item: PendingItem | undefined): ResumeDecision {
  const { tool_call_id: callId, type, decision, editedArguments, edited_action: edited, responseText } = given
  const kind = type ?? decision
  if (kind === undefined) throw invalid(`the decision for ${JSON.stringify(callId)} has no type`, [callId])
  if (type !== undefined && decision !== undefined && type !== decision) {
    throw invalid(`the decision for ${JSON.stringify(callId)} has two types: type and decision differ`, [
      callId,
    ])
  }
  if (editedArguments !== undefined && edited !== undefined) {
    throw invalid(
      `the decision for ${JSON.stringify(callId)} has both editedArguments and edited_action; send one`,
      [callId],
    )
  }
  const args = edited === undefined ? editedArguments : edited.args
  const answers = item === undefined ? undefined : answersOf(given, item)
  return {
    callId,
    decision: kind,
    ...defined({
      arguments: args,
      tool: edited?.name,
      reason: given.reason,
      text: responseText,
      answers,
      scope: given.scope,
    }),
  }
}

/** By the ids of the questions. One answer alone is for the only question. */
function answersOf(
  { answer, answers }: Pick<WireResumeInput, 'answer' | 'answers'>,
  { request, callId }: PendingItem,
): Record<string, unknown> | undefined {
  if (answer === undefined && answers === undefined) return undefined
  if (answer !== undefined && answers !== undefined) {
    throw invalid('send answer for one question, or answers for all by their ids, not both', [callId])
  }
  const questions = request.questions ?? []
  if (answer !== undefined && questions.length > 1) {
    const ids = questions.map(({ id }) => id).join(', ')
    throw invalid(`there are ${questions.length} questions: send answers with each of ${ids}`, [callId])
  }
  const given = answers ?? { [questions[0]?.id ?? '']: answer! }
  // From entries, so that an answer to a question named `__proto__` is not lost.
  return Object.fromEntries(
    Object.entries(given).map(([id, value]) => {
      const question = questions.find((each) => each.id === id)
      return [id, question === undefined ? value : answerOf(question, value, callId)]
    }),
  )
}

function answerOf(question: Question, value: WireAnswerInput, callId: string): unknown {
  if (Array.isArray(value)) return { choices: value }
  if (typeof value !== 'string') return value
  const choices = readChoices(
    value,
    (question.options ?? []).map(({ label }) => label),
    question.multiSelect === true,
  )
  if (choices === 'ambiguous') {
    throw invalid(
      `the answer to ${JSON.stringify(question.id)} can be read in several ways: send the chosen options as a list`,
      [callId],
    )
  }
  if (choices !== undefined) return { choices }
  const isFree = question.options === undefined || question.freeText === true
  return isFree ? { text: value } : { choices: [value] }
}

function invalid(message: string, incomplete?: string[]): BanksmanError {
  return new BanksmanError('invalid_resume', message, incomplete === undefined ? {} : { incomplete })
}
