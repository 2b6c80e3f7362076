/** All that waits in a session as one payload. What it says of a call is what the request says on its own (P9). */
import { defined } from '../core/defined.ts'
import type { Question } from '../core/question.ts'
import { currentTerms, shownBytes } from '../core/request.ts'
import type { WireRequest } from '../core/wire.ts'
import type {
  WireAskUserQuestion,
  WireInterrupt,
  WireInterruptPayload,
  WireInterruptQuestion,
  WireToolApproval,
} from '../core/wire-interrupt.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { takes } from '../gateway/resume.ts'
import type { Waiting, WaitingItem } from '../gateway/waiting.ts'
import { type Reader, toTime, toWire } from './to-wire.ts'

/** More than this in one answer and long arguments are cut, as in a list. */
const MAX_WHOLE = 4 * 1024 * 1024

interface Shown extends WaitingItem {
  wire: WireRequest
}

export async function interruptToWire(
  gateway: Gateway,
  { session, actionId, items }: Waiting,
  reader: Reader,
): Promise<WireInterrupt> {
  const size = items.reduce((sum, { request }) => sum + shownBytes(request).length, 0)
  const shown: Shown[] = []
  for (const item of items) {
    const wire = await toWire(gateway, item.request, reader, size > MAX_WHOLE ? 'cut' : 'whole')
    shown.push({ ...item, wire })
  }
  const approvals = shown.filter(({ request }) => request.kind === 'approval')
  const questions = shown.filter(({ request }) => request.kind === 'question')
  const interrupts: WireInterruptPayload[] = [
    ...(approvals.length === 0 ? [] : [toolApproval(approvals)]),
    ...questions.map(askUserQuestion),
  ]
  const deadlines = items.flatMap(({ request }) => request.deadline ?? [])
  return {
    actionId,
    sessionId: session,
    createdAt: toTime(Math.min(...items.map(({ request }) => request.createdAt))),
    ...(deadlines.length === 0 ? {} : { expiresAt: toTime(Math.min(...deadlines)) }),
    interrupt: interrupts[0]!,
    interrupts,
  }
}

function toolApproval(items: readonly Shown[]): WireToolApproval {
  return {
    type: 'tool_approval',
    action_requests: items.map((item) => ({
      tool_call_id: item.callId,
      name: item.wire.tool,
      arguments: item.wire.arguments,
      ...defined({ shortened: item.wire.shortened, covered: item.wire.covered }),
      description: item.wire.because,
      rendering: item.wire.rendering,
      ...whereOf(item),
    })),
    review_configs: items.map((item) => ({
      tool_call_id: item.callId,
      action_name: item.wire.tool,
      allowed_decisions: takes(item),
      allowed_scopes: [...currentTerms(item.request).scopes],
    })),
  }
}

function askUserQuestion(item: Shown): WireAskUserQuestion {
  const questions = (item.request.questions ?? []).map(questionToWire)
  return {
    type: 'ask_user_question',
    tool_call_id: item.callId,
    question: questions[0]!,
    questions,
    allowed_decisions: takes(item),
    ...whereOf(item),
  }
}

function questionToWire({ options, ...question }: Question): WireInterruptQuestion {
  if (options === undefined) return question
  return { ...question, options: options.map((option) => ({ ...option, value: option.label })) }
}

function whereOf({ wire }: Shown) {
  return {
    request_id: wire.id,
    session_id: wire.session,
    ...defined({ agent: wire.agent }),
  }
}
