/**
 * Test cards: sent to a person's own account like any other card, kept in the store, and bound to their message. A click shows as
 * whom it counts. It decides nothing: no request stands behind the card.
 */

import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { sayService } from '../../display/words/services.ts'
import type { ChannelPorts } from '../driver.ts'
import { line } from './card/call-texts.ts'
import type { Card, CardAction } from './card/card.ts'
import { chatWords } from './card/words.ts'
import { type ChatClick, ChatFault, type ChatService, type RenderedCard } from './contract.ts'
import { type CardRequest, type Cards, type FoundCard, newHandle } from './handles.ts'
import type { Routing } from './routing.ts'
import { alert, type ToldWords } from './told.ts'

export interface ChatTestCardsParts {
  service: Pick<ChatService, 'name' | 'render' | 'send' | 'update'>
  cards: Pick<Cards, 'open' | 'bind' | 'show'>
  routing: Pick<Routing, 'accountOf'>
  locale: Locale
  clickTest: ChannelPorts['clickTest']
  now(): number
  report(fault: { doing: string; error: unknown }): void
}

export interface ChatTestCards {
  send(test: { id: string; subject: string }): Promise<{ fault?: string }>
  click(card: FoundCard, action: CardAction | undefined, click: ChatClick): Promise<ToldWords>
}

/** As long as the test itself is kept. */
const CLICKABLE_MS = 60 * 60_000

export function createTestCards(parts: ChatTestCardsParts): ChatTestCards {
  const { service, cards, routing, locale, clickTest, now, report } = parts
  const { test: words } = chatWords(locale)
  const { test: told } = chatWords(locale).told

  const requestOf = (id: string, state: CardRequest['state']): CardRequest => ({
    id,
    version: 1,
    state,
    deadline: now() + CLICKABLE_MS,
    digest: '',
    progress: {},
  })

  function render(text: string, handle?: string): RenderedCard {
    const card: Card = {
      locale,
      tone: handle === undefined ? 'approved' : 'pending',
      title: words.title,
      mentions: [],
      parts: [{ kind: 'words', text }],
      buttons: handle === undefined ? [] : [[{ label: words.button, style: 'primary', handle }]],
      forms: [],
      inbox: undefined,
    }
    const rendered = service.render(card)
    if ('tooLong' in rendered) throw new Error(`${service.name} takes no test card`)
    return rendered
  }

  return {
    async send({ id, subject }) {
      const account = await routing.accountOf(subject)
      if (account === undefined)
        throw reasonedError(
          'invalid',
          reasonOf('test-card.unlinked', { service: sayService(service.name, 'en') }),
        )
      const handle = newHandle()
      const to = { kind: 'person', account } as const
      const shown = { request: requestOf(id, 'pending'), actions: { [handle]: { kind: 'test' } as const } }
      const card = await cards.open(to, { ...shown, isTest: true })
      try {
        await cards.bind(card, await service.send(to, render(words.text, handle), { isSilent: false }))
        return {}
      } catch (error) {
        if (error instanceof ChatFault) return { fault: error.message }
        throw error
      }
    },
    async click(card, action, { account, chat, message }) {
      if (action?.kind !== 'test') return alert(told.over)
      const person = await clickTest(card.request, account)
      const text = person === undefined ? words.nobody : words.done(line(person))
      const kept = await cards.show(card, { request: requestOf(card.request, 'approved'), actions: {} })
      await service.update(kept.message ?? { chat, message }, render(text)).catch((error) => {
        report({ doing: `bringing a test card up to date in ${service.name}`, error })
      })
      return { text, isAlert: person === undefined }
    },
  }
}
