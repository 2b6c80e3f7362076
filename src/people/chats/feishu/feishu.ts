/** Feishu and Lark: cards as messages of an app's bot. */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../core/json/json.ts'
import {
  type ChatAddress,
  ChatFault,
  type ChatHost,
  type ChatLimits,
  type ChatReceiver,
  type ChatService,
  type SentMessage,
} from '../contract.ts'
import { createFeishuApi, type FeishuApi, type FeishuApiOptions, type FeishuCall } from './api.ts'
import { adviseOnFeishu, checkFeishu } from './check.ts'
import { startLongConnection } from './connection.ts'
import { FeishuFault } from './faults.ts'
import { createEventHandler } from './handle-event.ts'
import { objectIn, textIn } from './members.ts'
import { type FeishuHome, parseEvent, SERVICE } from './parse.ts'
import { renderFeishu, renderFeishuNotice, renderText } from './render.ts'
import { createOpenReplies } from './replies.ts'
import type { FeishuWebhook } from './verify.ts'
import { webhookDoor } from './webhook.ts'

export interface FeishuOptions extends FeishuApiOptions {
  tenant?: string
  /** Absent: a long connection. */
  webhook?: FeishuWebhook
}

const LIMITS: ChatLimits = {
  maxButtons: 20,
  hasForms: true,
  canBeSilent: false,
  // A reply that comes later is an error to the person who clicked.
  ackWithinMs: 3_000,
  // Five a second to one person or group, which all apps share.
  pace: { person: { count: 4, inMs: 1_000 }, chat: { count: 4, inMs: 1_000 } },
}

const MAX_TEXT = 4_000
const MESSAGES = '/open-apis/im/v1/messages'
const MEMBERS_A_PAGE = 100
const MAX_PAGES = 50

export function createFeishu({ tenant, webhook, ...options }: FeishuOptions): ChatService {
  const api = createFeishuApi(options)
  const replies = createOpenReplies()
  const home: FeishuHome = { appId: options.appId, ...(tenant === undefined ? {} : { tenant }) }

  async function say(to: ChatAddress, text: string, answering?: string): Promise<void> {
    const characters = [...text]
    const shown = characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join('')}…`
    const content = {
      msg_type: 'interactive',
      content: JSON.stringify(renderText(shown)),
      uuid: randomUUID(),
    }
    await repeatOnce(api, {
      method: 'POST',
      ...(answering === undefined
        ? addressed(to, content)
        : { path: `${MESSAGES}/${encodeURIComponent(answering)}/reply`, body: content }),
    })
  }

  return {
    name: SERVICE,
    tenant: options.appId,
    limits: LIMITS,
    async describe() {
      const { name } = await api.describeBot()
      return { bot: name ?? options.appId, address: botAddress(options) }
    },
    check: (chats) => checkFeishu(api, { isCalled: webhook !== undefined, chats }),
    advise: (fault) => adviseOnFeishu(fault, options),
    render: renderFeishu,
    async send(to, { payload }) {
      const body = { msg_type: 'interactive', content: JSON.stringify(payload), uuid: randomUUID() }
      return sentMessage(await repeatOnce(api, { method: 'POST', ...addressed(to, body) }))
    },
    async update({ message }, { payload }) {
      await replies.give(message, payload)
      const path = `${MESSAGES}/${encodeURIComponent(message)}`
      await api.call({ method: 'PATCH', path, body: { content: JSON.stringify(payload) } })
    },
    async notify(to, notice) {
      const content = JSON.stringify(renderFeishuNotice(notice))
      const body = { msg_type: 'interactive', content, uuid: randomUUID() }
      await repeatOnce(api, { method: 'POST', ...addressed(to, body) })
    },
    say,
    sees: (chat, account) => isMember(api, chat, account),
    receive: (host) => receive(host),
  }

  function receive(host: ChatHost): ChatReceiver {
    const tell = (account: string, text: string) => say({ kind: 'person', account }, text)
    const handle = createEventHandler({ host, replies, bot: api.bot, tell })
    if (webhook !== undefined)
      return { doors: [webhookDoor(webhook, home, handle)], close: async () => api.close() }
    const connection = startLongConnection({
      api,
      host,
      handle: async (body) => {
        const event = parseEvent(body, home)
        return event === undefined ? {} : handle(event)
      },
    })
    return {
      async close() {
        await connection.close()
        api.close()
      },
    }
  }
}

/** It can't carry a code. */
function botAddress({ appId, url }: Pick<FeishuOptions, 'appId' | 'url'>): string {
  const isLark = new URL(url).hostname.endsWith('larksuite.com')
  const host = isLark ? 'applink.larksuite.com' : 'applink.feishu.cn'
  return `https://${host}/client/bot/open?appId=${encodeURIComponent(appId)}`
}

function addressed(to: ChatAddress, content: JsonObject): Pick<FeishuCall, 'path' | 'body'> {
  const [kind, id] = to.kind === 'person' ? ['open_id', to.account] : ['chat_id', to.chat]
  return { path: `${MESSAGES}?receive_id_type=${kind}`, body: { receive_id: id, ...content } }
}

/** Where it isn't known whether it arrived, it is sent once more: with the same `uuid`, of which the service takes one. */
async function repeatOnce(api: FeishuApi, call: FeishuCall): Promise<JsonObject> {
  try {
    return await api.call(call)
  } catch (error) {
    if (error instanceof FeishuFault) throw error
    return api.call(call)
  }
}

async function isMember(api: FeishuApi, chat: string, account: string): Promise<boolean> {
  let page = ''
  for (let count = 0; count < MAX_PAGES; count++) {
    const query = `member_id_type=open_id&page_size=${MEMBERS_A_PAGE}${page}`
    const path = `/open-apis/im/v1/chats/${encodeURIComponent(chat)}/members?${query}`
    const data = objectIn((await api.call({ method: 'GET', path })).data)
    const items = Array.isArray(data?.items) ? data.items : []
    if (items.some((item) => objectIn(item)?.member_id === account)) return true
    const next = textIn(data?.page_token)
    if (data?.has_more !== true || next === undefined) return false
    page = `&page_token=${encodeURIComponent(next)}`
  }
  return false
}

function sentMessage({ data }: JsonObject): SentMessage {
  const sent = objectIn(data)
  const message = textIn(sent?.message_id)
  const chat = textIn(sent?.chat_id)
  const at = Number(textIn(sent?.create_time))
  if (message === undefined || chat === undefined || !Number.isSafeInteger(at))
    throw new ChatFault({ kind: 'retry' }, 'feishu: the answer names no message')
  return { chat, message, at }
}
