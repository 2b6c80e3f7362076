import type { WireSession } from '../../../../../src/client/index.ts'
import { saySessionState } from '../../../../../src/display/words/session-states.ts'
import { useLocale } from '../../../context/context.ts'
import type { WaitingInSession } from '../../chat/model/conversation-list.ts'

export interface ConnectedStateTagProps {
  session: Pick<WireSession, 'ended'>
  /** Undefined where no request of it is pending. */
  waiting: WaitingInSession | undefined
}

/** Whether the session waits for somebody or has ended. What it does otherwise, only its own machine knows. */
export function ConnectedStateTag({ session: { ended }, waiting }: ConnectedStateTagProps) {
  const locale = useLocale()
  if (ended === undefined && waiting === undefined) return null
  const state = ended === undefined ? 'waiting' : 'ended'
  return (
    <span class={`tag session-state is-${state}`}>{saySessionState(state, locale, waiting?.waitsFor)}</span>
  )
}
