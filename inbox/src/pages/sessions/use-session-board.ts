import { useEffect, useMemo } from 'preact/hooks'
import { useInbox } from '../../context/context.ts'
import { type BoardChoice, createSessionBoard, type SessionBoard } from './model/session-board.ts'
import { useRegularLook } from './use-regular-look.ts'

/** The board of sessions while somebody looks at it. */
export function useSessionBoard(which: BoardChoice): SessionBoard {
  const { client, leave } = useInbox()
  const board = useMemo(
    () => createSessionBoard({ client, which, now: Date.now, onRefused: leave }),
    [client, which],
  )
  useEffect(() => board.close, [board])
  useRegularLook({ isActive: board.isActive, look: () => void board.refresh(), shown: board.arrange })
  return board
}
