/**
 * What Telegram sends, as clicks and messages. Who it was is `from.id`, a number that Telegram vouches for; user names change
 * hands and are never looked at. Without a usable person, as from an anonymous administrator or a channel, there is nothing to
 * hand over.
 */
import type { VerifiedAccount } from '../../../core/authority.ts'
import { defined } from '../../../core/defined.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import type { ChatClick, ChatMessage } from '../contract.ts'

export const SERVICE = 'telegram'

export type TelegramUpdate =
  | { kind: 'click'; click: ChatClick; query: string }
  | { kind: 'message'; message: ChatMessage }
  /** A click of nobody whom we could look up. It is acknowledged, and nothing else. */
  | { kind: 'anonymous'; query: string }

/** Accounts that many people act through: an anonymous administrator, a channel, Telegram itself. */
const NOBODY = new Set(['1087968824', '136817688', '777000'])

export function parseUpdate(value: unknown): TelegramUpdate | undefined {
  const update = objectIn(value)
  const id = idIn(update?.update_id)
  if (update === undefined || id === undefined) return undefined
  const query = objectIn(update.callback_query)
  if (query !== undefined) return parseClick(query, id)
  const message = objectIn(update.message) ?? objectIn(update.edited_message)
  return message && parseMessage(message, id, update.edited_message !== undefined)
}

/** The id that confirms it. */
export function updateId(value: unknown): number | undefined {
  const id = objectIn(value)?.update_id
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

function parseClick(query: JsonObject, update: string): TelegramUpdate | undefined {
  const { id, data } = query
  if (typeof id !== 'string') return undefined
  const message = objectIn(query.message)
  const chat = idIn(objectIn(message?.chat)?.id)
  const messageId = idIn(message?.message_id)
  const account = accountIn(query.from, { update, query: id })
  if (account === undefined || chat === undefined || messageId === undefined || typeof data !== 'string')
    return { kind: 'anonymous', query: id }
  const click = { event: `click:${id}`, account, chat, message: messageId, handle: data }
  return { kind: 'click', click, query: id }
}

function parseMessage(message: JsonObject, update: string, isEdited: boolean): TelegramUpdate | undefined {
  const { text, date, via_bot } = message
  const chat = objectIn(message.chat)
  const chatId = idIn(chat?.id)
  const id = idIn(message.message_id)
  const account = accountIn(message.from, { update })
  // Sent in the name of a group or channel: it is nobody's.
  if (message.sender_chat !== undefined || account === undefined) return undefined
  if (chatId === undefined || id === undefined || typeof text !== 'string' || typeof date !== 'number')
    return undefined
  return {
    kind: 'message',
    message: {
      event: `message:${chatId}:${id}`,
      account,
      chat: chatId,
      message: id,
      isPrivate: chat?.type === 'private' && chatId === account.account,
      text,
      ...defined({ replyTo: idIn(objectIn(message.reply_to_message)?.message_id) }),
      isForwarded: FORWARDS.some((name) => message[name] !== undefined),
      isEdited: isEdited || message.edit_date !== undefined,
      isBot: via_bot !== undefined || objectIn(message.from)?.is_bot !== false,
      ...defined({ senderName: nameIn(objectIn(message.from)) }),
      writtenAt: date * 1000,
    },
  }
}

const FORWARDS = [
  'forward_origin',
  'forward_date',
  'forward_from',
  'forward_from_chat',
  'is_automatic_forward',
]

function accountIn(from: unknown, proof: JsonObject): VerifiedAccount | undefined {
  const account = idIn(objectIn(from)?.id)
  if (account === undefined || NOBODY.has(account)) return undefined
  return { service: SERVICE, tenant: '', account, isHome: true, proof }
}

function nameIn(from: JsonObject | undefined): string | undefined {
  const { first_name, last_name, username } = from ?? {}
  const names = [first_name, last_name, typeof username === 'string' ? `(@${username})` : undefined]
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ') || undefined
}

function idIn(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}

function objectIn(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}
