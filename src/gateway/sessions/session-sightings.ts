/**
 * When a session was last heard from outside, and in which folder it works: of agents that are connected by their hooks, of MCP servers
 * behind the proxy, and of programs that use the HTTP API. It is noted by the session and the subject, and only what its owner noted is
 * read: whoever calls in the name of somebody else's session changes nothing here (P6).
 */
import { LIMITS } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { Actor, Session } from '../../core/session.ts'
import { createSightingRecords, type SightingPorts } from '../access/sighting-records.ts'

export interface SessionSighting {
  at: number
  /** The working folder of its newest call that named one. */
  folder?: string
}

export interface SessionSightings {
  note(seen: { session: string; folder?: string | undefined }, actor: Pick<Actor, 'subject'>): Promise<void>
  /** Undefined where its calls don't come from outside. */
  of(session: Session): Promise<SessionSighting | undefined>
}

/** A key of the store has 512 characters at most. */
const LONGEST_SUBJECT = 512 - LIMITS.id - 1

export function createSessionSightings(ports: SightingPorts): SessionSightings {
  const records = createSightingRecords(ports, 'session_seen', 'noting that a session was heard')
  return {
    async note({ session, folder }, { subject }) {
      // What the gateway is about to refuse isn't worth a note.
      if (!isText(session, LIMITS.id) || !isText(subject, LONGEST_SUBJECT)) return
      if (folder !== undefined && !isText(folder, LIMITS.cwd)) return
      await records.note(keyOf(session, subject), defined({ folder }))
    },
    async of({ id, owner, ownerRole, createdAt }) {
      const found = owner.length > LONGEST_SUBJECT ? undefined : await records.get(keyOf(id, owner))
      if (found !== undefined) {
        const { at, folder } = found
        return { at: Number(at), ...(typeof folder === 'string' ? { folder } : {}) }
      }
      // One from before such notes were kept.
      return ownerRole === 'agent' ? { at: createdAt } : undefined
    },
  }
}

/** A session's id has no space. */
function keyOf(session: string, subject: string): string {
  return `${session} ${subject}`
}

function isText(text: string, limit: number): boolean {
  return text !== '' && text.length <= limit && text.isWellFormed()
}
