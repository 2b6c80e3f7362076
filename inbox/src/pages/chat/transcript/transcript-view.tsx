import { useRef } from 'preact/hooks'
import { useOwnWords, useWords } from '../../../context/context.ts'
import type { Conversation } from '../model/conversation.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { LaneView } from './lane-view.tsx'
import { TurnFooter } from './turn-footer.tsx'
import { useStickToBottom } from './use-stick-to-bottom.ts'

/** All that was said and done, the newest at the bottom. */
export function TranscriptView({ conversation }: { conversation: Conversation }) {
  const own = useOwnWords(CHAT_WORDS)
  const words = useWords()
  const scroller = useRef<HTMLElement>(null)
  const { transcript, state } = conversation
  const { hasNew, toBottom } = useStickToBottom(scroller, transcript.draws)
  const turns = transcript.turns.value
  return (
    <div class="transcript-place">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="transcript" ref={scroller} tabIndex={0} aria-label={own.transcript}>
        <div class="transcript-content">
          {state.value.kind === 'loading' ? (
            <p class="hint centre" role="status">
              {words.loading}
            </p>
          ) : null}
          {state.value.kind === 'new' ? <p class="hint centre">{own.begin}</p> : null}
          {transcript.hasErased.value ? <p class="hint">{own.erased}</p> : null}
          {turns.map((turn) => (
            <section key={turn.id} class="turn">
              <LaneView lane={turn.lane} />
              <TurnFooter turn={turn} />
            </section>
          ))}
        </div>
      </section>
      {hasNew ? (
        <button type="button" class="new-below" onClick={toBottom}>
          {own.newBelow}
        </button>
      ) : null}
    </div>
  )
}
