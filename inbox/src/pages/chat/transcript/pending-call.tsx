import { useEffect, useMemo } from 'preact/hooks'
import { FailureNote } from '../../../components/failure-note.tsx'
import { useInbox, useOwnWords, useWords } from '../../../context/context.ts'
import { createRequestViews } from '../../../model/requests/request-views.ts'
import { useRequestCard } from '../../../request/use-request-card.ts'
import { SHELL_WORDS } from '../../../words/shell-words.ts'

/** A call that waits for a person, whole, with the answers below it. It appears without taking the focus. */
export function PendingCall({ id }: { id: string }) {
  const { client, live, leave } = useInbox()
  const words = useWords()
  const { pageFailed } = useOwnWords(SHELL_WORDS)
  const views = useMemo(
    () => createRequestViews({ client, live, id: () => id, onRefused: leave }),
    [client, live, id],
  )
  useEffect(() => views.close, [views])
  const opened = views.opened.value
  const shown = useRequestCard()
  return (
    <div class="ask">
      {opened.kind === 'view' && shown.kind === 'here' ? (
        <shown.part view={opened.view} isCurrent={opened.isCurrent} isElsewhere />
      ) : shown.kind === 'failed' ? (
        <>
          <p class="note failure">{pageFailed}</p>
          <button type="button" onClick={shown.again}>
            {words.login.again}
          </button>
        </>
      ) : opened.kind === 'failed' ? (
        <>
          <FailureNote error={opened.error} />
          <button type="button" onClick={views.again}>
            {words.login.again}
          </button>
        </>
      ) : (
        <p class="hint" role="status">
          {opened.kind === 'missing' ? words.notThere : words.loading}
        </p>
      )}
    </div>
  )
}
