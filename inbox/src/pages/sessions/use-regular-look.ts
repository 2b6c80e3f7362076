/** Looks again while somebody is there: when something has happened, when the page is shown again, and every few seconds. */
import { useEffect, useRef } from 'preact/hooks'
import { useThrottledRun } from '../../components/use-throttled-run.ts'
import { useInbox } from '../../context/context.ts'

export interface RegularLook {
  /** Whether a turn runs in what is shown. */
  isActive(): boolean
  look(): void
  /** The page was hidden, and is shown again. */
  shown?(): void
}

/** Where a turn runs somebody wants to see it move; where none does, one may be started from a chat. */
const WHILE_ACTIVE_MS = 3000
const ELSE_EVERY = 5

export function useRegularLook(parts: RegularLook): void {
  const { live } = useInbox()
  const latest = useRef(parts)
  latest.current = parts
  useThrottledRun(`${live.board.changes.value} ${live.settled.value[0]?.id}`, () => latest.current.look())
  useEffect(() => {
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      const isTime = latest.current.isActive() || ticks % ELSE_EVERY === 0
      if (!document.hidden && isTime) latest.current.look()
    }, WHILE_ACTIVE_MS)
    const look = () => {
      if (document.visibilityState !== 'visible') return
      latest.current.shown?.()
      latest.current.look()
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}
