/**
 * A click on a card: acknowledged in time, decided by the gateway, and shown on the card by a delivery of its own. The click
 * says which handle; the store says what that stands for and where; the gateway says who it was and whether they may. Whatever
 * can't be matched decides nothing, and the person who clicked is told so, alone.
 */
import type { Answer, Answers, DecisionInput } from '../../core/decision.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Question } from '../../core/question.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Deciding } from '../driver.ts'
import type { CardAction } from './card/card.ts'
import { chatWords } from './card/words.ts'
import type { Acknowledge, ChatClick, ChatService } from './contract.ts'
import type { HandledEvents } from './events.ts'
import type { Cards, FoundCard } from './handles.ts'
import type { AnswerMessage } from './messages/answer-messages.ts'
import type { ChatTestCards } from './test-cards.ts'
import { alert, isFaultOfOurs, sayOver, sayRefusal, sayResult, type ToldWords } from './told.ts'

export interface ClicksParts {
  service: Pick<ChatService, 'name' | 'limits'>
  cards: Pick<Cards, 'clicked' | 'bind'>
  events: HandledEvents
  deciding: Pick<Deciding, 'decide' | 'get'>
  testCards: Pick<ChatTestCards, 'click'>
  /** For what comes after the acknowledgement. */
  say: AnswerMessage
  locale: Locale
  clock: Pick<Clock, 'after'>
  report(fault: { doing: string; error: unknown }): void
}

export type HandleClick = (click: ChatClick, acknowledge: Acknowledge) => Promise<void>

export function createClicks(parts: ClicksParts): HandleClick {
  const { service, cards, events, deciding, testCards, say, locale, clock, report } = parts
  const { told } = chatWords(locale)

  async function answer(
    click: ChatClick,
    { card, action }: { card: FoundCard; action: CardAction | undefined },
  ): Promise<ToldWords> {
    if (card.isTest) return testCards.click(card, action, click)
    if (action === undefined) {
      const { state, progress } = await deciding.get(card.request, click.account)
      return state === 'pending' ? alert(told.changed) : sayOver(state, progress, locale)
    }
    if (action.kind === 'test' || action.kind === 'reply') return alert(told.unknownCard)
    if (action.kind === 'ask_reason') {
      // Throws where it isn't theirs to see.
      await deciding.get(card.request, click.account)
      return alert(told.replyWithReason)
    }
    if (card.message === undefined) await bind(card, click)
    const input = await inputOf(action, card, click)
    if (input === undefined) return alert(told.fillIn)
    const result = await deciding.decide(card.request, input, click.account)
    return sayResult(result, input.decision, locale)
  }

  /**
   * The service hasn't told us yet which message it is, or we died before we had noted it: now we know, from somebody we know.
   * It is noted before the decision, so that the card is found when it has to show that.
   */
  async function bind(card: FoundCard, { chat, message, account }: ChatClick): Promise<void> {
    await deciding.get(card.request, account)
    await cards.bind(card, { chat, message })
  }

  async function inputOf(
    action: Exclude<CardAction, { kind: 'ask_reason' | 'test' | 'reply' }>,
    { request, digest }: FoundCard,
    { form, account }: ChatClick,
  ): Promise<DecisionInput | undefined> {
    if (action.kind === 'approve') return { decision: 'approve', digest }
    if (action.kind === 'reject') {
      const reason = form?.reason?.join(' ').trim()
      return { decision: 'reject', digest, ...(reason ? { reason } : {}) }
    }
    const { questions = [] } = await deciding.get(request, account)
    const answers =
      action.kind === 'choose' ? chosen(questions, action.choice) : filledIn(questions, form ?? {})
    return answers && { decision: 'answer', digest, answers }
  }

  return (click, acknowledge) => {
    const acknowledgeOnce = once(acknowledge, report)
    const timer = clock.after(service.limits.ackWithinMs / 2, () =>
      acknowledgeOnce({ text: told.working, isAlert: false }),
    )
    /** A refusal that comes after that is a message: the card will never show it. */
    const tell = (answer: ToldWords) => {
      if (!acknowledgeOnce(answer) && answer.isAlert) say(click, answer.text, { isAlone: true })
    }
    return events
      .once(click.event, async () => {
        try {
          const found = await cards.clicked(click)
          tell(found === undefined ? alert(told.unknownCard) : await answer(click, found))
          return found !== undefined
        } catch (error) {
          tell(sayRefusal(error, locale) ?? alert(told.notNow))
          // It is not known whether it was recorded: the service is to send it again.
          if (!isBanksmanError(error) || isFaultOfOurs(error)) throw error
          return true
        }
      })
      .finally(() => {
        timer.cancel()
        // A repetition of what was handled before.
        acknowledgeOnce(undefined)
      })
  }
}

/** Nobody waits for it, and that it failed changes nothing. False: something else was said before. */
function once(
  acknowledge: Acknowledge,
  report: ClicksParts['report'],
): (answer: ToldWords | undefined) => boolean {
  let isDone = false
  return (answer) => {
    if (isDone) return false
    isDone = true
    acknowledge(answer).catch((error) => report({ doing: 'acknowledging a click', error }))
    return true
  }
}

function chosen([question]: readonly Question[], choice: number): Answers | undefined {
  const label = question?.options?.[choice]?.label
  return question === undefined || label === undefined ? undefined : { [question.id]: { choices: [label] } }
}

function filledIn(questions: readonly Question[], form: NonNullable<ChatClick['form']>): Answers | undefined {
  const answers = questions.map(({ id, options = [] }, index): [string, Answer] => {
    const choices = (form[`q${index}`] ?? []).flatMap((place) =>
      /^\d{1,2}$/.test(place) ? (options[Number(place)]?.label ?? []) : [],
    )
    const text = form[`q${index}_text`]?.join(' ').trim()
    return [id, { ...(choices.length > 0 ? { choices } : {}), ...(text ? { text } : {}) }]
  })
  const isWhole = answers.every(([, { choices, text }]) => choices !== undefined || text !== undefined)
  return isWhole ? Object.fromEntries(answers) : undefined
}
