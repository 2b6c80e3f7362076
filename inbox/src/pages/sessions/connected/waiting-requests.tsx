import { useRef } from 'preact/hooks'
import type { WireRequest } from '../../../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { useDecisionKeys } from '../../chat/conversation/use-decision-keys.ts'
import { PendingCall } from '../../chat/transcript/pending-call.tsx'
import { CONNECTED_WORDS } from './words.ts'

/** Each is fetched whole; the rest is in the inbox. */
const MOST_CARDS = 5

/**
 * The pending requests of a session, decided where they stand. One that was decided stays, with what became of it, as long as somebody
 * looks: so no other comes under a finger in its place. New ones come below.
 */
export function WaitingRequests({ session }: { session: string }) {
  const { pending, go } = useInbox()
  const own = useOwnWords(CONNECTED_WORDS)
  const waiting = pending.value.filter((request) => request.session === session)
  const shown = useShownIds(waiting)
  const more = waiting.filter(({ id }) => !shown.includes(id)).length
  useDecisionKeys()
  return (
    <section class="connected-waits" aria-labelledby="connected-waits">
      <h3 id="connected-waits">{waiting.length === 0 ? own.nothingWaits : own.waiting(waiting.length)}</h3>
      {shown.map((id) => (
        <div
          key={id}
          class={waiting.some((request) => request.id === id) ? 'call-card stage-waiting' : 'call-card'}
          tabIndex={-1}
          data-near
        >
          <PendingCall id={id} />
        </div>
      ))}
      {more === 0 ? null : (
        <button type="button" onClick={() => go({ page: 'pending' })}>
          {own.moreWaiting(more)}
        </button>
      )}
    </section>
  )
}

/** At most so many of them are open at a time; the ones that are decided don't count. */
function useShownIds(waiting: readonly WireRequest[]): readonly string[] {
  const kept = useRef<readonly string[]>([])
  const open = waiting.filter(({ id }) => kept.current.includes(id)).length
  const fresh = waiting
    .filter(({ id }) => !kept.current.includes(id))
    .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
    .slice(0, Math.max(0, MOST_CARDS - open))
    .map(({ id }) => id)
  if (fresh.length > 0) kept.current = [...kept.current, ...fresh]
  return kept.current
}
