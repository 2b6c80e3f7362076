/**
 * Codes of links that people send to the bot. A message that is one is handed to the gateway, with the account that the service
 * vouched for; every other message goes on. The bot says to whom the account would be linked, and nothing is linked yet. In a group
 * a code is made void, since others have read it. Messages of bots, forwarded and edited ones never count, and a reply to a card is
 * an answer to the card.
 */
import { readLinkCode } from '../../../core/support/link-code.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { ChannelPorts } from '../../driver.ts'
import { line } from '../card/call-texts.ts'
import { chatWords } from '../card/words.ts'
import type { ChatMessage } from '../contract.ts'
import type { HandledEvents } from '../events.ts'
import type { Cards } from '../handles.ts'
import type { AnswerMessage } from './answer-messages.ts'
import type { HandleMessage } from './text-answers.ts'

export interface LinkMessagesParts {
  cards: Pick<Cards, 'onMessage'>
  events: HandledEvents
  claimLink: ChannelPorts['claimLink']
  locale: Locale
  inboxUrl(): string | undefined
  say: AnswerMessage
  /** Takes every message that is no code. */
  otherwise: HandleMessage
}

export function createLinkMessages(parts: LinkMessagesParts): HandleMessage {
  const { cards, events, claimLink, locale, inboxUrl, say, otherwise } = parts
  const { link } = chatWords(locale).told

  async function isReplyToCard({ chat, replyTo }: ChatMessage): Promise<boolean> {
    return replyTo !== undefined && (await cards.onMessage({ chat, message: replyTo })) !== undefined
  }

  /** What is answered. Undefined: a group, and nothing that was a code. */
  async function answerTo(message: ChatMessage, code: string): Promise<string | undefined> {
    const { account, isPrivate, senderName } = message
    const name = senderName === undefined ? {} : { name: senderName }
    const claimed = await claimLink({ code, account, isPrivate, ...name })
    switch (claimed.kind) {
      case 'claimed':
        return link.claimed(account.account, line(claimed.subject), inboxUrl())
      case 'yours':
        return link.yours(line(claimed.subject))
      case 'void':
        return link.void
      case 'worthless':
        return isPrivate ? link.worthless : undefined
    }
  }

  return async (message) => {
    const { isBot, isForwarded, isEdited, text } = message
    const code = isBot || isForwarded || isEdited ? undefined : readLinkCode(text)
    if (code === undefined || (await isReplyToCard(message))) return otherwise(message)
    let isOther = false
    await events.once(message.event, async () => {
      const answer = await answerTo(message, code)
      isOther = answer === undefined
      if (answer === undefined) return false
      say(message, answer)
      return true
    })
    if (isOther) await otherwise(message)
  }
}
