/** What may be written under the key of every chat service. */
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { ChatOptions } from '../../people/chats/create-chat.ts'
import type { ChannelHost } from './channel-registration.ts'

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

/** Reads secrets from the environment. What is wrong with one is said without showing it. */
export function secretsOf(
  key: string,
  { environment }: Pick<ChannelHost, 'environment'>,
): (name: string, shape: RegExp, wanted: string) => string {
  return (name, shape, wanted) => {
    const value = environment[name]
    if (value !== undefined && shape.test(value)) return value
    const found = value === undefined || value === '' ? 'is not set' : 'has another shape'
    throw new BanksmanError(
      'invalid_configuration',
      `${key} needs ${wanted}, in the environment variable ${name}, which ${found}`,
      { pointer: `/${key}` },
    )
  }
}
