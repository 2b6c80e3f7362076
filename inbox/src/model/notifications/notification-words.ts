import { translatedWords } from '../../words/translated-words.ts'

interface NotificationWords {
  waiting(count: number): string
  by(tool: string, agent: string): string
  more(tools: string, others: number): string
}

export const NOTIFICATION_WORDS = translatedWords<NotificationWords>(
  {
    waiting: (count) =>
      count === 1 ? 'A request waits for your answer' : `${count} requests wait for your answer`,
    by: (tool, agent) => `${tool}, asked by ${agent}`,
    more: (tools, others) => (others === 0 ? tools : `${tools} and ${others} more`),
  },
  {
    waiting: (count) => (count === 1 ? '有一个请求在等待您的答复' : `有 ${count} 个请求在等待您的答复`),
    by: (tool, agent) => `${tool}（来自 ${agent}）`,
    more: (tools, others) => (others === 0 ? tools : `${tools}，另有 ${others} 种`),
  },
)
