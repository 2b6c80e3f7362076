import type { Clock } from '../../../core/time/clock.ts'

/** Waits for this long, or until it is over. */
export function pause(clock: Pick<Clock, 'after'>, forMs: number, over: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = clock.after(forMs, resolve)
  over.addEventListener('abort', () => resolve(), { once: true })
  if (over.aborted) resolve()
  return promise.finally(() => timer.cancel())
}
