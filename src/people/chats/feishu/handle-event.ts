/**
 * An event that was found to be ours, handed to the host, and what is replied to it. The reply confirms it: it comes after the
 * decision is committed. Where the store can't tell, there is none, and the person is told in a message of their own.
 */
import type { JsonObject } from '../../../core/json/json.ts'
import type { ChatClick, ChatHost, ChatMessage } from '../contract.ts'
import type { FeishuEvent } from './parse.ts'
import type { OpenReplies } from './replies.ts'

export interface EventHandlerParts {
  host: Pick<ChatHost, 'click' | 'message' | 'report'>
  replies: OpenReplies
  /** The bot's own account. */
  bot(): Promise<string>
  /** Tells one person, in the private chat. */
  tell(account: string, text: string): Promise<void>
}

/** Resolves with the reply. Rejects where the service is to send it again. */
export type HandleEvent = (event: FeishuEvent) => Promise<JsonObject>

const MAX_TOAST = 300
const MAX_TOLD = 1_000

export function createEventHandler({ host, replies, bot, tell }: EventHandlerParts): HandleEvent {
  /** Events whose failure the person has heard of: it isn't repeated with every try. */
  const told = new Set<string>()

  async function click(click: ChatClick, isLegacy: boolean): Promise<JsonObject> {
    const reply = replies.open(click.message)
    let answer: { text: string; isAlert: boolean } | undefined
    try {
      await host.click(click, async (given) => {
        answer = given
      })
      const card = answer === undefined || answer.isAlert ? undefined : await reply.card()
      if (!isLegacy) return replyOf(answer, card)
      // The reply to an old callback is the card, and has no place for words.
      if (answer?.isAlert) await tellAlone(click, answer.text)
      return card ?? {}
    } catch (error) {
      if (answer !== undefined) await tellAlone(click, answer.text)
      throw error
    } finally {
      // What is returned is written in this turn.
      setImmediate(reply.sent)
    }
  }

  async function tellAlone({ event, account }: ChatClick, text: string): Promise<void> {
    if (told.has(event)) return
    if (told.size >= MAX_TOLD) told.delete(told.values().next().value!)
    told.add(event)
    await tell(account.account, text).catch((error) => {
      host.report({ doing: 'telling somebody in feishu about their click', error })
    })
  }

  /** In groups one writes to the bot by mentioning it. Who mentions somebody else doesn't talk to the bot. */
  async function message(
    given: ChatMessage,
    mentions: readonly { key: string; account: string }[],
  ): Promise<void> {
    if (mentions.length === 0) return host.message(given)
    const self = await bot()
    if (mentions.some(({ account }) => account !== self)) return
    const text = mentions.reduce((left, { key }) => left.replaceAll(key, ' '), given.text).trim()
    await host.message({ ...given, text, isAddressed: true })
  }

  return async (event) => {
    if (event.kind === 'click') return click(event.click, event.isLegacy)
    if (event.kind === 'message') await message(event.message, event.mentions)
    return {}
  }
}

function replyOf(
  answer: { text: string; isAlert: boolean } | undefined,
  card: JsonObject | undefined,
): JsonObject {
  return {
    ...(answer === undefined
      ? {}
      : {
          toast: { type: answer.isAlert ? 'warning' : 'success', content: answer.text.slice(0, MAX_TOAST) },
        }),
    ...(card === undefined ? {} : { card: { type: 'raw', data: card } }),
  }
}
