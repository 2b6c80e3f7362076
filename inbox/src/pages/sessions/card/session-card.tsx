import { useState } from 'preact/hooks'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { useArmed } from '../../../components/use-armed.ts'
import { whenArmed } from '../../../components/when-armed.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { FailedActionNote } from '../../chat/conversation/failed-action-note.tsx'
import { MessageBox } from '../../chat/conversation/message-box.tsx'
import { type CodingRow, isAtWork, type SeenProgress } from '../model/session-board.ts'
import { useSessionControls } from '../use-session-controls.ts'
import { SESSIONS_WORDS } from '../words/words.ts'
import { LastWords } from './last-words.tsx'
import { ModeButton } from './mode-button.tsx'
import { SessionButtons } from './session-buttons.tsx'
import { SessionDoingLine } from './session-doing-line.tsx'
import { SessionStateTag } from './session-state-tag.tsx'
import { SessionUsed } from './session-used.tsx'
import { ToolLines } from './tool-lines.tsx'
import { WaitingFor } from './waiting-for.tsx'

export interface SessionCardProps {
  session: CodingRow
  seen: SeenProgress | undefined
  /** In the list: what moves takes no clicks for a moment. */
  place: number
  /** Something was done to it. */
  changed(): void
}

/** One coding session: what it does, what it said, what it waits for, and what can be done with it. */
export function SessionCard({ session, seen, place, changed }: SessionCardProps) {
  const { client, identity, go } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS)
  const isArmed = useArmed(`${place} ${session.coding.state === 'waiting'}`)
  const [isWriting, setWriting] = useState(false)
  const [isSending, setSending] = useState(false)
  const { id, owner } = session
  const { folder, state, title } = session.coding
  const { controls, closed } = useSessionControls(id)

  async function say(text: string): Promise<boolean> {
    setSending(true)
    const wasHeard = await controls.attempt('say', async () => {
      await client.say(id, text, { signal: closed })
    })
    setSending(false)
    if (wasHeard) {
      setWriting(false)
      changed()
    }
    return wasHeard
  }

  return (
    <li class={`card session is-${state}`} data-session={id}>
      <div class="card-head">
        <h3 class="session-title">
          <button
            type="button"
            class="as-link"
            data-row
            dir="auto"
            onClick={() => whenArmed(isArmed, () => go({ page: 'sessions', id }))}
          >
            {title === undefined ? own.untitled : visible(title)}
          </button>
        </h3>
        <SessionStateTag session={session} seen={seen} />
      </div>
      <div class="session-place">
        <code class="session-folder" dir="ltr">
          {isolateRightToLeft(visible(folder))}
        </code>
        {owner === identity.subject ? null : <span>{own.owner(visible(owner))}</span>}
        {state === 'ended' ? null : (
          <ModeButton session={session} controls={controls} isArmed={isArmed} changed={changed} />
        )}
      </div>
      <SessionDoingLine session={session} seen={seen} />
      <WaitingFor seen={seen} isArmed={isArmed} changed={changed} />
      <LastWords seen={seen} />
      <ToolLines seen={seen} />
      <SessionUsed seen={seen} />
      <FailedActionNote controls={controls} of={['say', 'stop', 'close']} />
      {isWriting ? (
        <MessageBox
          session={id}
          isRunning={isAtWork(session)}
          isSending={isSending}
          isWanted
          whenBusy="interrupt"
          say={say}
        />
      ) : null}
      <SessionButtons
        session={session}
        controls={controls}
        isArmed={isArmed}
        isWriting={isWriting}
        write={() => setWriting(!isWriting)}
        changed={changed}
      />
    </li>
  )
}
