/** Waits on a given clock, and no longer than the signal lets it: an abort rejects at once with the signal's reason. */
import type { Clock } from '../../core/time/clock.ts'

export function waitFor(
  delayMs: number,
  signal: AbortSignal,
  after: Clock['after'] = thisMachine.after,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    if (delayMs <= 0) return resolve()
    const stop = () => {
      timer.cancel()
      reject(signal.reason)
    }
    const timer = after(delayMs, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** For those who are given no other. */
export const thisMachine: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    // Node fires at once for delays past 31 bits.
    const timer = setTimeout(callback, Math.min(delayMs, 0x7fffffff))
    return { cancel: () => clearTimeout(timer) }
  },
}
