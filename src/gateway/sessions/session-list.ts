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
import { mayReadTurns } from './turn-log.ts'

export interface ListedSession {
  session: Session
  /** The first words that were said in it, in one line. */
  title?: string
  /** When something was last said or done in it, as far as the turn log tells; else when it began. */
  lastAt: number
}

export type SessionListVerb = (
  query: { mine?: boolean; limit?: number; cursor?: string },
  actor: Actor,
) => Promise<Page<ListedSession>>

type SessionListStore = Pick<Store, 'sessions' | 'turns'>

const TITLE_CHARACTERS = 80
/** What a title is made from: no more of it is looked at, however long the words are. */
const TITLE_SOURCE = 4000

export function createSessionList(
  store: SessionListStore,
  modes: Pick<SessionModes, 'judged'>,
): SessionListVerb {
  return async ({ mine = false, ...query }, actor) => {
    if (actor.role === 'agent') {
      throw new BanksmanError('forbidden', "an agent's credential can't list sessions")
    }
    const { items, ...rest } = await store.sessions.list({
      ...query,
      ...(mine ? { owner: actor.subject } : {}),
    })
    const listed: ListedSession[] = []
    for (const session of items) listed.push(await toListedSession(store, modes.judged(session), actor))
    return { items: listed, ...rest }
  }
}

async function toListedSession(
  store: SessionListStore,
  session: Session,
  actor: Actor,
): Promise<ListedSession> {
  const lastAt = await store.turns.lastAt(session.id)
  if (lastAt === undefined) return { session, lastAt: session.createdAt }
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
