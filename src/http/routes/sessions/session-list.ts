/** The list of sessions, for people. What each is and what can be done with it is in `sessions.ts`. */
import type { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import type { Actor } from '../../../core/session.ts'
import * as pageWire from '../../../wire/page.ts'
import { sessionRow, sessionsQuery } from '../../../wire/session.ts'
import type { WirePage } from '../../../wire/types/page.ts'
import type { WireSessionRow } from '../../../wire/types/session.ts'
import { codingToWire, heardToWire, sessionToWire } from '../../to-wire/records-to-wire.ts'
import { toTime } from '../../to-wire/time-to-wire.ts'
import { json, type Route, route } from '../route.ts'
import { type ConversationRouteParts, findCoding } from './read-session.ts'

type SessionsQuery = z.output<typeof sessionsQuery>

export function sessionListRoutes(parts: ConversationRouteParts): Route[] {
  const { gateway, conversations, secretary } = parts

  async function listAll(query: SessionsQuery, actor: Actor): Promise<WirePage<WireSessionRow>> {
    const { mine, connected, limit, cursor } = query
    const wanted = { limit, ...defined({ mine, connected, cursor }) }
    const { items, ...rest } = await gateway.sessions(wanted, actor)
    const rows: WireSessionRow[] = []
    for (const { session, title, lastAt, heard } of items) {
      const running = await conversations?.running(session.id, actor)
      const coding = await findCoding(secretary, session.id, actor)
      rows.push({
        ...sessionToWire(session),
        ...defined({ running, title }),
        ...(coding === undefined ? {} : { coding: codingToWire(coding) }),
        ...(heard === undefined ? {} : { heard: heardToWire(heard) }),
        lastAt: toTime(lastAt),
      })
    }
    return { items: rows, ...rest }
  }

  /** The secretary has few sessions, and gives them all; a cursor is the id of the last that was given. */
  async function listCoding(query: SessionsQuery, actor: Actor): Promise<WirePage<WireSessionRow>> {
    const { mine = false, closed = false, limit, cursor } = query
    const all = (await secretary?.list({ all: actor.role === 'admin' && !mine, closed }, actor)) ?? []
    const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
    if (cursor !== undefined && from === 0)
      throw new BanksmanError('invalid', 'cursor must come from the page before; begin without one')
    const page = all.slice(from, from + limit)
    const rows: WireSessionRow[] = []
    for (const coding of page) {
      const running = await conversations?.running(coding.id, actor)
      const { title, ...rest } = codingToWire(coding)
      rows.push({
        ...sessionToWire(await gateway.session(coding.id, actor)),
        ...defined({ running, title }),
        coding: { ...rest, ...defined({ title }) },
        lastAt: rest.lastAt,
      })
    }
    const isLast = from + limit >= all.length
    return { items: rows, ...(isLast ? {} : { cursor: page.at(-1)!.id }) }
  }

  return [
    route('GET /v1/sessions', {
      summary: 'The sessions, the newest first.',
      access: 'people',
      query: sessionsQuery,
      answers: [json('A page of sessions.', pageWire.pageOf(sessionRow))],
      answer: ({ caller, query }) => (query.coding === true ? listCoding : listAll)(query, caller.actor),
    }),
  ]
}
