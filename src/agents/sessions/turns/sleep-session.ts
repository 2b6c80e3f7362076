/**
 * Puts a session to sleep: what runs in it is stopped, its engine is closed and its lease given back. An engine that is open at another
 * process with nothing to do is closed there when it has been idle for long.
 */
import { defined } from '../../../core/defined.ts'
import type { Actor } from '../../../core/session.ts'
import type { SessionHostParts } from '../host-parts.ts'
import type { SessionTable } from '../session-table.ts'
import type { OpenEngines } from './open-engines.ts'
import type { StopTurn } from './stop-turn.ts'

export interface SleepParts {
  sessions: SessionTable
  engines: OpenEngines
  stop: StopTurn
}

/** Longer than the host lets an engine take to stop. */
const STOP_WITHIN_MS = 20_000

export function createSleep({ clock }: SessionHostParts, { sessions, engines, stop }: SleepParts) {
  return async (session: string, { reason }: { reason?: string }, actor: Actor): Promise<void> => {
    const { hosted, release } = await sessions.hold(session, actor, 'manage')
    try {
      await stop(session, { kind: 'hard', ...defined({ reason }) }, actor)
      // One after the other with messages: the next one opens a new engine.
      const sleeping = hosted.queue.then(async () => {
        const { running } = hosted
        // A message that came first has begun a turn of its own, which nobody wanted to stop.
        if (running !== undefined && !running.controller.signal.aborted) return
        const { promise: bound, resolve } = Promise.withResolvers<void>()
        const timer = clock.after(STOP_WITHIN_MS, resolve)
        await Promise.race([running?.done.catch(() => {}), bound])
        timer.cancel()
        if (hosted.running === undefined) await engines.close(hosted, 'idle')
      })
      hosted.queue = sleeping.catch(() => {})
      await sleeping
    } finally {
      release()
    }
  }
}
