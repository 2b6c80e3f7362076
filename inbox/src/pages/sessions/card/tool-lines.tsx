import type { WireTurnProgress } from '../../../../../src/client/index.ts'
import { ServerText } from '../../../components/text/spans.tsx'
import { useOwnWords } from '../../../context/context.ts'
import type { CallStage } from '../../chat/model/transcript-items.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'
import type { SeenProgress } from '../model/session-board.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

const SHOWN = 3

/** How many tools the turn has used, and what became of the last ones. */
export function ToolLines({ seen }: { seen: SeenProgress | undefined }) {
  const own = useOwnWords(SESSIONS_WORDS)
  const { stage } = useOwnWords(CHAT_WORDS)
  const turn = seen?.progress.turn
  if (turn === undefined) return null
  if (turn.calls === 0) return <p class="hint">{own.noCalls}</p>
  return (
    <div class="session-tools">
      <p class="hint">{own.calls(turn.calls)}</p>
      <ul>
        {turn.recent.slice(-SHOWN).map(({ session, call, summary, state }) => (
          <li key={`${session} ${call}`} class={`session-tool stage-${state}`}>
            <code class="session-call" dir="ltr">
              <ServerText text={summary} />
            </code>
            <span class="hint">{stage[STAGES[state]]}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type ProgressCallState = WireTurnProgress['recent'][number]['state']

const STAGES: Readonly<Record<ProgressCallState, CallStage>> = {
  proposed: 'proposed',
  waiting: 'waiting',
  running: 'running',
  done: 'finished',
  failed: 'failed',
  refused: 'refused',
  answered: 'answered',
}
