/** `session`, `sessions`, `setMode` and `endSession`. */
import { BanksmanError } from '../../core/errors.ts'
import { type Actor, MODES, type Session } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { unknownSession } from '../requests/request-refusals.ts'
import { requirePerson } from '../requests/require-person.ts'
import type { EndSessions } from './end-sessions.ts'
import { createSessionList, type SessionListVerb } from './session-list.ts'

export interface GatewaySessionVerbs {
  /** Ends a session and all it started. People only. */
  endSession(id: string, input: { reason?: string }, actor: Actor): Promise<void>
  session(id: string, actor: Actor): Promise<Session>
  /** The newest first. People only. */
  sessions: SessionListVerb
  setMode(id: string, mode: string, actor: Actor): Promise<void>
}

export interface SessionPorts {
  store: Pick<Store, 'sessions' | 'turns'>
  journal: JournalWriter
  endSessions: EndSessions
}

export function createSessionVerbs({ store, journal, endSessions }: SessionPorts): GatewaySessionVerbs {
  async function find(id: string): Promise<Session> {
    const session = await store.sessions.get(id)
    if (session === undefined) throw unknownSession(id)
    return session
  }

  function setOne(id: string, mode: string, actor: Actor): Promise<boolean> {
    const entry = journal.entry('session.mode', { session: id, mode, by: actor.subject })
    return store.sessions.setMode(id, mode, entry)
  }

  return {
    async endSession(id, input, actor) {
      requirePerson(actor, 'end a session')
      await find(id)
      await endSessions({ session: id, by: actor.subject, ...input })
    },
    async session(id, actor) {
      const session = await find(id)
      if (actor.role === 'agent' && session.owner !== actor.subject) throw unknownSession(id)
      return session
    },
    sessions: createSessionList(store),
    async setMode(id, mode, actor) {
      requirePerson(actor, 'set a mode')
      if (!(MODES as readonly string[]).includes(mode)) {
        throw new BanksmanError(
          'invalid',
          `mode must be one of ${MODES.join(', ')}; found ${JSON.stringify(mode)}`,
        )
      }
      if (!(await setOne(id, mode, actor))) throw unknownSession(id)
      // What a session has started follows it: a child is no way out of its parent's mode.
      for (const child of await store.sessions.family(id)) {
        if (child.id !== id) await setOne(child.id, mode, actor)
      }
    },
  }
}
