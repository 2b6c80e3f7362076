import { useEffect, useState } from 'preact/hooks'
import type { ClientError, WireGrant } from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { LoadState } from '../../components/load-state.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useLoaded } from '../../components/use-loaded.ts'
import { useThrottledRun } from '../../components/use-throttled-run.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { now } from '../../model/browser/now.ts'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { GrantCard } from './grant-card.tsx'
import { GRANT_FILTERS, grantListOf, readGrantFilter } from './grant-list.ts'
import { useRevoke } from './use-revoke.ts'
import { GRANTS_WORDS } from './words.ts'
import '../../style/record.css'
import './grants.css'

const PAGE = 200
/** So many pages are read again when something has changed. */
const MOST_PAGES = 20

/** The ledger: what runs without asking because somebody said so, and the way to take it back. */
export function GrantsPage() {
  const { client, live, place, adjust } = useInbox()
  const words = useOwnWords(GRANTS_WORDS)
  const shell = useOwnWords(SHELL_WORDS)
  const [pages, setPages] = useState(1)
  const loaded = useLoaded(String(pages), (signal) => readPages(client, pages, signal), { keep: true })
  const { revoke, revoking, failures } = useRevoke(loaded)
  useThrottledRun(`${live.board.changes.value} ${live.settled.value[0]?.id}`, loaded.again)
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && loaded.again()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])

  const shown = readGrantFilter(place.value.query?.show)
  const lines = grantListOf(loaded.value?.items ?? [], shown, now.value)
  return (
    <div class="record grants">
      <header class="record-head">
        <PageHeading>{shell.pages.grants}</PageHeading>
        <Tabs
          label={words.show}
          tabs={GRANT_FILTERS.map((name) => [name, words.shown[name]] as const)}
          chosen={shown}
          choose={(name) => adjust({ page: 'grants', ...(name === 'live' ? {} : { query: { show: name } }) })}
        />
      </header>
      <p class="hint">{words.about}</p>
      <LoadState of={loaded} />
      {loaded.value !== undefined && lines.length === 0 ? (
        <p class="hint centre">{words.nothing[shown]}</p>
      ) : null}
      <ul class="cards">
        {lines.map((line) => (
          <GrantCard
            key={line.grant.id}
            line={line}
            isRevoking={revoking.has(line.grant.id)}
            notice={noticeOf(failures.get(line.grant.id))}
            revoke={() => void revoke(line.grant)}
          />
        ))}
      </ul>
      {loaded.value?.cursor === undefined ? null : (
        <button type="button" disabled={loaded.isLoading} onClick={() => setPages((count) => count + 1)}>
          {words.more}
        </button>
      )}
    </div>
  )
}

async function readPages(
  client: ReturnType<typeof useInbox>['client'],
  pages: number,
  signal: AbortSignal,
): Promise<{ items: WireGrant[]; cursor?: string }> {
  const items: WireGrant[] = []
  let cursor: string | undefined
  for (let page = 0; page < Math.min(pages, MOST_PAGES); page++) {
    const answer = await client.grants({ limit: PAGE, ...defined({ cursor }) }, { signal })
    items.push(...answer.items)
    cursor = answer.cursor
    if (cursor === undefined) return { items }
  }
  return { items, ...(cursor === undefined || pages >= MOST_PAGES ? {} : { cursor }) }
}

function noticeOf(error: ClientError | undefined) {
  return error === undefined ? null : <FailureNote error={error} />
}
