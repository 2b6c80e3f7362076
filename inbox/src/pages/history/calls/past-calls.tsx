import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { HistoryQuery } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { useThrottledRun } from '../../../components/use-throttled-run.ts'
import { useInbox, useLanguage, useOwnWords, useWords } from '../../../context/context.ts'
import { HISTORY_WORDS } from '../words/history-words.ts'
import { createHistoryList, type HistoryList, historyItemId } from './history-list.ts'
import { HistoryRow } from './history-row.tsx'

/** The calls that match the query, which `key` stands for, while somebody looks at them. */
export function usePastCalls(key: string, query: HistoryQuery): HistoryList {
  const { client, live, leave } = useInbox()
  const past = useMemo(() => createHistoryList({ client, query, onRefused: leave }), [key])
  useEffect(() => {
    void past.more()
    return past.close
  }, [past])
  useThrottledRun(`${live.board.changes.value} ${live.settled.value[0]?.id}`, () => void past.look())
  return past
}

export interface PastCallsProps {
  past: HistoryList
  /** Said where there is none. */
  nothing: string
  /** What stands beside the way to more. */
  children?: ComponentChildren
}

/** Calls of the past, the newest first, and the way to those before them. */
export function PastCalls({ past, nothing, children }: PastCallsProps) {
  const words = useOwnWords(HISTORY_WORDS)
  const shared = useWords()
  const { time } = useLanguage()
  const { items, fresh, isFarBehind, isLoading, error, cursor, looked, back } = past.state.value
  const isNothing = !isLoading && error === undefined && items.length === 0
  return (
    <>
      {fresh.length === 0 ? null : (
        <button type="button" class="fresh" onClick={past.takeFresh}>
          {words.fresh(fresh.length, isFarBehind)}
        </button>
      )}
      {isNothing ? <p class="hint">{nothing}</p> : null}
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
        {children}
      </div>
    </>
  )
}
