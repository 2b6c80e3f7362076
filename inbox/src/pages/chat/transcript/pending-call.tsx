import { useEffect, useMemo } from 'preact/hooks'
import { FailureNote } from '../../../components/failure-note.tsx'
import { useInbox, useWords } from '../../../context/context.ts'
import { createRequestViews } from '../../../model/requests/request-views.ts'
import { RequestCard } from '../../../request/request-card.tsx'

/** A call that waits for a person, whole, with the answers below it. It appears without taking the focus. */
export function PendingCall({ id }: { id: string }) {
  const { client, live, leave } = useInbox()
  const words = useWords()
  const views = useMemo(
    () => createRequestViews({ client, live, id: () => id, onRefused: leave }),
    [client, live, id],
  )
  useEffect(() => views.close, [views])
  const opened = views.opened.value
  return (
    <div class="ask">
      {opened.kind === 'view' ? (
        <RequestCard view={opened.view} isCurrent={opened.isCurrent} isElsewhere />
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
