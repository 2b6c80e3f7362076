/** What stands in the way at Telegram, for who sets it up: a webhook that takes our updates, a group that the bot can't write to. */
import { ChatFault, type ChatObstacle } from '../contract.ts'
import { type TelegramApi, TelegramFault } from './api.ts'

export interface TelegramChecked {
  /** Where Telegram is to call us. Absent: we poll. */
  webhook: string | undefined
  chats: readonly string[]
  /** The bot's own account. */
  bot: string
}

const WRITERS = ['creator', 'administrator', 'member']

export async function checkTelegram(
  api: TelegramApi,
  { webhook, chats, bot }: TelegramChecked,
): Promise<ChatObstacle[]> {
  const obstacles = checkWebhook(await api.call('getWebhookInfo', {}), webhook, async () => {
    await api.call('deleteWebhook', {})
  })
  for (const chat of chats) obstacles.push(...(await checkChat(api, chat, bot)))
  return obstacles
}

function checkWebhook(
  info: unknown,
  wanted: string | undefined,
  remove: () => Promise<void>,
): ChatObstacle[] {
  const { url, last_error_message: error } = (info ?? {}) as { url?: unknown; last_error_message?: unknown }
  const set = typeof url === 'string' ? url : ''
  if (wanted === undefined) {
    if (set === '') return []
    return [
      {
        detail: `a webhook is set for this bot, at ${hostOf(set)}: Telegram sends everything there and answers our polling with 409`,
        advice:
          'if no other program needs it, remove it with `banksman chat add telegram`; otherwise make a bot of its own for Banksman',
        isBlocking: true,
        remove: { question: 'Remove that webhook? The program behind it gets nothing more.', run: remove },
      },
    ]
  }
  if (set !== wanted)
    return [
      {
        detail:
          set === ''
            ? 'Telegram has no webhook for this bot yet'
            : `Telegram calls ${hostOf(set)}, which is not the address under telegram.webhook`,
        advice: 'the server tells Telegram its address when it starts: run `banksman start`',
        isBlocking: false,
      },
    ]
  if (typeof error !== 'string') return []
  return [
    {
      detail: `the last call of Telegram to ${hostOf(set)} that failed: ${error.slice(0, 200)}`,
      advice:
        'see whether that address reaches this server, with a valid certificate and the path /telegram/webhook',
      isBlocking: false,
    },
  ]
}

/** The path of a webhook may be a secret. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none'
}

async function checkChat(api: TelegramApi, chat: string, bot: string): Promise<ChatObstacle[]> {
  try {
    const found = await api.call('getChatMember', { chat_id: Number(chat), user_id: Number(bot) })
    const { status, can_send_messages: maySend } = (found ?? {}) as Record<string, unknown>
    if (WRITERS.includes(String(status)) || (status === 'restricted' && maySend === true)) return []
    return [cantWrite(chat, `its state there is "${String(status)}"`)]
  } catch (error) {
    if (!(error instanceof ChatFault)) throw error
    if (error.what.kind === 'retry') throw error
    if (error.what.kind !== 'moved') return [cantWrite(chat, error.message)]
    return [
      {
        detail: `the group ${chat} has become a supergroup: its id is ${error.what.chat} now`,
        advice: `write ${error.what.chat} in its place in the configuration`,
        isBlocking: false,
      },
    ]
  }
}

function cantWrite(chat: string, why: string): ChatObstacle {
  return {
    detail: `the bot can't write to the chat ${chat}: ${why}`,
    advice:
      'add the bot to that group and let it send messages; or correct the id under telegram.chat or telegram.chats',
    isBlocking: false,
  }
}

export function adviseOnTelegram(fault: unknown): string {
  const code = fault instanceof TelegramFault ? fault.code : undefined
  switch (code) {
    case 401:
    case 404:
      return 'Telegram does not know this token. Copy it again: in Telegram write to @BotFather, send /mybots, choose the bot, then API Token.'
    case 403:
      return 'Open the bot in Telegram and press Start: it can write to nobody who has not.'
    case 409:
      return 'Another program receives the updates of this bot: a server of yours, or a webhook. Stop it; if it is a Banksman server, link accounts with `banksman link`.'
    case 429:
      return 'Telegram takes no more requests just now. Wait a minute and try again.'
  }
  if (code !== undefined) return 'Try again; if it stays so, look up what Telegram answered.'
  return 'Telegram can’t be reached from here, or something else answers in its place. Check the network, a proxy or a firewall; where api.telegram.org is blocked, name a Bot API server of your own as telegram.api (--api).'
}
