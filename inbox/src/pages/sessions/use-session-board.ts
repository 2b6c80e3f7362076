/** The board of sessions while somebody looks at it: read again when something has happened, and every few seconds. */
import { useEffect, useMemo } from 'preact/hooks'
import { useThrottledRun } from '../../components/use-throttled-run.ts'
import { useInbox } from '../../context/context.ts'
import { createSessionBoard, type SessionBoard } from './model/session-board.ts'

/** Where a turn runs somebody wants to see it move; where none does one may be started from a chat. */
const WHILE_ACTIVE_MS = 3000
const ELSE_EVERY = 5

export function useSessionBoard(closed: boolean): SessionBoard {
  const { client, live, leave } = useInbox()
  const board = useMemo(
    () => createSessionBoard({ client, closed, now: Date.now, onRefused: leave }),
    [client, closed],
  )
  useEffect(() => board.close, [board])
  useThrottledRun(`${live.board.changes.value} ${live.settled.value[0]?.id}`, () => void board.refresh())
  useEffect(() => {
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      if (!document.hidden && (board.isActive() || ticks % ELSE_EVERY === 0)) void board.refresh()
    }, WHILE_ACTIVE_MS)
    const look = () => {
      if (document.visibilityState !== 'visible') return
      board.arrange()
      void board.refresh()
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [board])
  return board
}
