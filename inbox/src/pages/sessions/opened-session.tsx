import { useEffect, useMemo, useState } from 'preact/hooks'
import { FailureNote } from '../../components/failure-note.tsx'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { useInbox, useOwnWords, useWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { ConversationView } from '../chat/conversation/conversation-view.tsx'
import { SessionDoingLine } from './card/session-doing-line.tsx'
import { SessionStateTag } from './card/session-state-tag.tsx'
import { SessionUsed } from './card/session-used.tsx'
import { ToolLines } from './card/tool-lines.tsx'
import type { SeenProgress } from './model/session-board.ts'
import type { WireCodingSession } from './model/session-wire.ts'
import { NoSecretary } from './no-secretary.tsx'
import { useSessionBoard } from './use-session-board.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** There is room for the facts beside the conversation. */
const WIDE = '(min-width: 56rem)'

/** A session that is open: its facts, and the conversation with its calls and decisions. */
export function OpenedSession({ session: id }: { session: string }) {
  const { shut } = useInbox()
  const words = useWords()
  const own = useOwnWords(SESSIONS_WORDS)
  const board = useSessionBoard(true)
  const state = board.state.value
  const failure = board.failure.value
  const session = state.kind === 'listed' ? state.sessions.find((each) => each.id === id) : undefined
  if (session === undefined) {
    // Whatever is said in a session that nobody knows would begin a conversation with another agent.
    return (
      <div class="page">
        <button type="button" class="quiet" data-key="Escape" onClick={shut}>
          ← {own.opened.back}
        </button>
        {failure !== undefined ? (
          <>
            <FailureNote error={failure} />
            <button type="button" onClick={() => void board.refresh()}>
              {words.login.again}
            </button>
          </>
        ) : state.kind === 'absent' ? (
          <NoSecretary />
        ) : (
          <p class="hint" role="status">
            {state.kind === 'loading' ? words.loading : own.opened.missing}
          </p>
        )}
      </div>
    )
  }
  return (
    <div class="chat is-open session-open">
      <aside class="column session-facts" aria-label={own.opened.facts}>
        {failure === undefined ? null : <FailureNote error={failure} />}
        <SessionFacts session={session} seen={board.progress.value.get(id)} />
      </aside>
      <ConversationView
        session={id}
        title={session.title === undefined ? own.untitled : visible(session.title)}
        back={own.opened.back}
        whenBusy="interrupt"
        changed={() => void board.refresh()}
      />
    </div>
  )
}

/** On a phone in a line that unfolds, so that the conversation has the screen. */
function SessionFacts({ session, seen }: { session: WireCodingSession; seen: SeenProgress | undefined }) {
  const { identity } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS)
  const query = useMemo(() => matchMedia(WIDE), [])
  const [isOpen, setOpen] = useState(query.matches)
  useEffect(() => {
    const look = () => setOpen(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [query])
  const { folder, owner } = session
  return (
    <details
      class={`session-fold is-${session.state}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <SessionStateTag session={session} seen={seen} />
        <code class="session-folder" dir="ltr">
          {isolateRightToLeft(visible(folder))}
        </code>
      </summary>
      {owner === identity.subject ? null : <p class="hint">{own.owner(visible(owner))}</p>}
      <SessionDoingLine session={session} seen={seen} />
      <ToolLines seen={seen} />
      <SessionUsed seen={seen} />
    </details>
  )
}
