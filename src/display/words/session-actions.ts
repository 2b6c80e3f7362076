/** The three ways to bring a session to rest, told apart in one line each: the turn, until the next message, or for good. */
import type { Locale } from './rendering-words.ts'

export type SessionAction = 'stop' | 'close' | 'end'

export interface SessionActionWords {
  label: string
  /** What it does, and whether it can be undone. */
  about: string
}

export function saySessionAction(action: SessionAction, locale: Locale): SessionActionWords {
  return SESSION_ACTIONS[locale][action]
}

const SESSION_ACTIONS: Readonly<Record<Locale, Readonly<Record<SessionAction, SessionActionWords>>>> = {
  en: {
    stop: {
      label: 'Stop this turn',
      about: 'Stops the current work and cancels its requests. The next message continues the session.',
    },
    close: {
      label: 'Close session',
      about:
        'Stops its work, withdraws its requests and takes it off the list. The next message opens it again.',
    },
    end: {
      label: 'End session for good',
      about: "Nothing more can be said or run in it, and this can't be undone. You can still read it.",
    },
  },
  zh: {
    stop: { label: '停止本轮', about: '中断当前的工作，取消待处理的请求。发送下一条消息即可继续。' },
    close: {
      label: '关闭会话',
      about: '停止工作，取消待处理的请求，并从列表中移除。发送下一条消息会重新打开它。',
    },
    end: {
      label: '终止会话',
      about: '永久结束：之后不能再对话或执行任何操作，也无法恢复。已有的内容仍可查看。',
    },
  },
}
