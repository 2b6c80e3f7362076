import { useInbox, useWords } from '../context/context.ts'
import { RecentRow } from './recent-row.tsx'

/** What was decided or is over, the latest first. */
export function RecentList() {
  const requests = useInbox().recent.value
  const words = useWords()
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">{words.recent}</h2>
      {requests.length === 0 ? (
        <p class="hint">{words.nothingRecent}</p>
      ) : (
        <ul class="rows">
          {requests.map((request) => (
            <RecentRow key={request.id} request={request} />
          ))}
        </ul>
      )}
    </section>
  )
}
