/**
 * What the state of a request means for the agent and its call, in a sentence: nobody should take "expired" for "rejected", or
 * "approved" for "done". The sentences are apart from the labels, so that a list doesn't load them.
 */
import type { CancelCause, RequestKind, RequestState } from '../../core/request.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

export interface ExplainedState {
  state: RequestState
  kind: RequestKind
  cancelled?: { cause: CancelCause }
  /** Of a rejection, whether the agent was given a reason. */
  decision?: { reason?: string }
  /** Of an unknown outcome: a coding agent ran the call and never said how it went. */
  notReported?: boolean
}

/** Undefined where the label says it all, and for a state or a cause that only a newer server knows. */
export function sayStateMeaning(
  { state, kind, cancelled, decision, notReported }: ExplainedState,
  locale: Locale,
): string | undefined {
  if (state === 'cancelled') {
    const cause = cancelled?.cause
    return cause !== undefined && Object.hasOwn(CAUSES[locale], cause) ? CAUSES[locale][cause] : undefined
  }
  if (state === 'answered' && kind === 'question') return QUESTION_ANSWERED[locale]
  if (state === 'rejected' && decision?.reason !== undefined) return REJECTED_WITH_REASON[locale]
  if (state === 'unknown' && notReported === true) return NOT_REPORTED[locale]
  const meanings = MEANINGS[locale]
  return Object.hasOwn(meanings, state) ? meanings[state as keyof typeof meanings] : undefined
}

/** Why a request was cancelled. */
export function sayCancelCause(cause: CancelCause, locale: Locale): string {
  return sayCode(CAUSES, cause, locale)
}

const MEANINGS: CodeWords<Exclude<RequestState, 'done' | 'cancelled'>> = {
  en: {
    pending: 'Waiting for a decision.',
    approved: "The agent hasn't started it yet.",
    running: "It's running now.",
    unknown:
      "The runner stopped responding. It may have run fully, partly or not at all. It won't be run again automatically.",
    lapsed: "The agent didn't start it in time. It has to ask again.",
    rejected: "It didn't run. The agent was told that it was rejected.",
    answered: "The tool didn't run; the agent got the response instead.",
    declined: 'The agent was told that nobody will answer.',
    terminated: "It didn't run, and the session ended.",
    expired: "It didn't run. Nobody rejected it; the agent may ask again.",
    unreachable: "It didn't run. No approver could be reached.",
  },
  zh: {
    pending: '等待处理。',
    approved: '智能体尚未开始执行。',
    running: '正在执行。',
    unknown: '执行方失去响应，可能已全部执行、部分执行或未执行。系统不会自动重试。',
    lapsed: '智能体未在时限内开始执行，需要重新提出请求。',
    rejected: '未执行，已告知智能体请求被拒绝。',
    answered: '工具未执行，答复已作为结果交给智能体。',
    declined: '已告知智能体此问题不予回答。',
    terminated: '未执行，会话已终止。',
    expired: '未执行。并非被拒绝，智能体可以重新提出请求。',
    unreachable: '未执行，联系不到有权处理的人。',
  },
}

const REJECTED_WITH_REASON: Readonly<Record<Locale, string>> = {
  en: "It didn't run. The agent was told why.",
  zh: '未执行，理由已告知智能体。',
}

const QUESTION_ANSWERED: Readonly<Record<Locale, string>> = {
  en: 'The agent got the answers.',
  zh: '智能体已收到回答。',
}

const NOT_REPORTED: Readonly<Record<Locale, string>> = {
  en: 'The coding agent was allowed to run it and never reported how it went. Nobody has to do anything.',
  zh: '编程智能体获准执行，但没有报告结果。无需处理。',
}

const CAUSES: CodeWords<CancelCause> = {
  en: {
    withdrawn: 'The agent withdrew the call.',
    interrupted: 'The agent was interrupted.',
    session_ended: 'Its session ended.',
    revoked: 'The approval was revoked.',
    denied_at_claim: 'The policy denied it when it was about to run.',
    facts_changed: 'The files involved changed after approval.',
    terms_changed: 'The policy now requires other approvers.',
  },
  zh: {
    withdrawn: '智能体撤回了调用。',
    interrupted: '智能体被中断。',
    session_ended: '会话已终止。',
    revoked: '批准已撤销。',
    denied_at_claim: '执行前被策略禁止。',
    facts_changed: '批准后相关文件有变动。',
    terms_changed: '策略现在要求其他人审批。',
  },
}
