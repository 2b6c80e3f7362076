/** What a coding session is doing. */
import type { CodingState } from '../../core/secretary.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

/** `waitsFor`: of one that is waiting, what for; an approval where nothing is said. */
export function saySessionState(state: CodingState, locale: Locale, waitsFor?: 'answer'): string {
  if (state === 'waiting' && waitsFor === 'answer') return WAITS_FOR_ANSWER[locale]
  return sayCode(SESSION_STATES, state, locale)
}

const WAITS_FOR_ANSWER: Readonly<Record<Locale, string>> = { en: 'waiting for an answer', zh: '等待回答' }

const SESSION_STATES: CodeWords<CodingState> = {
  en: {
    running: 'working',
    waiting: 'waiting for approval',
    idle: 'idle',
    asleep: 'asleep',
    closed: 'closed',
    ended: 'ended',
  },
  zh: {
    running: '工作中',
    waiting: '等待审批',
    idle: '空闲',
    asleep: '休眠',
    closed: '已关闭',
    ended: '已终止',
  },
}
