/** The list of sessions, for people. What each is and what can be done with it is in `sessions.ts`. */
import { defined } from '../../../core/defined.ts'
import * as pageWire from '../../../wire/page.ts'
import { sessionRow, sessionsQuery } from '../../../wire/session.ts'
import type { WireSessionRow } from '../../../wire/types/session.ts'
import { sessionToWire } from '../../to-wire/records-to-wire.ts'
import { toTime } from '../../to-wire/time-to-wire.ts'
import { json, type Route, route } from '../route.ts'
import type { ConversationRouteParts } from './sessions.ts'

export function sessionListRoutes({ gateway, conversations }: ConversationRouteParts): Route[] {
  return [
    route('GET /v1/sessions', {
      summary: 'The sessions, the newest first.',
      access: 'people',
      query: sessionsQuery,
      answers: [json('A page of sessions.', pageWire.pageOf(sessionRow))],
      async answer({ caller, query }) {
        const { items, ...rest } = await gateway.sessions(query, caller.actor)
        const rows: WireSessionRow[] = []
        for (const { session, title, lastAt } of items) {
          const running = await conversations?.running(session.id, caller.actor)
          rows.push({
            ...sessionToWire(session),
            ...defined({ running, title }),
            lastAt: toTime(lastAt),
          })
        }
        return { items: rows, ...rest }
      },
    }),
  ]
}
