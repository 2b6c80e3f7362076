/**
 * How much one agent may have people asked, over all sessions that it names: requests that wait, and requests in a minute, where a
 * long call counts for several. A session has at most half of what waits, so that one that runs wild leaves room for the others.
 *
 * What waits is counted here as it is opened, and looked up in the store before anything is refused. Other nodes count by themselves.
 */
import type { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

export interface AskLimits {
  /** Pending requests of one agent. */
  pending: number
  /** Requests that one agent may open in a minute. */
  perMinute: number
}

export interface AskAdmission {
  /** Opens what may be opened. Throws `too_many_pending` or `rate_limited`. */
  admit<Opened>(asking: NewRequest, open: () => Promise<Opened>): Promise<Opened>
}

interface NewRequest {
  actor: Actor
  session: string
  bytes: string
}

/** A call counts once for each of these begun. */
const UNIT = 64 * 1024
const MINUTE_MS = 60_000
const PAGE = 200
const RECOUNT_MS = 1000

interface AgentAsked {
  /** How many more may be opened without asking the store. */
  room: number
  /** Until then nothing is let in, in this session or in none, without asking the store again. */
  full: { until: number; session?: string; error?: BanksmanError }
  minute: number
  inMinute: number
  /** The sessions of those that were let in and are not in the store yet. */
  opening: string[]
  /** Settles when the one before was let in or refused: calls that come at once must not all see the same room. */
  turn: Promise<unknown>
}

export function createAdmission(
  store: Pick<Store, 'list'>,
  { clock }: Pick<Host, 'clock'>,
  limits: AskLimits | undefined,
): AskAdmission {
  const known = new Map<string, AgentAsked>()
  if (limits === undefined) return { admit: (_, open) => open() }
  const { pending, perMinute } = limits

  function askedBy(subject: string): AgentAsked {
    const found = known.get(subject) ?? {
      room: 0,
      full: { until: 0 },
      minute: 0,
      inMinute: 0,
      opening: [],
      turn: Promise.resolve(),
    }
    // Names are agents', and there may be many: the oldest is looked up again when it comes back.
    known.delete(subject)
    known.set(subject, found)
    if (known.size > 1000) known.delete(known.keys().next().value!)
    return found
  }

  async function count(
    submittedBy: string,
    opening: readonly string[],
  ): Promise<{ all: number; bySession: Map<string, number> }> {
    const bySession = new Map<string, number>()
    for (const session of opening) bySession.set(session, (bySession.get(session) ?? 0) + 1)
    let all = opening.length
    for (let cursor: string | undefined; all < pending; ) {
      const page = await store.list({
        state: 'pending',
        submittedBy,
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      })
      all += page.items.length
      for (const { session } of page.items) bySession.set(session, (bySession.get(session) ?? 0) + 1)
      cursor = page.cursor
      if (cursor === undefined) break
    }
    return { all, bySession }
  }

  async function letIn(asked: AgentAsked, { actor: { subject }, session, bytes }: NewRequest): Promise<void> {
    const minute = Math.floor(clock.now() / MINUTE_MS)
    if (asked.minute !== minute) Object.assign(asked, { minute, inMinute: 0 })
    const weight = Math.ceil(bytes.length / UNIT)
    if (asked.inMinute + weight > perMinute)
      throw reasonedError('rate_limited', reasonOf('limit.minute', { agent: subject, limit: perMinute }))
    const { full } = asked
    if (full.error && clock.now() < full.until && (full.session ?? session) === session) throw full.error
    if (asked.room === 0) {
      const { all, bySession } = await count(subject, asked.opening)
      const half = Math.ceil(pending / 2)
      const isFull = all >= pending
      if (isFull || (bySession.get(session) ?? 0) >= half) {
        const reason = isFull
          ? reasonOf('limit.agent', { agent: subject, limit: pending })
          : reasonOf('limit.session', { agent: subject, session, limit: half })
        const error = reasonedError('too_many_pending', reason)
        asked.full = { until: clock.now() + RECOUNT_MS, error, ...(isFull ? {} : { session }) }
        throw error
      }
      // A tenth of what is left, so that the count is never far off.
      asked.room = Math.max(1, Math.floor(Math.min(pending - all, half) / 10))
    }
    asked.room -= 1
    asked.inMinute += weight
    asked.opening.push(session)
  }

  return {
    async admit(asking, open) {
      if (asking.actor.role !== 'agent') return open()
      const asked = askedBy(asking.actor.subject)
      const isIn = asked.turn.then(() => letIn(asked, asking))
      asked.turn = isIn.catch(() => {})
      await isIn
      try {
        return await open()
      } finally {
        asked.opening.splice(asked.opening.indexOf(asking.session), 1)
      }
    },
  }
}
