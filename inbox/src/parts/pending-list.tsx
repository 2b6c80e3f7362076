import { useInbox, useWords } from './context.ts'
import { RequestRow } from './request-row.tsx'

/** What waits for somebody, the one with the least time left first. */
export function PendingList() {
  const { pending, live } = useInbox()
  const words = useWords()
  const requests = pending.value
  return (
    <section aria-labelledby="pending">
      <h2 id="pending">
        {words.pending} {requests.length === 0 ? null : <span class="count">{requests.length}</span>}
      </h2>
      {requests.length > 0 ? (
        <ul class="rows">
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </ul>
      ) : (
        <p class="hint">{live.isListed.value ? words.nothingPending : words.loading}</p>
      )}
      {live.hasMore.value ? <p class="hint">{words.morePending}</p> : null}
    </section>
  )
}
