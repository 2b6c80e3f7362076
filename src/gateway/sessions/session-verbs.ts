/** `session`, `sessions`, `setMode` and `endSession`. */
import type { Actor, Mode, Session } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { unknownSession } from '../requests/request-refusals.ts'
import { requirePerson } from '../requests/require-person.ts'
import type { EndSessions } from './end-sessions.ts'
import { createSessionList, type SessionListVerb } from './session-list.ts'
import type { SessionModes } from './session-modes.ts'
import type { SessionSightings } from './session-sightings.ts'

export interface GatewaySessionVerbs {
  /** Ends a session and all it started. People only. */
  endSession(id: string, input: { reason?: string }, actor: Actor): Promise<void>
  session(id: string, actor: Actor): Promise<Session>
  /** The newest first. People only. */
  sessions: SessionListVerb
  /** Only its owner and admins; one that asks less than `default` only where the configuration names it. Every way to set one is this. */
  setMode(id: string, mode: string, actor: Actor): Promise<void>
  /** The modes that the actor may set in the session. */
  settableModes(session: Pick<Session, 'owner'>, actor: Actor): Mode[]
}

export interface SessionPorts {
  store: Pick<Store, 'sessions' | 'turns'>
  journal: JournalWriter
  modes: SessionModes
  endSessions: EndSessions
  sightings: Pick<SessionSightings, 'of'>
}

export function createSessionVerbs({
  store,
  journal,
  modes,
  endSessions,
  sightings,
}: SessionPorts): GatewaySessionVerbs {
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
      return modes.judged(session)
    },
    sessions: createSessionList({ store, modes, sightings }),
    settableModes: modes.settable,
    async setMode(id, mode, actor) {
      requirePerson(actor, 'set a mode')
      modes.check(await find(id), mode, actor)
      if (!(await setOne(id, mode, actor))) throw unknownSession(id)
      // What a session has started follows it: a child is no way out of its parent's mode.
      for (const child of await store.sessions.family(id)) {
        if (child.id !== id) await setOne(child.id, mode, actor)
      }
    },
  }
}
