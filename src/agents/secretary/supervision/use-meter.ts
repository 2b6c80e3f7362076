/**
 * Counts what a session uses: the time in which it works, without the time in which it waits for people, and what its model
 * costs. It is added to the session's record now and then, so that a process that is killed loses little of it.
 */
import { defined } from '../../../core/defined.ts'
import type { SessionUse } from '../../../core/secretary.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { SessionRecord, SessionRecords } from '../session-records.ts'

export interface UseMeter {
  /** The session works from here on, until what it gives is called. */
  start(): () => void
  /** A person is asked; to be called once more when they are no longer. */
  waiting(): () => void
  addCost(costUsd: number): void
  /** What is not in the record yet. */
  pending(): Omit<SessionUse, 'turns'>
  /** Adds it to the record, which it gives. */
  flush(): Promise<SessionRecord | undefined>
  /** The same, if it was not done a moment ago. */
  flushSometimes(): Promise<void>
}

const FLUSH_EVERY_MS = 5000

export function startUseMeter(
  { records, clock }: { records: Pick<SessionRecords, 'change'>; clock: Pick<Clock, 'now'> },
  session: string,
): UseMeter {
  let works = 0
  let waits = 0
  let since = clock.now()
  let workedMs = 0
  let costUsd: number | undefined
  let flushedAt = since

  function take(): void {
    const now = clock.now()
    if (works > 0 && waits === 0) workedMs += Math.max(0, now - since)
    since = now
  }

  async function flush(): Promise<SessionRecord | undefined> {
    take()
    flushedAt = clock.now()
    const added = { workedMs, costUsd }
    workedMs = 0
    costUsd = undefined
    try {
      return await records.change(session, ({ used }) => ({ used: sumOf(used, added), lastAt: clock.now() }))
    } catch (error) {
      // It is added the next time.
      workedMs += added.workedMs
      if (added.costUsd !== undefined) costUsd = (costUsd ?? 0) + added.costUsd
      throw error
    }
  }

  /** Counts one more, and one less again. */
  function during(count: (by: 1 | -1) => void): () => void {
    take()
    count(1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      take()
      count(-1)
    }
  }

  return {
    start: () =>
      during((by) => {
        works += by
      }),
    waiting: () =>
      during((by) => {
        waits += by
      }),
    addCost(cost) {
      costUsd = (costUsd ?? 0) + cost
    },
    pending() {
      take()
      return { workedMs, ...defined({ costUsd }) }
    },
    flush,
    async flushSometimes() {
      if (clock.now() - flushedAt >= FLUSH_EVERY_MS) await flush()
    },
  }
}

export function sumOf(
  used: SessionUse,
  { workedMs, costUsd }: { workedMs: number; costUsd?: number | undefined },
): SessionUse {
  const cost = costUsd === undefined ? used.costUsd : (used.costUsd ?? 0) + costUsd
  return { turns: used.turns, workedMs: used.workedMs + workedMs, ...defined({ costUsd: cost }) }
}
