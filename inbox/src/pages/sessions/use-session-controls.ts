/** What a person does with one session on the page, until they leave it. */
import { useEffect, useMemo } from 'preact/hooks'
import { useInbox } from '../../context/context.ts'
import { createSessionControls, type SessionControls } from '../chat/model/session-controls.ts'

/** `closed`: aborts when the person has left. */
export function useSessionControls(session: string): { controls: SessionControls; closed: AbortSignal } {
  const { client, identity, leave } = useInbox()
  const closing = useMemo(() => new AbortController(), [])
  useEffect(() => () => closing.abort(), [])
  const { signal: closed } = closing
  const { subject } = identity
  const controls = useMemo(
    () => createSessionControls({ client, session, subject, closed, onRefused: leave }),
    [client, session],
  )
  return { controls, closed }
}
