import { useOwnWords } from '../../../context/context.ts'
import type { SeenProgress } from '../model/session-board.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

/** What the session has used, of what it may. */
export function SessionUsed({ seen }: { seen: SeenProgress | undefined }) {
  const own = useOwnWords(SESSIONS_WORDS)
  if (seen === undefined) return null
  const { used, limits = {} } = seen.progress
  if (used === undefined) return null
  const limitMs = limits.workedMs
  return (
    <p class="facts session-used">
      <span class="unseen">{own.used.title}</span>
      <span>{own.used.turns(used.turns, limits.turns)}</span>
      <span>
        {own.used.worked(
          own.lasting(used.workedMs),
          limitMs === undefined ? undefined : own.lasting(limitMs),
        )}
      </span>
      {used.costUsd === undefined ? null : <span>{own.used.cost(used.costUsd, limits.costUsd)}</span>}
    </p>
  )
}
