import { LoadState } from '../../../components/load-state.tsx'
import { useLoaded } from '../../../components/use-loaded.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { JOURNAL_WORDS } from '../words/journal-words.ts'
import { ExportJournal } from './export-journal.tsx'
import { JournalEntries } from './journal-entries.tsx'
import { Verification } from './verification.tsx'

/** The record of all that happened, to be read, verified and taken away. */
export function JournalTab() {
  const { client, place, adjust } = useInbox()
  const words = useOwnWords(JOURNAL_WORDS)
  const loaded = useLoaded('chains', (signal) => client.chains({ signal }))
  // The store lists them as they were begun: the one that is being written comes first here.
  const chains = loaded.value?.items.toReversed() ?? []
  const { chain: wanted, to } = place.value.query ?? {}
  const chosen = chains.find(({ chain }) => chain === wanted) ?? chains[0]
  const show = (chain: string, upTo?: number) =>
    adjust({
      page: 'history',
      query: { tab: 'journal', chain, ...(upTo === undefined ? {} : { to: String(upTo) }) },
    })
  return (
    <div class="journal">
      <p class="hint">{words.about}</p>
      <div class="journal-tools">
        <Verification show={show} />
        <ExportJournal />
      </div>
      <LoadState of={loaded} />
      {loaded.value !== undefined && chosen === undefined ? <p class="hint">{words.nothingYet}</p> : null}
      {chosen === undefined ? null : (
        <div class="journal-columns">
          <section aria-labelledby="chains">
            <h3 id="chains">{words.chains}</h3>
            <ul class="chain-list">
              {chains.map(({ chain, last }) => (
                <li key={chain}>
                  <button
                    type="button"
                    data-row
                    aria-current={chain === chosen.chain}
                    onClick={() => show(chain)}
                  >
                    <code>{visible(chain)}</code>
                    <span class="hint">{words.chain(last)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
          <JournalEntries
            chain={chosen.chain}
            last={chosen.last}
            to={to === undefined ? undefined : Number(to)}
            show={(upTo) => show(chosen.chain, upTo)}
            again={loaded.again}
          />
        </div>
      )}
    </div>
  )
}
