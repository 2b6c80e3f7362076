/**
 * Answers in text. A reply to a card counts: y or n, or a reason, which rejects. Any other message counts only where the
 * configuration says so (`textAnswers: true`), in a private chat with the bot, if it can mean one card alone: exactly one is
 * pending there, it has an Approve button and was there before the message was written, and no other card was settled there
 * in the last minute. High-risk requests and those that several people must approve are never approved by text. Messages of
 * bots, forwarded and edited ones never count. The bot says what it took an answer for.
 *
 * Every other message goes to the secretary, if there is one. Where each message goes to a session, a plain y or n does too. Elsewhere a
 * plain y or n that is no answer is taken by nobody while requests are pending: they are listed. Without a secretary they always are.
 */
import type { DecisionInput } from '../../../core/decision.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import { currentTerms, type Request } from '../../../core/request.ts'
import { isHighRisk } from '../../../core/verdict.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { Deciding } from '../../driver.ts'
import { line } from '../card/call-texts.ts'
import type { CardAction } from '../card/card.ts'
import { chatWords } from '../card/words.ts'
import type { ChatMessage } from '../contract.ts'
import type { HandledEvents } from '../events.ts'
import type { Cards, FoundCard } from '../handles.ts'
import { isFaultOfOurs, sayRefusal, sayResult } from '../told.ts'
import type { AnswerMessage } from './answer-messages.ts'
import { readText, type TextAnswer } from './read-text.ts'
import type { SecretaryMessages } from './secretary-messages.ts'

export interface TextAnswersParts {
  cards: Pick<Cards, 'onMessage' | 'inChat'>
  events: HandledEvents
  deciding: Pick<Deciding, 'decide' | 'get'>
  /** Whether a message that is no reply can be an answer. */
  takesText: boolean
  locale: Locale
  now(): number
  say: AnswerMessage
  /** Absent: there is no secretary. */
  secretary: SecretaryMessages | undefined
}

export type HandleMessage = (message: ChatMessage) => Promise<void>

/** A card that was settled so lately may be what the person had in mind. */
const LATELY_MS = 60_000
/** How many cards of a chat are looked at. With more of them pending, no text can mean one. */
const MAX_LOOKED_AT = 50
const MAX_LISTED = 10

export function createTextAnswers(parts: TextAnswersParts): HandleMessage {
  const { cards, events, deciding, takesText, locale, now, say, secretary } = parts
  const { told } = chatWords(locale)

  /** The answer to one card, in words for the person. */
  async function answer(card: FoundCard, said: TextAnswer, message: ChatMessage): Promise<string> {
    if (card.isTest) return told.test.useButton
    const request = await deciding.get(card.request, message.account)
    const input = inputFor(request, card, said, message.text)
    if (typeof input === 'string') return told[input]
    const result = await deciding.decide(request.id, input, message.account)
    const { text } = sayResult(result, input.decision, locale)
    return told.take(text, line(request.tool))
  }

  function inputFor(
    request: Request,
    card: FoundCard,
    said: TextAnswer,
    text: string,
  ): DecisionInput | 'unclear' | 'noTextForThis' {
    const { digest } = card
    if (request.kind === 'question')
      return (hasAnswer(card) ? answerTo(request, digest, text) : undefined) ?? 'noTextForThis'
    switch (said.kind) {
      case 'unclear':
        return 'unclear'
      case 'approve':
        return mayBeApprovedByText(request, card) ? { decision: 'approve', digest } : 'noTextForThis'
      case 'reason':
      case 'reject':
        return {
          decision: 'reject',
          digest,
          ...(said.reason === undefined || request.carriesNoReason ? {} : { reason: said.reason }),
        }
    }
  }

  /** The one card that a plain message can mean; undefined: none, or more than one. */
  async function onlyCard(message: ChatMessage): Promise<FoundCard | undefined> {
    const all = await cards.inChat(message.chat)
    const recent = all?.filter(({ settledAt }) => settledAt === undefined || settledAt > now() - LATELY_MS)
    if (recent?.length !== 1) return undefined
    const [card] = recent
    const isThere = card!.sentAt !== undefined && card!.sentAt < message.writtenAt
    return card!.settledAt === undefined && isThere && hasApprove(card!) ? card : undefined
  }

  /** Undefined: nothing is. */
  async function listPending(message: ChatMessage): Promise<string | undefined> {
    const all = await cards.inChat(message.chat)
    if (all === undefined) return told.manyPending
    const open = all.filter(({ settledAt, isTest }) => settledAt === undefined && !isTest)
    const found = await Promise.all(
      open.slice(0, MAX_LOOKED_AT).map(({ request }) => deciding.get(request, message.account)),
    )
    const pending = found.filter(({ state }) => state === 'pending')
    if (pending.length === 0) return undefined
    const shown = pending.slice(0, MAX_LISTED).map(({ tool, id }) => `• ${line(tool)} (${id})`)
    const more = pending.length - shown.length
    return [
      told.pending(pending.length),
      ...shown,
      ...(more > 0 ? [told.morePending(more)] : []),
      told.howToAnswer,
    ].join('\n')
  }

  /** Undefined: it is no answer to a card. */
  async function reply(message: ChatMessage): Promise<string | undefined> {
    if (message.replyTo !== undefined) {
      const card = await cards.onMessage({ chat: message.chat, message: message.replyTo })
      if (card !== undefined) return answer(card, readText(message.text), message)
    }
    // In a group people talk with each other.
    if (!message.isPrivate) return undefined
    const said = readText(message.text)
    const isAnswer = said.kind === 'approve' || said.kind === 'reject'
    if (secretary !== undefined && (!isAnswer || (await secretary.isDirect(message)))) return undefined
    const card = takesText && isAnswer && message.replyTo === undefined ? await onlyCard(message) : undefined
    if (card !== undefined) return answer(card, said, message)
    const pending = await listPending(message)
    return pending ?? (secretary === undefined ? told.nothingPending : undefined)
  }

  return async (message) => {
    if (message.isBot || message.isForwarded || message.isEdited) return
    await events.once(message.event, async () => {
      let text: string | undefined
      let isRefused = false
      try {
        text = await reply(message)
      } catch (error) {
        text = sayRefusal(error, locale)?.text
        isRefused = true
        if (text === undefined || !isBanksmanError(error) || isFaultOfOurs(error)) throw error
      }
      // Who may not is told so alone.
      if (text !== undefined) say(message, text, { isAlone: isRefused })
      return text !== undefined || (await secretary?.hear(message)) === true
    })
  }
}

/**
 * Never what a card shows only a part of: it has no Approve button. What somebody has edited and is still pending has a quorum,
 * so no text approves it either: its writer may not have seen the edit yet (P3).
 */
function mayBeApprovedByText(request: Request, card: FoundCard): boolean {
  const { severity, conditions } = currentTerms(request)
  const isOnePerson = conditions.every(
    ({ quorum, approvers }) => quorum <= 1 && String(approvers) === String(conditions[0]!.approvers),
  )
  return hasApprove(card) && !isHighRisk(severity) && isOnePerson
}

function hasApprove({ actions }: FoundCard): boolean {
  return Object.values(actions).some(({ kind }) => kind === 'approve')
}

/** Never a question that the card shows only a part of. */
function hasAnswer({ actions }: FoundCard): boolean {
  return Object.values(actions).some(({ kind }) => ANSWERS.includes(kind))
}

const ANSWERS: readonly CardAction['kind'][] = ['choose', 'answer', 'reply']

/** One question that takes a text of one's own, or one of its labels. */
function answerTo({ questions = [] }: Request, digest: string, text: string): DecisionInput | undefined {
  const [question] = questions
  if (question === undefined || questions.length > 1) return undefined
  const said = text.trim()
  const label = question.options?.find((option) => option.label === said)?.label
  if (label !== undefined)
    return { decision: 'answer', digest, answers: { [question.id]: { choices: [label] } } }
  if (question.options !== undefined && question.freeText !== true) return undefined
  return said === '' ? undefined : { decision: 'answer', digest, answers: { [question.id]: { text: said } } }
}
