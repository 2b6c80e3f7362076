import { useMemo } from 'preact/hooks'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { HISTORY_WORDS } from '../words/history-words.ts'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { countFilters, type HistoryFilters, readFilters, toHistoryQuery, writeFilters } from './filters.ts'
import { PastCalls, usePastCalls } from './past-calls.tsx'

/** Every call, the newest first, as far as the filters let it through. */
export function CallsTab() {
  const { place, adjust } = useInbox()
  const words = useOwnWords(HISTORY_WORDS)
  const filters = readFilters(place.value.query)
  const key = JSON.stringify(filters)
  const query = useMemo(() => toHistoryQuery(filters), [key])
  const past = usePastCalls(key, query)

  const { items, cursor } = past.state.value
  const set = (next: HistoryFilters) => adjust({ ...place.value, query: writeFilters(next) })
  const isFiltered = countFilters(filters) > 0
  return (
    <>
      <FilterBar filters={filters} set={set} items={items} />
      <PastCalls
        past={past}
        nothing={isFiltered ? (cursor === undefined ? words.nothingFound : words.nothing) : words.nothingYet}
      >
        {items.length === 0 ? null : <ExportButton key={key} query={query} />}
      </PastCalls>
    </>
  )
}
