import { useEffect, useMemo } from 'preact/hooks'
import { FailureNote } from '../../../components/failure-note.tsx'
import { useThrottledRun } from '../../../components/use-throttled-run.ts'
import { useInbox, useLanguage, useOwnWords, useWords } from '../../../context/context.ts'
import { HISTORY_WORDS } from '../words/history-words.ts'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { countFilters, type HistoryFilters, readFilters, toHistoryQuery, writeFilters } from './filters.ts'
import { createHistoryList, historyItemId } from './history-list.ts'
import { HistoryRow } from './history-row.tsx'

/** Every call, the newest first, as far as the filters let it through. */
export function CallsTab() {
  const { client, live, place, adjust, leave } = useInbox()
  const words = useOwnWords(HISTORY_WORDS)
  const shared = useWords()
  const { time } = useLanguage()
  const filters = readFilters(place.value.query)
  const key = JSON.stringify(filters)
  const query = useMemo(() => toHistoryQuery(filters), [key])
  const past = useMemo(() => createHistoryList({ client, query, onRefused: leave }), [key])
  useEffect(() => {
    void past.more()
    return past.close
  }, [past])
  useThrottledRun(`${live.board.changes.value} ${live.settled.value[0]?.id}`, () => void past.look())

  const { items, fresh, isFarBehind, isLoading, error, cursor, looked, back } = past.state.value
  const set = (next: HistoryFilters) => adjust({ ...place.value, query: writeFilters(next) })
  const isFiltered = countFilters(filters) > 0
  const isNothing = !isLoading && error === undefined && items.length === 0
  return (
    <>
      <FilterBar filters={filters} set={set} items={items} />
      {fresh.length === 0 ? null : (
        <button type="button" class="fresh" onClick={past.takeFresh}>
          {words.fresh(fresh.length, isFarBehind)}
        </button>
      )}
      {isNothing && !isFiltered ? <p class="hint">{words.nothingYet}</p> : null}
      {isNothing && isFiltered ? (
        <p class="hint">{cursor === undefined ? words.nothingFound : words.nothing}</p>
      ) : null}
      <ul class="rows">
        {items.map((item) => (
          <HistoryRow key={historyItemId(item)} item={item} />
        ))}
      </ul>
      {error === undefined ? null : <FailureNote error={error} />}
      <div class="record-foot">
        <p class="hint" role="status">
          {isLoading
            ? shared.loading
            : looked === 0
              ? ''
              : words.looked(looked, back === undefined ? undefined : time(back))}
          {!isLoading && error === undefined && looked > 0 && cursor === undefined ? ` ${words.whole}` : ''}
        </p>
        {cursor !== undefined || error !== undefined ? (
          <button type="button" disabled={isLoading} onClick={() => void past.more()}>
            {error === undefined ? words.more : shared.login.again}
          </button>
        ) : null}
        {items.length === 0 ? null : <ExportButton key={key} query={query} />}
      </div>
    </>
  )
}
