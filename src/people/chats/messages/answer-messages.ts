/**
 * What the bot answers to messages. Anybody can write to a bot, so an answer is a courtesy: nobody waits for it, since the clicks of
 * others may stand behind the message, and there are only so many of them, for each account and for all, since a service that is
 * asked to send too much takes no cards either. A message that gets no answer counts all the same.
 */
import type { ChatAddress, ChatMessage, ChatService } from '../contract.ts'
import { createPace } from '../pace.ts'

export interface AnswerMessagesParts {
  service: Pick<ChatService, 'name' | 'say'>
  now(): number
  report(fault: { doing: string; error: unknown }): void
}

/** A message, or the card that was clicked. `isAlone`: to who has written or clicked, and nobody else. */
export type AnswerMessage = (
  message: Pick<ChatMessage, 'chat' | 'message' | 'account'>,
  text: string,
  how?: { isAlone: boolean },
) => void

const MINUTE_MS = 60_000
const OF_ACCOUNT = 20
const OF_ALL = 300
const ALL: ChatAddress = { kind: 'chat', chat: '' }

export function createAnswerMessages({ service, now, report }: AnswerMessagesParts): AnswerMessage {
  const pace = createPace(
    { person: { count: OF_ACCOUNT, inMs: MINUTE_MS }, chat: { count: OF_ALL, inMs: MINUTE_MS } },
    now,
  )
  return ({ chat, message, account: { account } }, text, { isAlone } = { isAlone: false }) => {
    const writer: ChatAddress = { kind: 'person', account }
    if (pace.take(writer) > 0 || pace.take(ALL) > 0) return
    const said = isAlone ? service.say(writer, text) : service.say({ kind: 'chat', chat }, text, message)
    said.catch((error) => report({ doing: `answering a message in ${service.name}`, error }))
  }
}
