import { sayTurnStatus } from '../../../../../src/display/words/turn-statuses.ts'
import { ServerText } from '../../../components/text/spans.tsx'
import { useLocale, useOwnWords } from '../../../context/context.ts'
import type { TranscriptTurn } from '../model/transcript-items.ts'
import { CHAT_WORDS } from '../words/words.ts'

/** How the turn ended, and what it took. */
export function TurnFooter({ turn }: { turn: TranscriptTurn }) {
  const own = useOwnWords(CHAT_WORDS)
  const locale = useLocale()
  const end = turn.end.value
  const items = turn.lane.items.value
  if (end === undefined) return null
  const { status, reason, usage, steps, durationMs } = end
  // What failed, or who interrupted it, has just been said.
  const isSaid = items.some(({ body }) => {
    const shown = body.shown.value
    return shown.kind === 'interrupted' || (shown.kind === 'failed' && shown.message === reason)
  })
  return (
    <footer class={`turn-foot status-${status}`}>
      {status === 'completed' ? null : (
        <p class="turn-status">
          <strong>{own.turnEnded(sayTurnStatus(status, locale))}</strong>{' '}
          {reason === undefined || isSaid ? null : (
            <span class="as-it-is">
              <ServerText text={reason} isBlock />
            </span>
          )}
        </p>
      )}
      <p class="hint">
        {own.usage(usage, steps)}
        {durationMs === undefined ? null : ` · ${own.seconds(durationMs)}`}
      </p>
    </footer>
  )
}
