/** Telegram: cards as messages of a bot, by the Bot API. */
import type { JsonObject } from '../../../core/json/json.ts'
import {
  type ChatAddress,
  type ChatDescription,
  ChatFault,
  type ChatLimits,
  type ChatService,
  type MessageReference,
  type SentMessage,
} from '../contract.ts'
import { createTelegramApi, type TelegramApiOptions } from './api.ts'
import { adviseOnTelegram, checkTelegram } from './check.ts'
import { SERVICE } from './parse.ts'
import { receiveTelegram, type TelegramWebhook } from './receive.ts'
import { MAX_TEXT, plain, renderTelegram, renderTelegramNotice } from './render.ts'

export interface TelegramOptions extends TelegramApiOptions {
  /** Absent: we poll. */
  webhook?: TelegramWebhook
}

const LIMITS: ChatLimits = {
  // More would fit, and nobody would read them.
  maxButtons: 20,
  hasForms: false,
  canBeSilent: true,
  // The button turns for so long, and then the answer is refused.
  ackWithinMs: 10_000,
  pace: { person: { count: 20, inMs: 20_000 }, chat: { count: 20, inMs: 60_000 } },
}

const READERS = ['creator', 'administrator', 'member']

export function createTelegram({ webhook, ...options }: TelegramOptions): ChatService {
  const api = createTelegramApi(options)
  return {
    name: SERVICE,
    tenant: '',
    limits: LIMITS,
    describe: async () => describeBot(await api.call('getMe', {})),
    check: (chats) =>
      checkTelegram(api, { webhook: webhook?.url, chats, bot: options.token.replace(/:.*$/, '') }),
    advise: adviseOnTelegram,
    render: renderTelegram,
    async send(to, { payload }, { isSilent }) {
      const sent = await api.call('sendMessage', {
        ...payload,
        chat_id: chatId(to),
        disable_notification: isSilent,
      })
      return sentMessage(sent)
    },
    async update({ chat, message }: MessageReference, { payload }) {
      try {
        await api.call('editMessageText', { ...payload, chat_id: Number(chat), message_id: Number(message) })
      } catch (error) {
        if (!(error instanceof ChatFault) || !/message is not modified/i.test(error.message)) throw error
      }
    },
    async notify(to, notice, { isSilent }) {
      await api.call('sendMessage', {
        ...renderTelegramNotice(notice),
        chat_id: chatId(to),
        disable_notification: isSilent,
      })
    },
    async say(to, text, answering) {
      const reply: JsonObject =
        answering === undefined
          ? {}
          : { reply_parameters: { message_id: Number(answering), allow_sending_without_reply: true } }
      const shown = plain(text)
      await api.call('sendMessage', {
        chat_id: chatId(to),
        text: shown.length > MAX_TEXT ? plain(text.slice(0, MAX_TEXT / 8)) : shown,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...reply,
      })
    },
    async sees(chat, account) {
      const member = (await api.call('getChatMember', {
        chat_id: Number(chat),
        user_id: Number(account),
      })) as {
        status?: unknown
        is_member?: unknown
      } | null
      return (
        READERS.includes(String(member?.status)) ||
        (member?.status === 'restricted' && member.is_member === true)
      )
    },
    receive: (host) => receiveTelegram(api, host, webhook),
  }
}

function describeBot(me: unknown): ChatDescription {
  const { username } = (me ?? {}) as { username?: unknown }
  if (typeof username !== 'string' || !/^\w+$/.test(username))
    throw new ChatFault({ kind: 'retry' }, 'telegram getMe: the answer does not say who the bot is')
  const address = `https://t.me/${username}`
  return { bot: `@${username}`, address, addressWithCode: (code) => `${address}?start=${code}` }
}

/** The private chat of a person has the id of their account. */
function chatId(to: ChatAddress): number {
  return Number(to.kind === 'person' ? to.account : to.chat)
}

function sentMessage(sent: unknown): SentMessage {
  const { message_id, date, chat } = (sent ?? {}) as Record<string, unknown>
  const id = (chat as { id?: unknown } | undefined)?.id
  if (typeof message_id !== 'number' || typeof date !== 'number' || typeof id !== 'number')
    throw new ChatFault({ kind: 'retry' }, 'telegram sendMessage: the answer names no message')
  return { chat: String(id), message: String(message_id), at: date * 1000 }
}
