/** All that waits in a session as one payload. What it says of a call is what the request says on its own (P9). */
import { defined } from '../../core/defined.ts'
import type { Question } from '../../core/question.ts'
import { currentTerms, shownBytes } from '../../core/request.ts'
import type { PendingInSession, PendingItem } from '../../gateway/deciding/pending-in-session.ts'
import { resumableDecisions } from '../../gateway/deciding/pending-in-session.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type {
  WireAskUserQuestion,
  WireInterrupt,
  WireInterruptPayload,
  WireInterruptQuestion,
  WireToolApproval,
} from '../../wire/types/interrupt.ts'
import type { WireRequest } from '../../wire/types/request.ts'
import { renderRequest } from './render-request.ts'
import { partOfReader, type Viewer } from './request-to-wire.ts'
import { toTime } from './time-to-wire.ts'

/** More than this in one answer and long arguments are cut, as in a list. */
const MAX_WHOLE = 4 * 1024 * 1024

interface InterruptItem extends PendingItem {
  wire: Omit<WireRequest, 'yours'>
}

export async function interruptToWire(
  gateway: Gateway,
  { session, actionId, items }: PendingInSession,
  reader: Viewer,
): Promise<WireInterrupt> {
  const { actor, locale } = reader
  const size = items.reduce((sum, { request }) => sum + shownBytes(request).length, 0)
  const extent = size > MAX_WHOLE ? 'cut' : 'whole'
  const shown: InterruptItem[] = []
  for (const item of items) {
    const rendered = await renderRequest(gateway, item.request, { locale, extent })
    const wire = { ...rendered.request, ...partOfReader(rendered, item.request, actor) }
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

function toolApproval(items: readonly InterruptItem[]): WireToolApproval {
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
      allowed_decisions: resumableDecisions(item),
      allowed_scopes: [...currentTerms(item.request).scopes],
    })),
  }
}

function askUserQuestion(item: InterruptItem): WireAskUserQuestion {
  const questions = (item.request.questions ?? []).map(questionToWire)
  return {
    type: 'ask_user_question',
    tool_call_id: item.callId,
    question: questions[0]!,
    questions,
    allowed_decisions: resumableDecisions(item),
    ...whereOf(item),
  }
}

function questionToWire({ options, ...question }: Question): WireInterruptQuestion {
  if (options === undefined) return question
  return { ...question, options: options.map((option) => ({ ...option, value: option.label })) }
}

function whereOf({ wire }: InterruptItem) {
  return { request_id: wire.id, session_id: wire.session, ...defined({ agent: wire.agent }) }
}
