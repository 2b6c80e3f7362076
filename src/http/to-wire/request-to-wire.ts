/** A request as it goes over the wire to one reader: what everybody sees of it, and what this reader may do. */
import { hasUncovered, type Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { WireRequest } from '../../wire/types/request.ts'
import type { Caller } from '../access/authentication.ts'
import { type Extent, type MaskedCall, type RenderedRequest, renderRequest } from './render-request.ts'

export type Viewer = Pick<Caller, 'actor' | 'locale'>

export async function requestToWire(
  gateway: Gateway,
  request: Request,
  { actor, locale }: Viewer,
  extent: Extent,
  shown?: MaskedCall,
): Promise<WireRequest> {
  const rendered = await renderRequest(gateway, request, { locale, extent }, shown)
  const yours = request.state === 'pending' && (await gateway.mayDecide(request, actor))
  return { ...rendered.request, ...partOfReader(rendered, request, actor), yours }
}

/** A page of requests for one reader. The sessions that say which of them are theirs are read at once. */
export async function requestsToWire(
  gateway: Gateway,
  requests: readonly Request[],
  { actor, locale }: Viewer,
  extent: Extent,
): Promise<WireRequest[]> {
  const page: { request: Request; rendered: RenderedRequest }[] = []
  for (const request of requests) {
    page.push({ request, rendered: await renderRequest(gateway, request, { locale, extent }) })
  }
  const pending = requests.filter(({ state }) => state === 'pending')
  const yours = await gateway.decidable(pending, actor)
  return page.map(({ request, rendered }) => ({
    ...rendered.request,
    ...partOfReader(rendered, request, actor),
    yours: yours.has(request.id),
  }))
}

/** Besides `yours`, which only the gateway can tell. */
export function partOfReader(
  { covered }: Pick<RenderedRequest, 'covered'>,
  request: Request,
  { subject }: Actor,
): Pick<WireRequest, 'covered'> {
  if (covered === undefined) return {}
  const { uncover, because } = covered
  const uncovered = uncover.length === 0 || hasUncovered(request, subject)
  return { covered: { uncover, uncovered, because } }
}
