/** Telegram, where `telegram:` is written. The token and the webhook's secret come from the environment. */
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { defineChat } from './channel-registration.ts'
import { chatSchema, readChatOptions, secretsOf } from './chat-options.ts'

export const TOKEN = /^\d{1,20}:[\w-]{20,100}$/
const SECRET = /^[\w-]{16,256}$/

const CHAT = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^-?\d{1,16}$/, 'must be the id of a chat, as in -1001234567890'))

export const telegram = defineChat({
  key: 'telegram',
  service: { name: 'telegram', pattern: /^\d{1,16}$/, example: '12345678' },
  schema: z.strictObject({
    ...chatSchema(CHAT),
    tokenEnv: z.string().min(1).default('TELEGRAM_BOT_TOKEN'),
    /** The Bot API: Telegram's own, or a server of one's own. */
    api: z.url({ protocol: /^https?$/ }).default('https://api.telegram.org'),
    webhook: z.strictObject({ url: z.url({ protocol: /^https$/ }), secretEnv: z.string().min(1) }).optional(),
  }),
  read(block) {
    if (block === undefined) return undefined
    const { tokenEnv, api, webhook, ...chat } = block
    return { chat: readChatOptions(chat), tokenEnv, api: api.replace(/\/$/, ''), ...defined({ webhook }) }
  },
  async open({ tokenEnv, api, webhook }, host) {
    const { createTelegram } = await import('../../people/chats/telegram/telegram.ts')
    const secretIn = secretsOf('telegram', host)
    const token = secretIn(tokenEnv, TOKEN, 'the token of a bot, as BotFather gives it')
    const secret =
      webhook &&
      secretIn(webhook.secretEnv, SECRET, '16 to 256 letters, digits, _ or -, which nobody can guess')
    return createTelegram({
      token,
      url: api,
      ...(webhook === undefined || secret === undefined ? {} : { webhook: { url: webhook.url, secret } }),
    })
  },
})
