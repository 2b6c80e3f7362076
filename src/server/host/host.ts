/** The real clock and the real random numbers, for those who are given theirs. */
import { randomFillSync } from 'node:crypto'
import { createIds } from '../../core/support/ids.ts'
import type { Clock, KeepAlive, Random } from '../../core/time/clock.ts'
import { createEventLoopYield } from '../../gateway/record/yield-between-calls.ts'

export const hostClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    // Node fires at once for delays past 31 bits; nothing here waits that long without looking in between.
    const timer = setTimeout(callback, Math.min(delayMs, 0x7fffffff))
    // A gateway that only waits must not keep a finished program alive.
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

/** One system call for many small requests: an id or a key is needed for every tool call. */
export function createHostRandom(): Random {
  const pool = new Uint8Array(4096)
  let used = pool.length
  return {
    bytes(length) {
      if (length > pool.length) return randomFillSync(new Uint8Array(length))
      if (used + length > pool.length) {
        randomFillSync(pool)
        used = 0
      }
      const taken = pool.slice(used, used + length)
      // What was handed out must not be found in memory later.
      pool.fill(0, used, used + length)
      used += length
      return taken
    },
  }
}

/** New ids by the real clock. */
export function createHostIds(): ReturnType<typeof createIds> {
  return createIds(hostClock, createHostRandom())
}

/** For gateways in a program of somebody's own. A server's gateway takes turns with its routes, which have theirs. */
export const yieldToEventLoop: () => Promise<void> = createEventLoopYield(
  () => new Promise((resolve) => setImmediate(resolve)),
)

/** Keeps the process alive while someone holds it: a program that waits for a person must not end for lack of work. */
export function createKeepAlive(): KeepAlive {
  let holders = 0
  const timer = setInterval(() => {}, 0x7fffffff).unref()
  return {
    hold() {
      if (holders++ === 0) timer.ref()
    },
    release() {
      if (--holders === 0) timer.unref()
    },
  }
}

/** Where faults go that nobody waits for, in a program that says nothing else. */
export function reportToStandardError({ doing, error }: { doing: string; error: unknown }): void {
  console.error(`banksman: ${doing}: ${error instanceof Error ? error.message : String(error)}`)
}
