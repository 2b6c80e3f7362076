import { translatedWords } from '../../words/translated-words.ts'

interface NotificationWords {
  waiting(count: number): string
  by(tool: string, agent: string): string
  more(tools: string, others: number): string
}

export const NOTIFICATION_WORDS = translatedWords<NotificationWords>(
  {
    waiting: (count) => (count === 1 ? 'A request needs your answer' : `${count} requests need your answer`),
    by: (tool, agent) => `${tool}, from ${agent}`,
    more: (tools, others) => (others === 0 ? tools : `${tools} and ${others} more`),
  },
  {
    waiting: (count) => (count === 1 ? '有一个请求等您处理' : `有 ${count} 个请求等您处理`),
    by: (tool, agent) => `${tool}（来自 ${agent}）`,
    more: (tools, others) => (others === 0 ? tools : `${tools}，另有 ${others} 种`),
  },
)
