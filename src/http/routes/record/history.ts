/** Looking back, for people: every call with what became of it, and whether people are asked well. */

import { defined } from '../../../core/defined.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import type { Oversight } from '../../../gateway/reading/oversight.ts'
import type { FoundCall } from '../../../gateway/reading/search-history.ts'
import { history, historyQuery, oversight, oversightQuery } from '../../../wire/history.ts'
import type { WireHistoryItem, WireOversight } from '../../../wire/types/history.ts'
import { callToWire } from '../../to-wire/records-to-wire.ts'
import type { Extent } from '../../to-wire/render-request.ts'
import { requestsToWire, type Viewer } from '../../to-wire/request-to-wire.ts'
import { toTime } from '../../to-wire/time-to-wire.ts'
import { yieldBeforeLargeCall } from '../../to-wire/yield-to-requests.ts'
import { json, type Route, route } from '../route.ts'

/** Two hundred calls on one page, and who wants to read one opens it. */
const EXTENT: Extent = 'brief'

export function historyRoutes(gateway: Gateway): Route[] {
  return [
    route('GET /v1/history', {
      summary: 'All calls, whether anyone was asked about them or not, the last committed first.',
      access: 'people',
      query: historyQuery,
      answers: [json('A page of calls; it may be short.', history)],
      async answer({ caller, query }) {
        const page = await gateway.history.search({ ...query, locale: caller.locale }, caller.actor)
        const { items, back, ...rest } = page
        const shown = await itemsToWire(gateway, items, caller)
        return { ...rest, ...(back === undefined ? {} : { back: toTime(back) }), items: shown }
      },
    }),
    route('GET /v1/oversight', {
      summary: 'Whether people are asked well: which rules ask, how long people take, who decides unread.',
      access: 'people',
      query: oversightQuery,
      answers: [json('The figures.', oversight)],
      async answer({ caller, query }) {
        const { days, offset } = query
        const wanted = defined({ days, offsetMinutes: offset })
        return oversightToWire(await gateway.history.oversight(wanted, caller.actor))
      },
    }),
  ]
}

async function itemsToWire(
  gateway: Gateway,
  items: readonly FoundCall[],
  reader: Viewer,
): Promise<WireHistoryItem[]> {
  const asked = items.flatMap((item) => (item.kind === 'asked' ? [item.request] : []))
  const requests = (await requestsToWire(gateway, asked, reader, EXTENT)).values()
  const shown: WireHistoryItem[] = []
  for (const item of items) {
    if (item.kind === 'asked') {
      shown.push({ kind: 'asked', request: requests.next().value! })
      continue
    }
    await yieldBeforeLargeCall(item.call)
    const call = { ...callToWire(gateway, item.call, reader.locale), summary: item.summary }
    shown.push({ kind: 'settled', call })
  }
  return shown
}

function oversightToWire({ from, to, isCut, quick, ...figures }: Oversight): WireOversight {
  return {
    ...figures,
    from: toTime(from),
    to: toTime(to),
    ...(isCut ? { cut: true } : {}),
    quick: {
      ...quick,
      streaks: quick.streaks.map((streak) => ({
        ...streak,
        from: toTime(streak.from),
        to: toTime(streak.to),
      })),
    },
  }
}
