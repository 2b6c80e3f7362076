/** What a decision is called: on its button, after the name of who made it, and when it is recorded. */
import type { DecisionKind } from '../../core/decision.ts'
import type { RequestKind } from '../../core/request.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

/** Who rejects a question declines to answer it. */
type SaidDecision = DecisionKind | 'decline'

/** For a button: `Approve`. */
export function sayDecisionAction(decision: DecisionKind, locale: Locale, of?: RequestKind): string {
  return sayCode(ACTIONS, saidAs(decision, of), locale)
}

/** What somebody did, after the name: `ana approved`. */
export function sayDecided(decision: DecisionKind, locale: Locale, of?: RequestKind): string {
  return sayCode(DECIDED, saidAs(decision, of), locale)
}

/** For who has just decided: `Approved.` */
export function sayRecorded(decision: DecisionKind, locale: Locale, of?: RequestKind): string {
  return sayCode(RECORDED, saidAs(decision, of), locale)
}

/** How a call was decided that nobody was asked about. `granted`: by an earlier approval. */
export type AutomaticDecision = 'allowed' | 'denied' | 'granted' | 'joined'

export function sayAutomatic(decision: AutomaticDecision, locale: Locale): string {
  return sayCode(AUTOMATIC, decision, locale)
}

function saidAs(decision: DecisionKind, of: RequestKind | undefined): SaidDecision {
  return decision === 'reject' && of === 'question' ? 'decline' : decision
}

const ACTIONS: CodeWords<SaidDecision> = {
  en: {
    approve: 'Approve',
    edit: 'Edit',
    reject: 'Reject',
    decline: 'Decline',
    respond: 'Respond',
    terminate: 'End session for good',
    answer: 'Answer',
  },
  zh: {
    approve: '批准',
    edit: '修改',
    reject: '拒绝',
    decline: '不回答',
    respond: '代为答复',
    terminate: '终止会话',
    answer: '回答',
  },
}

const DECIDED: CodeWords<SaidDecision> = {
  en: {
    approve: 'approved',
    edit: 'edited and approved',
    reject: 'rejected',
    decline: 'declined to answer',
    respond: 'responded instead of the tool',
    terminate: 'ended the session',
    answer: 'answered',
  },
  zh: {
    approve: '已批准',
    edit: '修改后批准',
    reject: '已拒绝',
    decline: '未予回答',
    respond: '已代为答复',
    terminate: '终止了会话',
    answer: '已回答',
  },
}

const RECORDED: CodeWords<SaidDecision> = {
  en: {
    approve: 'Approved.',
    edit: 'Approved with your changes.',
    reject: 'Rejected.',
    decline: 'Declined.',
    respond: 'The agent gets your response.',
    terminate: 'Session ended.',
    answer: 'Answered.',
  },
  zh: {
    approve: '已批准。',
    edit: '已按修改批准。',
    reject: '已拒绝。',
    decline: '已告知不回答。',
    respond: '答复已交给智能体。',
    terminate: '会话已终止。',
    answer: '已回答。',
  },
}

const AUTOMATIC: CodeWords<AutomaticDecision> = {
  en: {
    allowed: 'allowed by policy',
    denied: 'denied by policy',
    granted: 'allowed by an earlier approval',
    joined: 'joined a request',
  },
  zh: { allowed: '策略允许', denied: '策略禁止', granted: '依据先前授权允许', joined: '并入已有请求' },
}
