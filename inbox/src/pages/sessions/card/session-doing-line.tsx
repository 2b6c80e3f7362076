import { sayTurnStatus } from '../../../../../src/display/words/turn-statuses.ts'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../../../components/text/spans.tsx'
import { useLanguage, useLocale, useOwnWords } from '../../../context/context.ts'
import { now } from '../../../model/browser/now.ts'
import { visible } from '../../../model/text/visible-line.ts'
import type { CodingRow, SeenProgress } from '../model/session-board.ts'
import { sessionDoing } from '../model/session-doing.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

/** What it does right now, or how its last turn ended. */
export function SessionDoingLine({
  session: {
    coding: { state },
  },
  seen,
}: {
  session: CodingRow
  seen: SeenProgress | undefined
}) {
  const own = useOwnWords(SESSIONS_WORDS)
  const locale = useLocale()
  const { time } = useLanguage()
  const doing = sessionDoing(state, seen, now.value)
  const rest = state === 'asleep' || state === 'closed' || state === 'ended' ? own.doing[state] : undefined
  if (doing.kind === 'waiting') return null
  return (
    <div class="session-doing">
      {doing.kind === 'tool' ? (
        <p>
          {own.doing.tool}{' '}
          <code class="session-call" dir="ltr">
            <ServerText text={doing.summary} />
          </code>{' '}
          <span class="hint">{own.lasting(doing.ms)}</span>
        </p>
      ) : doing.kind === 'thinking' ? (
        <p>
          {own.doing.thinking} <span class="hint">{own.lasting(doing.ms)}</span>
        </p>
      ) : doing.kind === 'over' ? (
        <>
          <p class={doing.status === 'failed' ? 'failed-turn' : undefined}>
            {own.doing.over(sayTurnStatus(doing.status, locale), time(doing.at))}
          </p>
          {doing.reason === undefined ? null : (
            <p class="hint">
              {own.reason}
              {isolateRightToLeft(visible(doing.reason))}
            </p>
          )}
        </>
      ) : (
        <p class="hint">{doing.kind === 'nothing' ? own.doing.nothing : own.doing.unknown}</p>
      )}
      {rest === undefined ? null : <p class="hint">{rest}</p>}
    </div>
  )
}
