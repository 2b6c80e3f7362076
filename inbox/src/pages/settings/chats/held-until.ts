/** Asks the server again and again until something has happened. A phone that was asleep, or a server that was away, goes on. */
import { isClientError, type WaitOptions } from '../../../../../src/client/index.ts'

interface HeldQuestion<T> {
  ask(how: WaitOptions): Promise<T>
  isDone(found: T): boolean
  /** When to give up, by this machine's clock. */
  end: number
  signal: AbortSignal
}

const HOLD_MS = 25_000
const PAUSE_MS = 2_000
/** Clocks differ: whether it is over, the server says. */
const GRACE_MS = 60_000

/** Undefined: it was given up. */
export async function heldUntil<T>({ ask, isDone, end, signal }: HeldQuestion<T>): Promise<T | undefined> {
  while (!signal.aborted && Date.now() < end + GRACE_MS) {
    try {
      const found = await ask({ holdMs: HOLD_MS, signal })
      if (isDone(found)) return found
    } catch (error) {
      if (signal.aborted) return undefined
      if (!isClientError(error, 'unreachable')) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  return undefined
}
