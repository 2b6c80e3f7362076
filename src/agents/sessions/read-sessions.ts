/** What people can read of sessions, wherever their turns run. */
import type { Conversations, TurnEntry } from '../../core/conversation.ts'
import type { SessionProgress } from '../../core/progress.ts'
import type { Actor } from '../../core/session.ts'
import type { SessionHostParts } from './host-parts.ts'
import { progressOf, waitingIn } from './log/progress.ts'
import { leasedTurn, type SessionLeases } from './nodes/session-lease.ts'
import { unknownAgent } from './session-agent.ts'
import type { SessionTable } from './session-table.ts'

export interface SessionReads extends Pick<Conversations, 'entries' | 'running' | 'describe'> {
  /** As in a conversation; of a turn that isn't the newest, where it is named. */
  progress(session: string, actor: Actor, turn?: string): Promise<SessionProgress>
}

export function createSessionReads(
  parts: SessionHostParts,
  { sessions, leases }: { sessions: SessionTable; leases: SessionLeases },
): SessionReads {
  const { gateway, agents, defaultAgent } = parts
  return {
    async entries(session, { after = 0, limit = 200 }, actor) {
      const size = Math.max(1, Math.min(limit, 500))
      const page = await gateway.turns.read(session, { after, limit: size + 1 }, actor)
      const entries = page
        .slice(0, size)
        .map((turn) => (turn === null ? { kind: 'erased' } : turn) as unknown as TurnEntry)
      return { entries, more: page.length > size }
    },
    async running(session, actor) {
      const hosted = sessions.get(session)
      const isTheirs = hosted?.actor.subject === actor.subject || actor.role === 'admin'
      if (hosted?.running !== undefined) return isTheirs ? hosted.running.turn : undefined
      const lease = await leases.find(session)
      // Our own that is still to be given back is of a turn that is over.
      if (lease === undefined || lease.holder === leases.holder) return undefined
      const { owner } = await gateway.session(session, actor)
      return owner === actor.subject || actor.role === 'admin' ? leasedTurn(lease) : undefined
    },
    async progress(session, actor, turn) {
      const { hosted, release } = await sessions.hold(session, actor, 'read')
      try {
        if (hosted.running === undefined) await hosted.log.refresh()
        return progressOf(hosted, await waitingIn(gateway, hosted), turn)
      } finally {
        release()
      }
    },
    describe(wanted) {
      const names = [...agents.keys()]
      const name = wanted ?? (agents.has(defaultAgent) ? defaultAgent : names[0]) ?? defaultAgent
      const engine = agents.get(name)
      if (engine === undefined) throw unknownAgent(parts, name)
      return { name, ...(names.length > 1 ? { agents: names } : {}), ...engine.describe() }
    },
  }
}
