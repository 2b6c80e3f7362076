/** Calls back again and again until it is cancelled, and the host's clock for who is given no other. */
import type { Clock, Timer } from '../../core/time/clock.ts'

export function every(clock: Pick<Clock, 'after'>, delayMs: number, callback: () => void): Timer {
  let timer = clock.after(delayMs, ring)
  function ring(): void {
    timer = clock.after(delayMs, ring)
    callback()
  }
  return { cancel: () => timer.cancel() }
}
