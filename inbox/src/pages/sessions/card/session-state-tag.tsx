import { saySessionState } from '../../../../../src/display/words/session-states.ts'
import { useLocale, useOwnWords } from '../../../context/context.ts'
import { now } from '../../../model/browser/now.ts'
import { type CodingRow, isAtWork, type SeenProgress } from '../model/session-board.ts'
import { turnLasts } from '../model/session-doing.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

/** What the session is doing in a word, a sign and a colour; and for how long, where a turn runs. */
export function SessionStateTag({ session, seen }: { session: CodingRow; seen: SeenProgress | undefined }) {
  const { state, waitsFor } = session.coding
  const locale = useLocale()
  const own = useOwnWords(SESSIONS_WORDS)
  const ms = isAtWork(session) ? turnLasts(seen, now.value) : undefined
  return (
    <span class={`tag session-state is-${state}`}>
      {saySessionState(state, locale, waitsFor)}
      {ms === undefined ? null : <span class="session-lasts"> · {own.lasting(ms)}</span>}
    </span>
  )
}
