import { FailureNote } from '../../components/failure-note.tsx'
import { useInbox, useOwnWords, useWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import '../chat/chat.css'
import { ConversationView } from '../chat/conversation/conversation-view.tsx'
import '../chat/transcript/transcript.css'
import '../../style/record.css'
import './sessions.css'
import { ConnectedPage } from './connected/connected-page.tsx'
import { isCoding } from './model/session-board.ts'
import { SessionFacts } from './session-facts.tsx'
import { SessionList } from './session-list.tsx'
import { useOpenedSession } from './use-opened-session.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** Sessions: a card each, or the one that is open, with its conversation or with its calls. */
export function SessionsPage() {
  const { place } = useInbox()
  const { id } = place.value
  return id === undefined ? <SessionList /> : <OpenedSession key={id} session={id} />
}

/** A session that is open. Of a coding session its facts and the conversation, of others their calls and decisions. */
function OpenedSession({ session: id }: { session: string }) {
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
  if (!isCoding(session))
    return <ConnectedPage session={session} failure={opened.failure} refresh={opened.refresh} />
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
