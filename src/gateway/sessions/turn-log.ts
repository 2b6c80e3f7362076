/**
 * The turn log: what an agent of ours keeps of its conversations, so that a turn goes on after a restart (P7). It belongs
 * to the session, and the session to whoever began it.
 */

import type { TurnStatus } from '../../core/conversation.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor, Session } from '../../core/session.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import { createTextMasks } from '../../display/masks/mask-text.ts'
import { leftOutMark, shorten } from '../../display/text/shorten.ts'
import type { Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { sessionNotYours } from '../requests/call-refusals.ts'
import { unknownSession } from '../requests/request-refusals.ts'

export interface TurnLogVerbs {
  /** False when somebody else has written at this place meanwhile: read, and look again. */
  append(appending: TurnLogAppending, actor: Actor): Promise<boolean>
  /** What follows the first `after` entries. Its owner and admins may read it; to others there is no such session. */
  read(session: string, page: { after?: number; limit?: number }, actor: Actor): Promise<JsonValue[]>
  /** Puts into the journal what somebody said and what came of it: secrets masked, and what is long cut, with a mark. */
  noteEnd(end: EndedTurn): Promise<void>
  /** Sessions in the middle of a turn, for the agent to go on with after a restart. */
  unfinished(): Promise<Session[]>
  /** Calls back when another process may have written. A hint: it comes late, twice or for nothing. */
  onElsewhere(listener: () => void): { remove(): void }
}

export interface TurnLogAppending {
  session: string
  parentSession?: string
  /** How many entries there are already. */
  at: number
  turn: JsonValue
  unfinished: boolean
}

/** A turn that is over, for the journal. */
export interface EndedTurn {
  session: string
  turn: string
  status: TurnStatus
  /** Who said it. */
  by: string
  prompt: string
  response: string
  cwd: string
}

export interface TurnLogPorts {
  store: Pick<Store, 'turns' | 'sessions' | 'watch' | 'journal'>
  journal: JournalWriter
}

const MAX_READ = 1000
/** Of what was said, in the journal. */
const MAX_NOTED = 2000
const MAX_LOOKED_AT = 20_000

export function createTurnLogVerbs({ store, journal }: TurnLogPorts): TurnLogVerbs {
  return {
    async append({ session, parentSession, at, turn, unfinished }, actor) {
      const parent = parentSession === undefined ? {} : { parent: parentSession }
      const result = await store.turns.append({
        session: { id: session, owner: actor.subject, ownerRole: actor.role, ...parent },
        at,
        turn,
        unfinished,
        entry: journal.entry('session.begun', { session, by: actor.subject, via: actor.via, ...parent }),
      })
      switch (result) {
        case 'appended':
          return true
        case 'lost':
          return false
        case 'not_yours':
          throw sessionNotYours(session)
        case 'session_ended':
          throw reasonedError('session_ended', reasonOf('session.silent', { session }))
      }
    },
    async read(session, { after = 0, limit = MAX_READ }, actor) {
      const found = await store.sessions.get(session)
      if (found === undefined || !mayReadTurns(found, actor)) throw unknownSession(session)
      return store.turns.read(session, after, Math.max(1, Math.min(limit, MAX_READ)))
    },
    async noteEnd({ prompt, response, ...about }) {
      // One for both: the answer may have the same secret.
      const mask = createTextMasks()
      const said = { prompt: bounded(mask, prompt), response: bounded(mask, response) }
      await store.journal.append(journal.entry('session.turn_ended', { ...about, ...said }))
    },
    unfinished: () => readAllPages(store.turns.unfinished),
    onElsewhere(listener) {
      const remove = store.watch(({ local }) => {
        if (!local) listener()
      })
      return { remove }
    },
  }
}

/** Masked first: half a secret would not be known as one. What is far too long for either is not looked at. */
function bounded(mask: (text: string) => string, text: string): string {
  const { head, tail, leftOut } = shorten(mask(text.slice(0, MAX_LOOKED_AT).toWellFormed()), MAX_NOTED)
  const missing = leftOut + Math.max(0, text.length - MAX_LOOKED_AT)
  return missing === 0 ? head : `${head}${leftOutMark(missing)}${tail}`
}

export function mayReadTurns(session: Session, actor: Actor): boolean {
  return session.owner === actor.subject || actor.role === 'admin'
}
