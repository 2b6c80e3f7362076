import { useState } from 'preact/hooks'
import type { WireRequest } from '../../../src/client/index.ts'
import { gistOf } from '../model/gist.ts'
import { visible } from '../model/visible-line.ts'
import { inOrder } from '../parts/in-order.tsx'
import { useInbox, useOwnWords, useSpeech } from '../shell/context.ts'
import { PENDING_WORDS } from './words.ts'

/** What somebody put off: out of the way, and not out of reach. */
export function SnoozedList({ requests }: { requests: readonly WireRequest[] }) {
  const { snoozed, open } = useInbox()
  const { time } = useSpeech()
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
              <strong>{inOrder(visible(request.tool))}</strong>
              <span class="gist">{inOrder(gistOf(request))}</span>
              <span class="hint">{time(snoozed.until.value.get(request.id) ?? 0)}</span>
            </button>
            <button type="button" class="quiet" onClick={() => snoozed.wake(request.id)}>
              {words.wake}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
