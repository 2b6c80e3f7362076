import { saySessionState } from '../../../../../src/display/words/session-states.ts'
import { useInbox, useLocale, useOwnWords } from '../../../context/context.ts'
import { now } from '../../../model/browser/now.ts'
import { waitingBySession } from '../../chat/model/conversation-list.ts'
import type { SeenProgress } from '../model/session-board.ts'
import { turnLasts } from '../model/session-doing.ts'
import type { WireCodingSession } from '../model/session-wire.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

/** What the session is doing in a word, a sign and a colour; and for how long, where a turn runs. */
export function SessionStateTag({
  session: { id, state },
  seen,
}: {
  session: WireCodingSession
  seen: SeenProgress | undefined
}) {
  const { pending } = useInbox()
  const locale = useLocale()
  const own = useOwnWords(SESSIONS_WORDS)
  const isForYou = state === 'waiting' && waitingBySession(pending.value).has(id)
  const isAtWork = state === 'running' || state === 'waiting'
  const ms = isAtWork ? turnLasts(seen, now.value) : undefined
  return (
    <span class={`tag session-state is-${state}`}>
      {isForYou ? own.waitsForYou : saySessionState(state, locale)}
      {ms === undefined ? null : <span class="session-lasts"> · {own.lasting(ms)}</span>}
    </span>
  )
}
