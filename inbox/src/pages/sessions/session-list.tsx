import { useState } from 'preact/hooks'
import { FailureNote } from '../../components/failure-note.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useInbox, useOwnWords, useWords } from '../../context/context.ts'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { SessionCard } from './card/session-card.tsx'
import { NewSessionSheet } from './new-session/new-session-sheet.tsx'
import { NoSecretary } from './no-secretary.tsx'
import { useSessionBoard } from './use-session-board.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** One card a session, the newest activity first. */
export function SessionList() {
  const { place, adjust } = useInbox()
  const words = useWords()
  const own = useOwnWords(SESSIONS_WORDS)
  const shell = useOwnWords(SHELL_WORDS)
  const [isStarting, setStarting] = useState(false)
  const shown = place.value.query?.show === 'all' ? 'all' : 'open'
  const board = useSessionBoard(shown === 'all')
  const state = board.state.value
  const failure = board.failure.value
  const seen = board.progress.value
  return (
    <div class="record sessions">
      <header class="record-head">
        <PageHeading>{shell.pages.sessions}</PageHeading>
        {state.kind === 'absent' ? null : (
          <>
            <Tabs
              label={own.show}
              tabs={(['open', 'all'] as const).map((name) => [name, own.shown[name]] as const)}
              chosen={shown}
              choose={(name) =>
                adjust({ page: 'sessions', ...(name === 'open' ? {} : { query: { show: name } }) })
              }
            />
            <button type="button" class="primary" onClick={() => setStarting(true)}>
              {own.fresh.button}
            </button>
          </>
        )}
      </header>
      {state.kind === 'absent' ? <NoSecretary /> : <p class="hint">{own.about}</p>}
      {failure === undefined ? null : (
        <div class="load-failed">
          <FailureNote error={failure} />
          {state.kind === 'listed' ? <p class="hint">{own.lost}</p> : null}
          <button type="button" onClick={() => void board.refresh()}>
            {words.login.again}
          </button>
        </div>
      )}
      {state.kind === 'loading' && failure === undefined ? (
        <p class="hint centre" role="status">
          {words.loading}
        </p>
      ) : null}
      {state.kind !== 'listed' ? null : state.sessions.length === 0 ? (
        <p class="hint centre">{own.nothing[shown]}</p>
      ) : (
        <ul class="cards">
          {state.sessions.map((session, place) => (
            <SessionCard
              key={session.id}
              session={session}
              seen={seen.get(session.id)}
              place={place}
              changed={() => void board.refresh()}
            />
          ))}
        </ul>
      )}
      {isStarting ? <NewSessionSheet close={() => setStarting(false)} /> : null}
    </div>
  )
}
