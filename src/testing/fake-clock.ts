/** A clock that moves only when it is told to, so that tests about deadlines need no sleep. */
import type { Clock } from '../core/time/clock.ts'

export interface FakeClock extends Clock {
  /** Moves the time and calls back everything that comes due on the way, in order, letting promises settle between. */
  advance(byMs: number): Promise<void>
  /** Moves the time without calling anyone: a machine that was asleep. */
  jump(byMs: number): void
}

export function createFakeClock(startAt = 1_700_000_000_000): FakeClock {
  let now = startAt
  let timers: { at: number; callback: () => void }[] = []
  return {
    now: () => now,
    after(delayMs, callback) {
      const timer = { at: now + Math.max(0, delayMs), callback }
      timers.push(timer)
      return {
        cancel() {
          timers = timers.filter((one) => one !== timer)
        },
      }
    },
    async advance(byMs) {
      const end = now + byMs
      await settlePromises()
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0]
        if (next === undefined) break
        timers = timers.filter((timer) => timer !== next)
        now = Math.max(now, next.at)
        next.callback()
        await settlePromises()
      }
      now = end
      await settlePromises()
    },
    jump(byMs) {
      now += byMs
    },
  }
}

/** Several turns of the event loop: a group commit takes one, and what it wakes may commit again. */
async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
