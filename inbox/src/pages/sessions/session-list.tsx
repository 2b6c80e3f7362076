import { useState } from 'preact/hooks'
import type { WireSessionOffers } from '../../../../src/client/index.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useLoaded } from '../../components/use-loaded.ts'
import { useInbox, useOwnWords, useWords } from '../../context/context.ts'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { SessionCard } from './card/session-card.tsx'
import './connected/connected.css'
import { ConnectedList } from './connected/connected-list.tsx'
import type { BoardChoice } from './model/session-board.ts'
import { NewSessionSheet } from './new-session/new-session-sheet.tsx'
import { NoSecretary } from './no-secretary.tsx'
import { useSessionBoard } from './use-session-board.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** One card a session, the newest activity first; then the sessions of connected agents. Where the server has no coding sessions, what they are. */
export function SessionList() {
  const { client } = useInbox()
  const shell = useOwnWords(SHELL_WORDS)
  const offers = useLoaded('offers', async (signal) => ({ found: await client.secretary({ signal }) }))
  if (offers.value !== undefined && offers.value.found === undefined) {
    return (
      <div class="record sessions">
        <header class="record-head">
          <PageHeading>{shell.pages.sessions}</PageHeading>
        </header>
        <ConnectedList />
        <NoSecretary />
      </div>
    )
  }
  return <ListedSessions offers={offers.value?.found} />
}

/** `offers`: undefined until they are here. */
function ListedSessions({ offers }: { offers: WireSessionOffers | undefined }) {
  const { place, adjust, identity } = useInbox()
  const words = useWords()
  const own = useOwnWords(SESSIONS_WORDS)
  const shell = useOwnWords(SHELL_WORDS)
  const [isStarting, setStarting] = useState(false)
  const choices: readonly BoardChoice[] =
    identity.role === 'admin' ? ['open', 'all', 'everyone'] : ['open', 'all']
  const shown = choices.find((each) => each === place.value.query?.show) ?? 'open'
  const board = useSessionBoard(shown)
  const sessions = board.sessions.value
  const failure = board.failure.value
  const seen = board.progress.value
  return (
    <div class="record sessions">
      <header class="record-head">
        <PageHeading>{shell.pages.sessions}</PageHeading>
        <Tabs
          label={own.show}
          tabs={choices.map((name) => [name, own.shown[name]] as const)}
          chosen={shown}
          choose={(name) =>
            adjust({ page: 'sessions', ...(name === 'open' ? {} : { query: { show: name } }) })
          }
        />
        <button
          type="button"
          class="primary"
          disabled={offers === undefined}
          onClick={() => setStarting(true)}
        >
          {own.fresh.button}
        </button>
      </header>
      <p class="hint">{own.about}</p>
      {failure === undefined ? null : (
        <div class="load-failed">
          <FailureNote error={failure} />
          {sessions === undefined ? null : <p class="hint">{own.lost}</p>}
          <button type="button" onClick={() => void board.refresh()}>
            {words.login.again}
          </button>
        </div>
      )}
      {sessions === undefined && failure === undefined ? (
        <p class="hint centre" role="status">
          {words.loading}
        </p>
      ) : null}
      {sessions === undefined ? null : sessions.length === 0 ? (
        <p class="hint centre">{own.nothing[shown]}</p>
      ) : (
        <ul class="cards">
          {sessions.map((session, at) => (
            <SessionCard
              key={session.id}
              session={session}
              seen={seen.get(session.id)}
              place={at}
              changed={() => void board.refresh()}
            />
          ))}
        </ul>
      )}
      <ConnectedList />
      {isStarting && offers !== undefined ? (
        <NewSessionSheet offers={offers} close={() => setStarting(false)} />
      ) : null}
    </div>
  )
}
