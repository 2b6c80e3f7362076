/**
 * A gateway as a program gets it that we are embedded in. Requests come as they go over the wire: rendered for a reader, with
 * secrets masked, so that a route may send them to a browser as they are. What only the store needs of a record stays inside.
 */
import type { Actor } from '../../core/session.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { ListQuery } from '../../stores/store.ts'
import type { WirePage } from '../../wire/types/page.ts'
import type { WireRequest } from '../../wire/types/request.ts'
import type { WireView } from '../../wire/types/view.ts'

/** For whom it is put into words. */
export interface Reader {
  /** Default: English. */
  locale?: Locale
}

export interface PublicGateway extends Omit<Gateway, 'get' | 'list' | 'view'> {
  get(id: string, actor: Actor, reader?: Reader): Promise<WireRequest>
  list(query: ListQuery, actor: Actor, reader?: Reader): Promise<WirePage<WireRequest>>
  /** All that is needed to decide one request. People only. */
  view(id: string, actor: Actor, reader?: Reader): Promise<WireView>
}

export function publicGateway(gateway: Gateway): PublicGateway {
  // Late: a program that only guards calls shows nobody a request.
  const toWire = () => import('../../http/to-wire/request-to-wire.ts')
  const { history } = gateway
  return {
    ...gateway,
    async get(id, actor, { locale = 'en' } = {}) {
      const { requestToWire } = await toWire()
      return requestToWire(gateway, await gateway.get(id, actor), { actor, locale }, 'whole')
    },
    async list(query, actor, { locale = 'en' } = {}) {
      const { requestsToWire } = await toWire()
      const { items, ...page } = await gateway.list(query, actor)
      return { ...page, items: await requestsToWire(gateway, items, { actor, locale }, 'whole') }
    },
    async view(id, actor, { locale = 'en' } = {}) {
      const { viewToWire } = await import('../../http/to-wire/view-to-wire.ts')
      return viewToWire(gateway, await gateway.view(id, actor), { actor, locale })
    },
    find: bare(gateway.find),
    review: bare(gateway.review),
    wait: bare(gateway.wait),
    decide: bare(gateway.decide),
    decideAll: bare(gateway.decideAll),
    cancel: bare(gateway.cancel),
    waiting: bare(gateway.waiting),
    claim: bare(gateway.claim),
    renew: bare(gateway.renew),
    report: bare(gateway.report),
    readChanged: bare(gateway.readChanged),
    history: { ...history, calls: bare(history.calls), search: bare(history.search) },
  }
}

/** The same verb, whose answer has no record with the key of its arguments' commitment. */
function bare<Parameters extends unknown[], Answer>(
  verb: (...parameters: Parameters) => Promise<Answer>,
): (...parameters: Parameters) => Promise<Answer> {
  return async (...parameters) => withoutKeys(await verb(...parameters))
}

/** Where verbs have records in their answers. */
const PLACES: readonly string[] = ['request', 'requests', 'record', 'items', 'recorded']

function withoutKeys<T>(answer: T): T {
  if (Array.isArray(answer)) return answer.map(withoutKeys) as T
  if (typeof answer !== 'object' || answer === null) return answer
  const { commitmentKey: _, factsDigest: __, ...rest } = answer as Record<string, unknown>
  const members = Object.entries(rest).map(([name, member]) => [
    name,
    PLACES.includes(name) ? withoutKeys(member) : member,
  ])
  return Object.fromEntries(members) as T
}
