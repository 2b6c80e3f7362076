/**
 * What Feishu sends, as clicks and messages. Who it was is the `open_id`, which belongs to one app and one tenant and which
 * Feishu vouches for; names, user ids and addresses are never looked at. Somebody of another tenant, as in a group that
 * organisations share, is nobody whom the configuration could mean.
 */
import { createHash } from 'node:crypto'
import type { VerifiedAccount } from '../../../core/authority.ts'
import { defined } from '../../../core/defined.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import type { ChatClick, ChatMessage } from '../contract.ts'
import { objectIn, parseObject, textIn } from './members.ts'

export const SERVICE = 'feishu'

/** Whose events are taken. */
export interface FeishuHome {
  appId: string
  /** The organisation's key. Absent: the one that the event is from, because an app of our kind is installed in one. */
  tenant?: string
}

export type FeishuEvent =
  | { kind: 'click'; click: ChatClick; isLegacy: boolean }
  /** `mentions`: whom it mentions, by what stands for them in the text. */
  | { kind: 'message'; message: ChatMessage; mentions: readonly { key: string; account: string }[] }
  /** Ours, and nothing that we know or could ask anybody about. */
  | { kind: 'other' }

interface Sender {
  home: FeishuHome
  event: string
  tenant: string | undefined
}

/** Undefined: it is not for this app or tenant. */
export function parseEvent(body: JsonObject, home: FeishuHome): FeishuEvent | undefined {
  const header = objectIn(body.header)
  const event = objectIn(body.event)
  if (body.schema !== '2.0' || header === undefined || event === undefined) return undefined
  const tenant = textIn(header.tenant_key)
  if (header.app_id !== home.appId || (home.tenant !== undefined && tenant !== home.tenant)) return undefined
  const id = textIn(header.event_id)
  if (id === undefined) return { kind: 'other' }
  const sender = { home, event: id, tenant }
  if (header.event_type === 'card.action.trigger') return parseClick(event, sender)
  if (header.event_type === 'im.message.receive_v1') return parseMessage(event, sender)
  return { kind: 'other' }
}

/** An old card callback, which is flat and has neither an event id nor an app. Its token is used up by one click. */
export function parseLegacyClick(body: JsonObject, home: FeishuHome): FeishuEvent | undefined {
  const token = textIn(body.token)
  if (body.schema !== undefined || body.header !== undefined || token === undefined) return undefined
  const event = `old:${createHash('sha256').update(token).digest('base64url')}`
  const account = accountIn(body, textIn(body.tenant_key), { home, event, tenant: undefined })
  return clickOn(account, body, { event, action: objectIn(body.action), isLegacy: true })
}

function parseClick(event: JsonObject, sender: Sender): FeishuEvent {
  const operator = objectIn(event.operator)
  const account = accountIn(operator, textIn(operator?.tenant_key), sender)
  const action = objectIn(event.action)
  return clickOn(account, objectIn(event.context), {
    event: `click:${sender.event}`,
    action,
    isLegacy: false,
  })
}

function clickOn(
  account: VerifiedAccount | undefined,
  place: JsonObject | undefined,
  { event, action, isLegacy }: { event: string; action: JsonObject | undefined; isLegacy: boolean },
): FeishuEvent {
  const message = textIn(place?.open_message_id)
  const chat = textIn(place?.open_chat_id)
  if (account === undefined || action === undefined || message === undefined || chat === undefined)
    return { kind: 'other' }
  const form = formIn(action.form_value)
  return {
    kind: 'click',
    isLegacy,
    click: { event, account, chat, message, handle: handleIn(action), ...defined({ form }) },
  }
}

/** In the button's value, or in the name of a button that submits a form. Where both are there, they must be the same. */
function handleIn({ value, name }: JsonObject): string {
  const carried = objectIn(value) ?? (typeof value === 'string' ? parseObject(value) : undefined)
  const handles = [textIn(carried?.handle), textIn(name)].filter((one) => one !== undefined)
  return new Set(handles).size === 1 ? handles[0]! : ''
}

function formIn(value: unknown): Record<string, string[]> | undefined {
  const form = objectIn(value)
  if (form === undefined) return undefined
  const fields = Object.entries(form).map(([name, filled]): [string, string[]] => [
    name,
    (Array.isArray(filled) ? filled : [filled]).filter((one) => typeof one === 'string'),
  ])
  return Object.fromEntries(fields)
}

function parseMessage(event: JsonObject, sender: Sender): FeishuEvent {
  const from = objectIn(event.sender)
  const account = accountIn(objectIn(from?.sender_id), textIn(from?.tenant_key), sender)
  const message = objectIn(event.message) ?? {}
  const id = textIn(message.message_id)
  const chat = textIn(message.chat_id)
  const writtenAt = Number(textIn(message.create_time) ?? Number.NaN)
  // Pictures, files, and several messages that were forwarded as one are no text.
  const text = message.message_type === 'text' ? textOf(message.content) : undefined
  if (account === undefined || id === undefined || chat === undefined || text === undefined)
    return { kind: 'other' }
  if (!Number.isSafeInteger(writtenAt)) return { kind: 'other' }
  return {
    kind: 'message',
    mentions: mentionsIn(message.mentions),
    message: {
      event: `message:${id}`,
      account,
      chat,
      message: id,
      isPrivate: message.chat_type === 'p2p',
      text,
      ...defined({ replyTo: textIn(message.parent_id) }),
      // Feishu doesn't say of a single message that it was forwarded: who forwards it has written it.
      isForwarded: false,
      isEdited: message.update_time !== undefined && message.update_time !== message.create_time,
      isBot: from?.sender_type !== 'user',
      writtenAt,
    },
  }
}

function textOf(content: unknown): string | undefined {
  const text = typeof content === 'string' ? parseObject(content)?.text : undefined
  return typeof text === 'string' ? text : undefined
}

function mentionsIn(value: unknown): { key: string; account: string }[] {
  return (Array.isArray(value) ? value : []).map((one) => {
    const mention = objectIn(one)
    return { key: textIn(mention?.key) ?? '', account: textIn(objectIn(mention?.id)?.open_id) ?? '' }
  })
}

function accountIn(
  ids: JsonObject | undefined,
  tenant: string | undefined,
  { home, event, tenant: eventTenant }: Sender,
): VerifiedAccount | undefined {
  const account = textIn(ids?.open_id)
  if (account === undefined || tenant === undefined) return undefined
  const isHome = tenant === (home.tenant ?? eventTenant)
  return {
    service: SERVICE,
    // An open_id is of one app, and an app of our kind is of one tenant.
    tenant: isHome ? home.appId : tenant,
    account,
    isHome,
    proof: { event, tenant },
  }
}
