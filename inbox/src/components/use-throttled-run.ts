/** Runs something a little after a change, and not more often than that, while somebody looks at the page. */
import { useEffect, useRef } from 'preact/hooks'

const LATER_MS = 2500

export function useThrottledRun(change: unknown, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      if (!document.hidden) latest.current()
    }, LATER_MS)
  }, [change])
  useEffect(() => () => clearTimeout(timer.current), [])
}
