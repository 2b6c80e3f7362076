/** What a coding session is doing. */
import type { CodingState } from '../../core/secretary.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

export function saySessionState(state: CodingState, locale: Locale): string {
  return sayCode(SESSION_STATES, state, locale)
}

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
