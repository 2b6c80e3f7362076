/** Asks the server again and again until something has happened. A phone that was asleep, or a server that was away, goes on. */
import { useEffect } from 'preact/hooks'
import { isClientError, type WaitOptions } from '../../../../../src/client/index.ts'
import { useInbox } from '../../../context/context.ts'

interface HeldQuestion<T> {
  ask(id: string, how: WaitOptions): Promise<T>
  isDone(found: T): boolean
  /** When to give up, by this machine's clock. */
  end: number
  /** Undefined: it was given up, or the server knows nothing of it any more. */
  found(found: T | undefined): void
}

const HOLD_MS = 25_000
const PAUSE_MS = 2_000
/** Clocks differ: whether it is over, the server says. */
const GRACE_MS = 60_000

/** Waits for what has this id, until the part is gone or there is another id. */
export function useHeld<T>(id: string | undefined, question: HeldQuestion<T>): void {
  const { leave } = useInbox()
  useEffect(() => {
    if (id === undefined) return
    const stop = new AbortController()
    const { signal } = stop
    heldUntil(id, question, signal).then(
      (found) => !signal.aborted && question.found(found),
      (error) => {
        if (signal.aborted) return
        if (isClientError(error, 'unauthenticated')) leave(error)
        else question.found(undefined)
      },
    )
    return () => stop.abort()
  }, [id])
}

async function heldUntil<T>(
  id: string,
  { ask, isDone, end }: HeldQuestion<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  while (!signal.aborted && Date.now() < end + GRACE_MS) {
    try {
      const found = await ask(id, { holdMs: HOLD_MS, signal })
      if (isDone(found)) return found
    } catch (error) {
      if (signal.aborted || !isClientError(error, 'unreachable')) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  return undefined
}
