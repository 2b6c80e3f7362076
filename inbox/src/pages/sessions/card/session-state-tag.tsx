import { saySessionState } from '../../../../../src/display/words/session-states.ts'
import { useInbox, useLocale, useOwnWords } from '../../../context/context.ts'
import { now } from '../../../model/browser/now.ts'
import { waitingBySession } from '../../chat/model/conversation-list.ts'
import { type CodingRow, isAtWork, type SeenProgress } from '../model/session-board.ts'
import { turnLasts } from '../model/session-doing.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

/** What the session is doing in a word, a sign and a colour; and for how long, where a turn runs. */
export function SessionStateTag({ session, seen }: { session: CodingRow; seen: SeenProgress | undefined }) {
  const { id, coding } = session
  const { state } = coding
  const { pending } = useInbox()
  const locale = useLocale()
  const own = useOwnWords(SESSIONS_WORDS)
  const isForYou = state === 'waiting' && waitingBySession(pending.value).has(id)
  const ms = isAtWork(session) ? turnLasts(seen, now.value) : undefined
  return (
    <span class={`tag session-state is-${state}`}>
      {isForYou ? own.needsYou : saySessionState(state, locale)}
      {ms === undefined ? null : <span class="session-lasts"> · {own.lasting(ms)}</span>}
    </span>
  )
}
