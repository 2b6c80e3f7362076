/** The card that a service takes, with as much of the action as fits. What was left out can't be approved (P9). */
import { type Request, shownDigest } from '../../../core/request.ts'
import type { ChatService, RenderedCard } from '../contract.ts'
import { type KeptCard, newHandle } from '../handles.ts'
import { extentsFor } from './call-texts.ts'
import type { CardAction } from './card.ts'
import { type CardContext, makeCard } from './make-card.ts'

export interface FittedCard {
  rendered: RenderedCard
  /** What its buttons stand for, by handle. */
  actions: Record<string, CardAction>
}

/**
 * `before` is the card as it was last shown: while the call is the same, its buttons keep their handles, so that a click that
 * crosses with the change counts.
 */
export function fitCard(
  service: Pick<ChatService, 'name' | 'limits' | 'render'>,
  request: Request,
  context: Omit<CardContext, 'handleFor' | 'limits'>,
  before?: Pick<KeptCard, 'digest' | 'actions'>,
): FittedCard {
  const kept = before?.digest === shownDigest(request) ? Object.entries(before.actions) : []
  for (const extent of extentsFor(request)) {
    const actions: Record<string, CardAction> = {}
    const handleFor = (action: CardAction): string => {
      const isSame = ([handle, one]: [string, CardAction]) =>
        !Object.hasOwn(actions, handle) && JSON.stringify(one) === JSON.stringify(action)
      const handle = kept.find(isSame)?.[0] ?? newHandle()
      actions[handle] = action
      return handle
    }
    const card = makeCard(request, extent, { ...context, limits: service.limits, handleFor })
    const rendered = service.render(card)
    if (!('tooLong' in rendered)) return { rendered, actions }
  }
  throw new Error(`${service.name} takes no card of ${request.id}, however short`)
}
