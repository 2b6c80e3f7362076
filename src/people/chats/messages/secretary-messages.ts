/**
 * What people write to the bot that is no answer to a card: it is handed to the secretary, with the account that the service vouched
 * for. Who isn't known here is told so once, alone, and not with every message. What the secretary doesn't want, such as what people
 * say to each other in a group, gets no answer.
 */
import { isBanksmanError } from '../../../core/errors.ts'
import { sayError } from '../../../display/reasons/say-error.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { ChannelPorts, TalkPlace } from '../../driver.ts'
import { line } from '../card/call-texts.ts'
import { chatWords } from '../card/words.ts'
import type { ChatMessage } from '../contract.ts'
import type { HandledEvents } from '../events.ts'
import { isFaultOfOurs } from '../told.ts'
import type { AnswerMessage } from './answer-messages.ts'

export interface SecretaryMessagesParts {
  secretary: NonNullable<ChannelPorts['secretary']>
  events: HandledEvents
  locale: Locale
  say: AnswerMessage
}

export interface SecretaryMessages {
  /** A plain y or n is for a session there. */
  isDirect(message: ChatMessage): Promise<boolean>
  /** False: it isn't meant for us. Throws where the store can't tell; then it is to be sent again. */
  hear(message: ChatMessage): Promise<boolean>
}

export function createSecretaryMessages(parts: SecretaryMessagesParts): SecretaryMessages {
  const { secretary, events, locale, say } = parts

  return {
    async isDirect(message) {
      try {
        return await secretary.isDirect(placeOf(message), message.account)
      } catch (error) {
        if (isBanksmanError(error, 'unlinked_account')) return false
        throw error
      }
    },
    async hear(message) {
      const { text, event, isAddressed } = message
      const talk = { ...placeOf(message), text, event, locale, ...(isAddressed ? { isAddressed } : {}) }
      try {
        const answer = await secretary.hear(talk, message.account)
        if (answer?.text !== undefined) say(message, answer.text, { isAlone: answer.isAlone === true })
        return answer !== undefined
      } catch (error) {
        if (!isBanksmanError(error) || isFaultOfOurs(error)) throw error
        if (error.code === 'unlinked_account') await tellStranger(message)
        else say(message, line(sayError(error, locale)), { isAlone: true })
        return true
      }
    },
  }

  function tellStranger(message: ChatMessage): Promise<void> {
    return events.once(`stranger:${message.account.account}`, async () => {
      say(message, chatWords(locale).told.stranger, { isAlone: true })
      return true
    })
  }
}

function placeOf({ account, chat, isPrivate }: ChatMessage): TalkPlace {
  return { service: account.service, chat, isPrivate, account: account.account }
}
