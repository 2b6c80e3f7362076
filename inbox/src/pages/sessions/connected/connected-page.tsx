import { useMemo, useState } from 'preact/hooks'
import type { ClientError, WireSession } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { PageHeading } from '../../../components/page-heading.tsx'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { TwoStepButton } from '../../../components/two-step-button.tsx'
import { useArmed } from '../../../components/use-armed.ts'
import { whenArmed } from '../../../components/when-armed.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { FailedActionNote } from '../../chat/conversation/failed-action-note.tsx'
import { waitingBySession } from '../../chat/model/conversation-list.ts'
import { modeNamed } from '../../chat/model/session-modes.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'
import { PastCalls, usePastCalls } from '../../history/calls/past-calls.tsx'
import '../../history/history.css'
import { ModeButton } from '../card/mode-button.tsx'
import { useSessionControls } from '../use-session-controls.ts'
import { SESSIONS_WORDS } from '../words/words.ts'
import './connected.css'
import { ConnectedFacts } from './connected-facts.tsx'
import { ConnectedStateTag } from './connected-state-tag.tsx'
import { SessionGrants } from './session-grants.tsx'
import { WaitingRequests } from './waiting-requests.tsx'
import { CONNECTED_WORDS } from './words.ts'

export interface ConnectedPageProps {
  session: WireSession
  /** Why it could not be read again. */
  failure: ClientError | undefined
  refresh(): void
}

/** A session without a conversation of ours: whose it is, what waits in it, what it did and what was decided, and its end. */
export function ConnectedPage({ session, failure, refresh }: ConnectedPageProps) {
  const { shut, pending } = useInbox()
  const sessions = useOwnWords(SESSIONS_WORDS)
  const own = useOwnWords(CONNECTED_WORDS)
  const { id, owner } = session
  const query = useMemo(() => ({ session: id }), [id])
  const past = usePastCalls(id, query)
  return (
    <div class="record connected-page">
      <button type="button" class="quiet back-to-list" data-key="Escape" onClick={shut}>
        ← {sessions.opened.back}
      </button>
      <header class="record-head">
        <PageHeading>{isolateRightToLeft(visible(owner))}</PageHeading>
        <ConnectedStateTag session={session} waiting={waitingBySession(pending.value).get(id)} />
      </header>
      {failure === undefined ? null : <FailureNote error={failure} />}
      <ConnectedFacts session={session} />
      <ConnectedActions session={session} refresh={refresh} />
      <WaitingRequests session={id} />
      <SessionGrants session={id} />
      <section class="connected-calls" aria-labelledby="connected-calls">
        <h3 id="connected-calls">{own.calls}</h3>
        <PastCalls past={past} nothing={own.noCalls} />
      </section>
    </div>
  )
}

function ConnectedActions({ session, refresh }: Omit<ConnectedPageProps, 'failure'>) {
  const { go } = useInbox()
  const own = useOwnWords(CONNECTED_WORDS)
  const { session: words } = useOwnWords(CHAT_WORDS)
  const { id, mode, modes = [], ended, chat } = session
  const { controls } = useSessionControls(id)
  const [isEnding, setEnding] = useState(false)
  const isArmed = useArmed(id)
  const known = modeNamed(mode)

  async function end(): Promise<void> {
    setEnding(true)
    await controls.end()
    setEnding(false)
    refresh()
  }

  return (
    <>
      <FailedActionNote controls={controls} of={['end']} />
      <div class="session-buttons">
        {chat === true ? (
          <button type="button" onClick={() => whenArmed(isArmed, () => go({ page: 'chat', id }))}>
            {own.chat}
          </button>
        ) : null}
        {ended !== undefined ? null : modes.length > 0 ? (
          <ModeButton session={session} controls={controls} isArmed={isArmed} changed={refresh} />
        ) : (
          <p class="facts hint">
            <span>{words.open(known === undefined ? (mode ?? words.asPolicy) : words.names[known])}</span>
            <span>{words.notYours}</span>
          </p>
        )}
        {ended === undefined ? (
          <TwoStepButton
            label={own.end}
            confirm={own.endConfirm}
            tone="danger"
            isBusy={isEnding}
            act={() => void end()}
          >
            {own.endSure}
          </TwoStepButton>
        ) : null}
      </div>
    </>
  )
}
