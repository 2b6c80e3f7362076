import { translatedWords } from '../../words/translated-words.ts'

interface NotificationWords {
  waiting(count: number): string
  by(tool: string, agent: string): string
  more(tools: readonly string[], others: number): string
}

export const NOTIFICATION_WORDS = translatedWords<NotificationWords>(
  {
    waiting: (count) => (count === 1 ? 'A request needs your answer' : `${count} requests need your answer`),
    by: (tool, agent) => `${tool}, from ${agent}`,
    more: (tools, others) => `${tools.join(', ')}${others === 0 ? '' : ` and ${others} more`}`,
  },
  {
    waiting: (count) => `有 ${count} 个请求待您处理`,
    by: (tool, agent) => `${tool}（来自 ${agent}）`,
    more: (tools, others) => `${tools.join('、')}${others === 0 ? '' : `，另有 ${others} 个工具`}`,
  },
)
