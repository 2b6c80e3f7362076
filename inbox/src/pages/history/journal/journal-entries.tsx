import { useState } from 'preact/hooks'
import { LoadState } from '../../../components/load-state.tsx'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { useLoaded } from '../../../components/use-loaded.ts'
import { useInbox, useLanguage, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { ENTRY_WORDS } from '../words/entry-words.ts'
import { JOURNAL_WORDS } from '../words/journal-words.ts'
import { entriesUpTo, type ReadEntry, readEntry } from './journal-entry.ts'

export interface JournalEntriesProps {
  chain: string
  last: number
  to: number | undefined
  /** Without a number: the newest. */
  show(to?: number): void
  /** Looks how long the chains are now. */
  again(): void
}

const PAGE = 50

/** The entries of one chain, a page at a time. */
export function JournalEntries({ chain, last, to, show, again }: JournalEntriesProps) {
  const { client } = useInbox()
  const words = useOwnWords(JOURNAL_WORDS)
  const range = entriesUpTo(last, to, PAGE)
  const limit = range.to - range.after
  const loaded = useLoaded(JSON.stringify([chain, range]), async (signal) => {
    if (limit === 0) return []
    const { items } = await client.journal({ chain, after: range.after, limit }, { signal })
    return items.map(readEntry).reverse()
  })
  const newest = () => {
    again()
    show()
  }
  return (
    <section class="entries" aria-labelledby="entries">
      <h3 id="entries">{words.entries(range.after + 1, range.to, last)}</h3>
      <LoadState of={loaded} />
      <ul class="entry-list">
        {(loaded.value ?? []).map((entry) => (
          <Entry key={entry.n} entry={entry} />
        ))}
      </ul>
      <div class="pager">
        <button type="button" onClick={newest}>
          {words.newest}
        </button>
        <button
          type="button"
          disabled={range.to >= last}
          onClick={() => show(Math.min(last, range.to + PAGE))}
        >
          {words.newer}
        </button>
        <button type="button" disabled={range.after === 0} onClick={() => show(range.after)}>
          {words.older}
        </button>
      </div>
    </section>
  )
}

function Entry({ entry: { n, type, at, request, text } }: { entry: ReadEntry }) {
  const { go } = useInbox()
  const words = useOwnWords(JOURNAL_WORDS)
  const types: Readonly<Record<string, string>> = useOwnWords(ENTRY_WORDS)
  const { time } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-row>
          <span class="entry-number">{n}</span>
          <span class="entry-type" title={visible(type)}>
            {Object.hasOwn(types, type) ? types[type] : visible(type)}
          </span>
          {request === undefined ? null : (
            <code class="entry-request">{isolateRightToLeft(visible(request))}</code>
          )}
          {at === undefined ? null : <time dateTime={at}>{time(at)}</time>}
        </summary>
        {isOpen ? (
          <>
            <pre class="json" dir="ltr">
              {isolateRightToLeft(text)}
            </pre>
            {request === undefined ? null : (
              <button type="button" class="quiet" onClick={() => go({ page: 'history', id: request })}>
                {words.request}
              </button>
            )}
          </>
        ) : null}
      </details>
    </li>
  )
}
