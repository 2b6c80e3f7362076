import { useInbox } from '../../context/context.ts'
import '../chat/chat.css'
import '../chat/transcript/transcript.css'
import '../../style/record.css'
import './sessions.css'
import { OpenedSession } from './opened-session.tsx'
import { SessionList } from './session-list.tsx'

/** Coding sessions: a card each, or the conversation of the one that is open. */
export function SessionsPage() {
  const { place } = useInbox()
  const { id } = place.value
  return id === undefined ? <SessionList /> : <OpenedSession key={id} session={id} />
}
