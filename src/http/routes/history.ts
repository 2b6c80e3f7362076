/** Looking back, for people: every call with what became of it, and whether people are asked well. */
import { defined } from '../../core/defined.ts'
import type { WireHistoryItem, WireOversight } from '../../core/wire-record.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { giveWayBefore } from '../give-way.ts'
import { callToWire } from '../records-to-wire.ts'
import { type Route, route } from '../route.ts'
import { history, historyQuery, oversight, oversightQuery } from '../schemas/record.ts'
import { type Extent, type Reader, toTime, toWire } from '../to-wire.ts'

/** Two hundred calls on one page, and who wants to read one opens it. */
const EXTENT: Extent = 'brief'

type History = Gateway['history']
type FoundCall = Awaited<ReturnType<History['search']>>['items'][number]
type Oversight = Awaited<ReturnType<History['oversight']>>

export function historyRoutes(gateway: Gateway): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/history',
      summary: 'All calls, whether anyone was asked about them or not, the last committed first.',
      access: 'people',
      query: historyQuery,
      answers: [{ status: 200, description: 'A page of calls; it may be short.', schema: history }],
      async answer({ c, caller, query }) {
        const page = await gateway.history.search({ ...query, locale: caller.locale }, caller.actor)
        const { items, back, ...rest } = page
        const shown: WireHistoryItem[] = []
        for (const item of items) {
          if (item.kind !== 'asked') await giveWayBefore(item.call)
          shown.push(await itemToWire(gateway, item, caller))
        }
        return c.json({ ...rest, ...(back === undefined ? {} : { back: toTime(back) }), items: shown })
      },
    }),
    route({
      method: 'GET',
      path: '/v1/oversight',
      summary: 'Whether people are asked well: which rules ask, how long people take, who decides unread.',
      access: 'people',
      query: oversightQuery,
      answers: [{ status: 200, description: 'The figures.', schema: oversight }],
      async answer({ c, caller, query }) {
        const { days, offset } = query
        const wanted = {
          ...defined({ days, offsetMinutes: offset }),
        }
        return c.json(oversightToWire(await gateway.history.oversight(wanted, caller.actor)))
      },
    }),
  ]
}

async function itemToWire(gateway: Gateway, item: FoundCall, reader: Reader): Promise<WireHistoryItem> {
  if (item.kind === 'settled') {
    return {
      kind: 'settled',
      call: { ...callToWire(gateway, item.call, reader.locale), summary: item.summary },
    }
  }
  return { kind: 'asked', request: await toWire(gateway, item.request, reader, EXTENT) }
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
