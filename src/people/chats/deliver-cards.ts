/**
 * Shows requests as cards, and brings cards up to date. Both are deliveries of the gateway, tried again until they succeed (P1).
 *
 * A card is kept before it is sent, so that a click finds it however fast it comes. If we die between sending and hearing the
 * message's name, another card is sent: both work. What was sent to one of several places isn't sent there again.
 */
import { defined } from '../../core/defined.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Presentation } from '../channel.ts'
import type { Deciding } from '../driver.ts'
import type { Mention } from './card/card.ts'
import { type FittedCard, fitCard } from './card/fit-card.ts'
import { type ChatAddress, ChatFault, type ChatService } from './contract.ts'
import type { Floods } from './floods.ts'
import type { Cards, FoundCard, KeptCard } from './handles.ts'
import type { ChatMoves } from './moves.ts'
import { addressKey, type Pace } from './pace.ts'
import type { CardPlace, Routing } from './routing.ts'

export interface CardDeliveryParts {
  service: ChatService
  cards: Cards
  routing: Routing
  floods: Floods
  moves: ChatMoves
  pace: Pace
  locale: Locale
  knownTool: Deciding['knownTool']
  inboxUrl(request: string): string | undefined
  now(): number
  report(fault: { doing: string; error: unknown }): void
}

export interface CardDeliveries {
  present(presentation: Presentation): Promise<JsonValue | undefined>
  update(presentation: Presentation): Promise<JsonValue | undefined>
}

/** A card was shown; it will be later; or it can't be. */
type Shown = { kind: 'shown' } | { kind: 'later'; inMs: number } | { kind: 'failed'; fault: ChatFault }

/** Nobody can be written to here. They may come back, and the inbox has it all the while. */
const NOBODY_MS = 60_000
const RETRY_MS = 1_000
/** Of a request in one place, so many cards may have been lost on the way. While a service is down for days, there are no more. */
const MAX_LOST = 3
const MAX_RETRY_MS = 60_000
const SHOWN: Shown = { kind: 'shown' }

export function createCardDeliveries(parts: CardDeliveryParts): CardDeliveries {
  const { service, cards, routing, floods, moves, pace, locale, knownTool, now, report } = parts

  async function fitTo(
    { request, approvable }: Presentation,
    to: ChatAddress,
    mentions: readonly Mention[],
    before?: KeptCard,
  ): Promise<FittedCard> {
    const inbox = parts.inboxUrl(request.id)
    const showsAction = await routing.showsAction(request, to)
    return fitCard(service, request, { locale, knownTool, approvable, mentions, inbox, showsAction }, before)
  }

  /** `again`: a card of which nobody knows whether it arrived, to be sent once more as it is. */
  async function send(
    presentation: Presentation,
    { to, mentions, ...how }: CardPlace,
    again?: FoundCard,
  ): Promise<Shown> {
    const { request, attempt } = presentation
    if (how.notBefore !== undefined && how.notBefore > now()) return later(how.notBefore - now())
    return trying(attempt, async () => {
      if (await floods.takes(request, to)) return SHOWN
      const waitMs = pace.take(to)
      if (waitMs > 0) return later(waitMs)
      const { rendered, actions } = await fitTo(presentation, to, mentions, again)
      const shown = { request, actions }
      const card = again === undefined ? await cards.open(to, shown) : await cards.show(again, shown)
      const sent = await service.send(to, rendered, { isSilent: how.isSilent })
      await cards.bind(card, sent)
      return SHOWN
    })
  }

  async function bringUpToDate(presentation: Presentation, card: FoundCard): Promise<Shown> {
    const { request, attempt } = presentation
    const { message, place } = card
    if (message === undefined || card.isGone) {
      // Nobody sees it; that it is over is noted all the same.
      if (request.state !== 'pending' && card.settledAt === undefined)
        await cards.show(card, { request, actions: {} })
      return SHOWN
    }
    const waitMs = pace.take(place)
    if (waitMs > 0) return later(waitMs)
    const mentions = await routing.mentions(request, place)
    const shown = await trying(attempt, async () => {
      const { rendered, actions } = await fitTo(presentation, place, mentions, card)
      const kept = await cards.show(card, { request, actions })
      await service.update(kept.message!, rendered)
      return SHOWN
    })
    if (shown.kind !== 'failed') return shown
    report({ doing: `bringing a card of ${request.id} up to date in ${service.name}`, error: shown.fault })
    // There is nothing left to bring up to date. In a chat with a new id, a pending request gets a new card.
    await cards.lose(card)
    const to = await follow(place, shown)
    if (to === undefined || request.state !== 'pending') return SHOWN
    return send(presentation, { to, mentions, isSilent: true })
  }

  async function trying(attempt: number, work: () => Promise<Shown>): Promise<Shown> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ChatFault)) throw error
      if (error.what.kind !== 'retry') return { kind: 'failed', fault: error }
      if (attempt === 1) report({ doing: `writing to ${service.name}`, error })
      return later(error.what.afterMs ?? Math.min(RETRY_MS * 2 ** Math.min(attempt, 10), MAX_RETRY_MS))
    }
  }

  async function toEach(presentation: Presentation, places: readonly CardPlace[]): Promise<Shown[]> {
    const before = await cards.ofRequest(presentation.request.id)
    const results: Shown[] = []
    for (const place of places) {
      const known = before.find((card) => isAt(card, place.to))
      const lost = before.filter((card) => card.message === undefined && isFor(card, place.to))
      const first =
        known === undefined
          ? await send(presentation, place, lost[MAX_LOST - 1])
          : await bringUpToDate(presentation, known)
      const to = first.kind === 'failed' ? await follow(place.to, first) : undefined
      results.push(to === undefined ? first : await send(presentation, { ...place, to }))
    }
    return results
  }

  /** Where a chat has another id now, it is written there, and known by that from now on. */
  async function follow(to: ChatAddress, { fault }: { fault: ChatFault }): Promise<ChatAddress | undefined> {
    if (fault.what.kind !== 'moved' || to.kind === 'person') return undefined
    await moves.note(to.chat, fault.what.chat)
    return { kind: 'chat', chat: fault.what.chat }
  }

  function settle({ later: putOff, attempt, request }: Presentation, results: readonly Shown[]): void {
    const waits = results.flatMap((one) => (one.kind === 'later' ? [one.inMs] : []))
    const faults = results.flatMap((one) => (one.kind === 'failed' ? [one.fault] : []))
    if (attempt === 1) {
      for (const error of faults) report({ doing: `showing ${request.id} in ${service.name}`, error })
    }
    if (waits.length > 0) putOff(Math.min(...waits))
    else if (results.length > 0 && faults.length === results.length) putOff(NOBODY_MS)
  }

  async function references({ id }: Request): Promise<JsonValue> {
    const found = await cards.ofRequest(id)
    return found.map(({ key, message }) => ({ card: key, ...defined({ ...message }) }))
  }

  async function update(presentation: Presentation): Promise<JsonValue | undefined> {
    const { request } = presentation
    const results: Shown[] = []
    for (const card of await cards.ofRequest(request.id))
      results.push(await bringUpToDate(presentation, card))
    if (request.state !== 'pending') await floods.settle(request)
    settle(presentation, results)
    return references(request)
  }

  return {
    async present(presentation) {
      const { request } = presentation
      // It needs no card any more. We may have sent some and died before that was noted: those show what became of it.
      if (request.state !== 'pending') return update(presentation)
      const places = await routing.find(request)
      const results = await toEach(presentation, places)
      const isFailed = () => results.length > 0 && results.every(({ kind }) => kind === 'failed')
      const tried = new Set(places.map(({ to }) => addressKey(to)))
      for (const others of isFailed() ? await routing.otherwise(request) : []) {
        const untried = others.filter(({ to }) => !tried.has(addressKey(to)))
        if (isFailed()) results.push(...(await toEach(presentation, untried)))
      }
      settle(presentation, results)
      return references(request)
    },
    update,
  }
}

const later = (inMs: number): Shown => ({ kind: 'later', inMs })

/** One that was sent there and is still there. */
function isAt({ place, message, isGone }: KeptCard, to: ChatAddress): boolean {
  return message !== undefined && isGone !== true && isFor({ place }, to)
}

function isFor({ place }: Pick<KeptCard, 'place'>, to: ChatAddress): boolean {
  return addressKey(place) === addressKey(to)
}
