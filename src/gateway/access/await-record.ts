/**
 * Waits until something that is kept as a record has become what somebody waits for. A change in this process is noticed at once,
 * that of another node within a second.
 */
import type { Clock } from '../../core/time/clock.ts'

export interface RecordWaits {
  /** Something under this name has changed. */
  wake(name: string): void
  /** What was read last: it is done, or the time is over, or the signal was aborted. */
  until<T>(name: string, wait: RecordWait<T>): Promise<T>
}

export interface RecordWait<T> {
  read(): Promise<T>
  isDone(found: T): boolean
  holdMs: number
  signal?: AbortSignal
}

const LOOK_MS = 1_000

export function createRecordWaits(clock: Pick<Clock, 'after' | 'now'>): RecordWaits {
  const sleeping = new Map<string, Set<() => void>>()

  function sleep(name: string, forMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const mine = sleeping.get(name) ?? new Set()
      sleeping.set(name, mine)
      const rise = () => {
        timer.cancel()
        signal?.removeEventListener('abort', rise)
        mine.delete(rise)
        if (mine.size === 0 && sleeping.get(name) === mine) sleeping.delete(name)
        resolve()
      }
      const timer = clock.after(forMs, rise)
      signal?.addEventListener('abort', rise, { once: true })
      mine.add(rise)
      if (signal?.aborted) rise()
    })
  }

  return {
    wake(name) {
      for (const rise of [...(sleeping.get(name) ?? [])]) rise()
    },
    async until(name, { read, isDone, holdMs, signal }) {
      const end = clock.now() + holdMs
      for (;;) {
        const found = await read()
        const left = end - clock.now()
        if (isDone(found) || left <= 0 || signal?.aborted) return found
        await sleep(name, Math.min(left, LOOK_MS), signal)
      }
    },
  }
}
