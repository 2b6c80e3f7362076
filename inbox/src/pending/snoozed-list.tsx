import { useState } from 'preact/hooks'
import type { WireRequest } from '../../../src/client/index.ts'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { useInbox, useLanguage, useOwnWords } from '../context/context.ts'
import { requestTitle } from '../model/requests/request-title.ts'
import { PENDING_WORDS } from './words.ts'

/** What somebody put off: out of the way, and not out of reach. */
export function SnoozedList({ requests }: { requests: readonly WireRequest[] }) {
  const { snoozed, open } = useInbox()
  const { time } = useLanguage()
  const words = useOwnWords(PENDING_WORDS)
  const [isOpen, setOpen] = useState(false)
  if (requests.length === 0) return null
  return (
    <details class="snoozed" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.snoozed(requests.length)}</summary>
      <ul>
        {requests.map((request) => (
          <li key={request.id}>
            <button type="button" class="row is-flat" onClick={() => open(request.id)}>
              <strong>{isolateRightToLeft(requestTitle(request))}</strong>
              <span class="hint">{time(snoozed.until.value.get(request.id) ?? 0)}</span>
            </button>
            <button type="button" class="quiet" onClick={() => snoozed.wake(request.id)}>
              {words.bringBack}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
