/**
 * Whether what is shown has been there for half a second. A click that was meant for what stood here before must
 * not open or decide what has just taken its place.
 */
import { useEffect, useRef, useState } from 'preact/hooks'

/** Longer than it takes to notice that something else is there; hardly felt by who means it. */
const ARM_MS = 500

/** `isFirst`: it came with the page itself, so nothing stood here before. */
export function useArmed(shown: string, isFirst = false): boolean {
  const since = useRef({ shown, at: isFirst ? Number.NEGATIVE_INFINITY : performance.now() })
  const [, look] = useState(0)
  if (since.current.shown !== shown) since.current = { shown, at: performance.now() }
  useEffect(() => {
    // A little later than half a second: timers may come early.
    const timer = setTimeout(() => look((count) => count + 1), ARM_MS + 20)
    return () => clearTimeout(timer)
  }, [shown])
  return performance.now() - since.current.at >= ARM_MS
}
