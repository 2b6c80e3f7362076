import { useInbox, useOwnWords } from '../context/context.ts'
import { RecentRow } from './recent-row.tsx'
import { PENDING_WORDS } from './words.ts'

/** Calls that were lost while they ran: only a person can find out what became of them. */
export function UnsettledList() {
  const requests = useInbox().unsettled.value
  const words = useOwnWords(PENDING_WORDS).unsettled
  if (requests.length === 0) return null
  return (
    <section aria-labelledby="unsettled">
      <h2 id="unsettled" tabIndex={-1}>
        {words.title} <span class="count">{requests.length}</span>
      </h2>
      <p class="hint">{words.hint}</p>
      <ul class="rows">
        {requests.map((request) => (
          <RecentRow key={request.id} request={request} />
        ))}
      </ul>
    </section>
  )
}

/** In the line of the heading, so that nothing moves when a call is lost; the calls themselves stand below the list. */
export function UnsettledLink() {
  const { unsettled } = useInbox()
  const words = useOwnWords(PENDING_WORDS).unsettled
  const count = unsettled.value.length
  if (count === 0) return null
  const show = () => {
    const heading = document.getElementById('unsettled')
    heading?.scrollIntoView({ block: 'start' })
    heading?.focus({ preventScroll: true })
  }
  return (
    <button type="button" class="chip unsettled-link" onClick={show}>
      {words.link(count)}
    </button>
  )
}
