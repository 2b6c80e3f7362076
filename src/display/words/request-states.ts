/** What the states of a request are called, in lists, tags and lines. */
import type { Outcome, RequestState } from '../../core/request.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

/** Why a call did not run: a request's state, or the reason for which nobody was asked. */
export type RefusedCallState = RequestState | 'denied' | 'invalid' | 'skipped' | 'error'

/** A call that has run and failed is `done`. With the outcome it is called failed. */
export function sayState(state: RequestState, locale: Locale, outcome?: Outcome['kind']): string {
  return state === 'done' && outcome === 'error' ? FAILED[locale] : sayCode(STATE_WORDS, state, locale)
}

export function sayRefusedState(state: RefusedCallState, locale: Locale): string {
  return sayCode(REFUSED_WORDS, state, locale)
}

const FAILED: Readonly<Record<Locale, string>> = { en: 'failed', zh: '执行失败' }

const STATE_WORDS: CodeWords<RequestState> = {
  en: {
    pending: 'pending',
    approved: 'approved, not run yet',
    running: 'running',
    unknown: 'outcome unknown',
    done: 'done',
    lapsed: 'approved, never run',
    cancelled: 'cancelled',
    rejected: 'rejected',
    answered: 'answered',
    declined: 'declined to answer',
    terminated: 'session ended',
    expired: 'expired, no answer in time',
    unreachable: 'no approver available',
  },
  zh: {
    pending: '待处理',
    approved: '已批准，尚未执行',
    running: '执行中',
    unknown: '结果未知',
    done: '已完成',
    lapsed: '已批准，逾期未执行',
    cancelled: '已取消',
    rejected: '已拒绝',
    answered: '已答复',
    declined: '未予回答',
    terminated: '会话已终止',
    expired: '已过期，无人及时处理',
    unreachable: '联系不到审批人',
  },
}

const REFUSED_WORDS: CodeWords<RefusedCallState> = {
  en: {
    ...STATE_WORDS.en,
    denied: 'denied by policy',
    invalid: 'invalid call',
    skipped: 'skipped',
    error: FAILED.en,
  },
  zh: { ...STATE_WORDS.zh, denied: '被策略禁止', invalid: '调用无效', skipped: '已跳过', error: '出错' },
}
