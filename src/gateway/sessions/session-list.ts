/**
 * `sessions`: all sessions for people, the newest first, with how a conversation began where the reader may read it: the
 * owner's own, and an admin's any, as in the turn log.
 */
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { Actor, Session } from '../../core/session.ts'
import { makeVisible } from '../../display/text/visible.ts'
import type { Page, Store } from '../../stores/store.ts'
import type { SessionModes } from './session-modes.ts'
import type { SessionSighting, SessionSightings } from './session-sightings.ts'
import { mayReadTurns } from './turn-log.ts'

export interface ListedSession {
  session: Session
  /** The first words that were said in it, in one line. */
  title?: string
  /** When something was last said or done in it, as far as the turn log or its own calls tell; else when it began. */
  lastAt: number
  /** Of one whose calls come from outside. */
  heard?: SessionSighting
}

export interface SessionListQuery {
  mine?: boolean
  /** Only those whose calls come from outside. A page may be short: only so many sessions are looked at for it. */
  connected?: boolean
  limit?: number
  cursor?: string
}

export type SessionListVerb = (query: SessionListQuery, actor: Actor) => Promise<Page<ListedSession>>

export interface SessionListPorts {
  store: Pick<Store, 'sessions' | 'turns'>
  modes: Pick<SessionModes, 'judged'>
  sightings: Pick<SessionSightings, 'of'>
}

const TITLE_CHARACTERS = 80
/** What a title is made from: no more of it is looked at, however long the words are. */
const TITLE_SOURCE = 4000
const DEFAULT_LIMIT = 50
/** So often the store is asked for one page. */
const MOST_READS = 10

export function createSessionList(ports: SessionListPorts): SessionListVerb {
  const { store } = ports
  return async ({ mine = false, connected = false, limit = DEFAULT_LIMIT, cursor }, actor) => {
    if (actor.role === 'agent') {
      throw new BanksmanError('forbidden', "an agent's credential can't list sessions")
    }
    const owner = mine ? actor.subject : undefined
    const listed: ListedSession[] = []
    let next = cursor
    for (let read = 0; read < MOST_READS; read++) {
      const place = defined({ owner, cursor: next })
      const page = await store.sessions.list({ ...place, limit: limit - listed.length })
      for (const session of page.items) {
        const row = await toListedSession(ports, session, actor)
        if (!connected || row.heard !== undefined) listed.push(row)
      }
      next = page.cursor
      if (next === undefined || listed.length >= limit) break
    }
    return { items: listed, ...(next === undefined ? {} : { cursor: next }) }
  }
}

async function toListedSession(
  { store, modes, sightings }: SessionListPorts,
  found: Session,
  actor: Actor,
): Promise<ListedSession> {
  const session = modes.judged(found)
  const heard = await sightings.of(session)
  const lastAt = await store.turns.lastAt(session.id)
  if (lastAt === undefined)
    return { session, lastAt: heard?.at ?? session.createdAt, ...(heard === undefined ? {} : { heard }) }
  if (!mayReadTurns(session, actor)) return { session, lastAt }
  const [first] = await store.turns.read(session.id, 0, 1)
  const title = first === undefined ? undefined : titleOf(first)
  return { session, lastAt, ...defined({ title }) }
}

function titleOf(entry: JsonValue): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  if (entry.kind !== 'begun' || typeof entry.text !== 'string') return undefined
  const words = [...entry.text.slice(0, TITLE_SOURCE).replaceAll(/\s+/g, ' ').trim()]
  if (words.length === 0) return undefined
  const { text } = makeVisible(words.slice(0, TITLE_CHARACTERS).join(''))
  return words.length > TITLE_CHARACTERS || entry.text.length > TITLE_SOURCE ? `${text}…` : text
}
