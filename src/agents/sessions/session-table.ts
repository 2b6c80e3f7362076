/**
 * The sessions that this process works on. One is there as long as somebody holds it or listens to it, a turn runs in it or its engine is open;
 * idle ones are kept for a while, few and small, because the next word often comes soon.
 */

import { defined } from '../../core/defined.ts'
import { type BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { SessionHostParts } from './host-parts.ts'
import type { HostedSession } from './hosted-session.ts'
import { createEventBuffer } from './log/event-buffer.ts'
import { type KeptEntry, openTurnLog } from './log/turn-log.ts'
import { agentOf } from './session-agent.ts'

export interface SessionTable {
  /**
   * The session as this actor may use it; `write`: as its owner; `manage`: as its owner or an admin. It is not let go of before
   * `release`.
   */
  hold(id: string, actor: Actor, use: SessionAccess): Promise<{ hosted: HostedSession; release(): void }>
  open(about: NewHostedSession): Promise<HostedSession>
  get(id: string): HostedSession | undefined
  set(hosted: HostedSession): void
  /** What is held here is no longer true, or no longer needed. */
  drop(hosted: HostedSession): void
  all(): HostedSession[]
  /** Whether the one was started by the other, however far up. */
  isBelow(hosted: HostedSession, session: string): boolean
}

export type SessionAccess = 'read' | 'write' | 'manage'

export interface NewHostedSession extends Pick<HostedSession, 'session' | 'parent' | 'actor'> {
  /** Of a task that runs. Absent: as the log says. */
  task?: Pick<HostedSession, 'agent' | 'engine' | 'events'>
}

const MAX_IDLE = 100
/** A conversation that is longer than this is read again when it goes on. */
const MAX_IDLE_CHARACTERS = 256 * 1024

export interface SessionTableParts
  extends Pick<SessionHostParts, 'gateway' | 'clock' | 'agents' | 'defaultAgent'> {
  /** This process, in the ids of events. */
  holder: string
  /** Told of what other processes have written in a session. */
  hear: (hosted: HostedSession, entries: readonly KeptEntry[]) => void
}

export function createSessionTable({
  gateway,
  clock,
  agents,
  defaultAgent,
  holder,
  hear,
}: SessionTableParts): SessionTable {
  const sessions = new Map<string, HostedSession>()

  async function find(id: string, actor: Actor, use: SessionAccess): Promise<Session | undefined> {
    const found = await gateway.session(id, actor).catch((error) => {
      if (isBanksmanError(error, 'unknown_id')) return undefined
      throw error
    })
    if (found === undefined && use !== 'write') throw unknownSession(id)
    if (found === undefined) return undefined
    if (found.owner !== actor.subject && use === 'write') throw notYourSession(id)
    if (found.owner !== actor.subject && actor.role !== 'admin') throw unknownSession(id)
    if (found.parent !== undefined && use !== 'read') {
      throw reasonedError('invalid', reasonOf('session.is-task', { session: id, parent: found.parent }))
    }
    return found
  }

  /**
   * Whose session it is, or would be with the first word. One that is held for somebody else is not in the store: their first
   * word is on its way, or was refused. It is theirs if the word is kept, and nobody's otherwise (P6).
   */
  async function findOwned(
    id: string,
    actor: Actor,
    use: SessionAccess,
  ): Promise<{ found: Session | undefined; owner: Actor }> {
    const found = await find(id, actor, use)
    const owner = found === undefined ? { ...actor, via: 'agent' } : sessionOwner(found)
    const hosted = sessions.get(id)
    if (hosted === undefined || hosted.actor.subject === owner.subject) return { found, owner }
    await hosted.queue
    if (sessions.get(id) === hosted) {
      if (!isIdle(hosted)) throw notYourSession(id)
      sessions.delete(id)
    }
    return findOwned(id, actor, use)
  }

  async function open({ session, parent, actor, task }: NewHostedSession): Promise<HostedSession> {
    const of = { id: session, ...defined({ parent }) }
    const log = await openTurnLog(gateway, of, actor, (entries) => hear(hosted, entries))
    const events = createEventBuffer(clock.now, holder)
    const rest = {
      opened: undefined,
      closing: undefined,
      running: undefined,
      awaited: new Map(),
      holders: 0,
      queue: Promise.resolve(),
    }
    const about = { session, parent, actor, log, events, ...agentOf({ agents, defaultAgent }, log.entries) }
    const hosted: HostedSession = { ...about, ...task, ...rest }
    return hosted
  }

  function isIdle(hosted: HostedSession): boolean {
    const { running, opened, closing, holders } = hosted
    return running === undefined && opened === undefined && closing === undefined && holders === 0
  }

  function forgetIdle(): void {
    const idle = [...sessions.values()].filter(isIdle)
    const tooMany = idle.slice(0, Math.max(0, idle.length - MAX_IDLE))
    for (const hosted of [...tooMany, ...idle.filter(({ log }) => log.characters() > MAX_IDLE_CHARACTERS)])
      sessions.delete(hosted.session)
  }

  return {
    async hold(id, actor, use) {
      const { found, owner } = await findOwned(id, actor, use)
      let hosted = sessions.get(id)
      if (hosted === undefined) {
        const opened = await open({ session: id, parent: found?.parent, actor: owner })
        // Somebody else may have been faster.
        hosted = sessions.get(id) ?? opened
        sessions.set(id, hosted)
      }
      if (hosted.actor.subject !== owner.subject) throw notYourSession(id)
      const held = hosted
      held.holders++
      return {
        hosted: held,
        release() {
          held.holders--
          forgetIdle()
        },
      }
    },
    open,
    get: (id) => sessions.get(id),
    set: (hosted) => void sessions.set(hosted.session, hosted),
    drop(hosted) {
      if (sessions.get(hosted.session) === hosted) sessions.delete(hosted.session)
    },
    all: () => [...sessions.values()],
    isBelow(hosted, session) {
      for (
        let each: HostedSession | undefined = hosted;
        each?.parent !== undefined;
        each = sessions.get(each.parent)
      ) {
        if (each.parent === session) return true
      }
      return false
    },
  }
}

/** The session's owner, as whom its agent acts. */
export function sessionOwner({ owner, ownerRole }: Session): Actor {
  return { subject: owner, role: ownerRole, via: 'agent' }
}

export function notYourSession(id: string): BanksmanError {
  return reasonedError('not_yours', reasonOf('session.not-yours', { session: id }))
}

function unknownSession(id: string): BanksmanError {
  return reasonedError('unknown_id', reasonOf('problem.no-session', { id }))
}
