/** What may be written under the key of every chat service. */
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import type { ChatOptions } from '../../people/chats/create-chat.ts'

/** `chat` is what the id of a chat looks like at this service. */
export function chatSchema<Chat extends z.ZodType<string>>(chat: Chat) {
  return {
    chat: chat.optional(),
    chats: z.array(chat).default([]),
    language: z.enum(['en', 'zh']).default('en'),
    textAnswers: z.boolean().default(false),
  }
}

interface ChatBlock {
  chat?: string | undefined
  chats: string[]
  language: ChatOptions['locale']
  textAnswers: boolean
}

export function readChatOptions({ chat, chats, language, textAnswers }: ChatBlock): ChatOptions {
  return { locale: language, chats, textAnswers, ...defined({ chat }) }
}
