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
import type { CodingRow, SeenProgress } from './model/session-board.ts'
import { useOpenedSession } from './use-opened-session.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** There is room for the facts beside the conversation. */
const WIDE = '(min-width: 56rem)'

/** A session that is open: its facts, and the conversation with its calls and decisions. */
export function OpenedSession({ session: id }: { session: string }) {
  const { shut } = useInbox()
  const words = useWords()
  const own = useOwnWords(SESSIONS_WORDS)
  const opened = useOpenedSession(id)
  const { session } = opened
  if (session === undefined) {
    // Whatever is said in a session that nobody knows would begin a conversation with another agent.
    return (
      <div class="page">
        <button type="button" class="quiet" data-key="Escape" onClick={shut}>
          ← {own.opened.back}
        </button>
        {opened.failure === undefined ? (
          <p class="hint" role="status">
            {opened.isMissing ? own.opened.missing : words.loading}
          </p>
        ) : (
          <>
            <FailureNote error={opened.failure} />
            <button type="button" onClick={opened.refresh}>
              {words.login.again}
            </button>
          </>
        )}
      </div>
    )
  }
  const { title } = session.coding
  return (
    <div class="chat is-open session-open">
      <aside class="column session-facts" aria-label={own.opened.facts}>
        {opened.failure === undefined ? null : <FailureNote error={opened.failure} />}
        <SessionFacts session={session} seen={opened.seen} />
      </aside>
      <ConversationView
        session={id}
        title={title === undefined ? own.untitled : visible(title)}
        back={own.opened.back}
        whenBusy="interrupt"
        changed={opened.refresh}
      />
    </div>
  )
}

/** On a phone in a line that unfolds, so that the conversation has the screen. */
function SessionFacts({ session, seen }: { session: CodingRow; seen: SeenProgress | undefined }) {
  const { identity } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS)
  const query = useMemo(() => matchMedia(WIDE), [])
  const [isOpen, setOpen] = useState(query.matches)
  useEffect(() => {
    const look = () => setOpen(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [query])
  const {
    owner,
    coding: { folder, state },
  } = session
  return (
    <details
      class={`session-fold is-${state}`}
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
