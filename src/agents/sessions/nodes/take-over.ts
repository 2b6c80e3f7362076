/**
 * Turns that nobody runs: left by a process that has ended, whether that was this one before a restart or another that works
 * on the same store. They are looked for now and then, and when a lease that was seen comes to its end.
 */
import { isBanksmanError } from '../../../core/errors.ts'
import type { Actor } from '../../../core/session.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { emit, type HostedSession } from '../hosted-session.ts'
import { type SessionTable, sessionOwner } from '../session-table.ts'
import { createPursueTurn, type PursueTurn } from './pursue-turn.ts'
import type { SessionLease, SessionLeases, TakenLease } from './session-lease.ts'

export interface TakeOver {
  /** Looks now, and from then on; gives how many were taken up now. */
  start(): Promise<number>
  pursue: PursueTurn
  /** Goes on with the unfinished turn of a session that is held, by this right; false when there is none. */
  takeUp(hosted: HostedSession, lease: SessionLease): Promise<boolean>
  close(): void
}

export interface TakeOverParts {
  sessions: SessionTable
  leases: SessionLeases
  take(hosted: HostedSession, turn: string): Promise<TakenLease>
  /** Runs what was taken up. */
  run(hosted: HostedSession, lease: SessionLease, turn: string): void
}

/** How late a turn whose lease has ended is found at most. */
const LOOK_EVERY_MS = 5000
/** Not sooner, whatever a lease says. */
const LOOK_AGAIN_MS = 500
export function createTakeOver(
  parts: SessionHostParts,
  { sessions, leases, take, run }: TakeOverParts,
): TakeOver {
  const { gateway, clock, report } = parts
  let timer: { cancel(): void } | undefined
  let isClosed = false

  /** How many were taken up, and when to look again. */
  async function look(): Promise<{ count: number; nextMs: number }> {
    const left = (await gateway.turns.unfinished()).filter(
      // A task is taken up again by whoever gave it, if they are still at it.
      ({ id, parent }) => parent === undefined && sessions.get(id)?.running === undefined,
    )
    if (left.length === 0) return { count: 0, nextMs: LOOK_EVERY_MS }
    const held = await leases.all()
    let count = 0
    let nextMs = LOOK_EVERY_MS
    for (const session of left) {
      const lease = held.get(session.id)
      if (lease !== undefined && lease.holder !== leases.holder && !leases.isLeft(lease)) {
        nextMs = Math.min(nextMs, Math.max(LOOK_AGAIN_MS, lease.until - clock.now()))
        continue
      }
      try {
        if (!isClosed && (await resumeOne(session.id, sessionOwner(session))) === 'ours') count++
      } catch (error) {
        report({ doing: `going on with session ${session.id}`, error })
      }
    }
    return { count, nextMs }
  }

  function plan(delayMs: number): void {
    if (isClosed) return
    timer = clock.after(delayMs, () => {
      look().then(
        ({ nextMs }) => plan(nextMs),
        (error) => {
          if (!isClosed) report({ doing: 'looking for turns that nobody runs', error })
          plan(LOOK_EVERY_MS)
        },
      )
    })
  }

  async function resumeOne(session: string, owner: Actor): Promise<'ours' | 'theirs' | 'nothing'> {
    const { hosted, release } = await sessions.hold(session, owner, 'write')
    const done = hosted.queue.then(() => takeUpIfFree(hosted)).finally(release)
    hosted.queue = done.catch(() => {})
    return done
  }

  async function takeUpIfFree(hosted: HostedSession): Promise<'ours' | 'theirs' | 'nothing'> {
    // One that was lost is on its way out.
    if (hosted.running?.controller.signal.aborted) await hosted.running.done.catch(() => {})
    if (hosted.running !== undefined) return 'nothing'
    // Dropped meanwhile: it is looked at again as it is held then.
    if (sessions.get(hosted.session) !== hosted) return 'theirs'
    await hosted.log.refresh()
    const turn = hosted.log.unfinished()
    // Another process has the agent, and looks for its turns.
    if (turn === undefined || hosted.engine === undefined || isClosed) return 'nothing'
    const taken = await take(hosted, turn)
    if (taken.kind === 'theirs') return 'theirs'
    return (await takeUp(hosted, taken.lease)) ? 'ours' : 'nothing'
  }

  async function takeUp(hosted: HostedSession, lease: SessionLease): Promise<boolean> {
    try {
      const turn = await markResumed(hosted)
      const begun = hosted.log.entries.find((entry) => entry.kind === 'begun' && entry.turn === turn)
      if (turn !== undefined && begun?.kind === 'begun' && !isClosed) {
        hosted.awaited.clear()
        const { text, by } = begun
        emit(parts, hosted, { turn, shownTurn: turn }, { kind: 'turn_begun', text, by, resumed: true })
        run(hosted, lease, turn)
        return true
      }
    } catch (error) {
      await lease.end()
      throw error
    }
    await lease.end()
    return false
  }

  /** From this entry on the log takes nothing more from whoever had the turn before. */
  async function markResumed({ log }: HostedSession): Promise<string | undefined> {
    try {
      const entry = await log.offer(() => {
        const turn = log.unfinished()
        return turn === undefined ? undefined : { kind: 'resumed', turn, at: clock.now() }
      })
      return entry?.kind === 'resumed' ? entry.turn : undefined
    } catch (error) {
      // It takes only the end of the turn, and that is what is left to do.
      if (isBanksmanError(error, 'session_ended')) return log.unfinished()
      throw error
    }
  }

  return {
    takeUp,
    pursue: createPursueTurn(parts, resumeOne, () => isClosed),
    async start() {
      timer?.cancel()
      const { count, nextMs } = await look()
      plan(nextMs)
      return count
    },
    close() {
      isClosed = true
      timer?.cancel()
    },
  }
}
