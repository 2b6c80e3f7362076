/** How a turn of a conversation ended. */
import type { TurnStatus } from '../../core/conversation.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

export function sayTurnStatus(status: TurnStatus, locale: Locale): string {
  return sayCode(TURN_STATUSES, status, locale)
}

const TURN_STATUSES: CodeWords<TurnStatus> = {
  en: {
    completed: 'done',
    interrupted: 'interrupted',
    limit: 'step limit reached',
    failed: 'failed',
    aborted: 'aborted by a hook',
    terminated: 'session ended',
  },
  zh: {
    completed: '完成',
    interrupted: '已中断',
    limit: '达到步数上限',
    failed: '失败',
    aborted: '被钩子中止',
    terminated: '会话已终止',
  },
}
