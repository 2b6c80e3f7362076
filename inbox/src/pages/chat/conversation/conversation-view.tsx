import { untracked, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { defined } from '../../../../../src/core/defined.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { useInbox, useLanguage, useOwnWords, useWords } from '../../../context/context.ts'
import { onNextFrame } from '../../../model/browser/next-frame.ts'
import { visible, visibleBlock } from '../../../model/text/visible-line.ts'
import { type Conversation, createConversation } from '../model/conversation.ts'
import { modeNamed } from '../model/session-modes.ts'
import { ConversationContext } from '../transcript/conversation-context.ts'
import { TranscriptView } from '../transcript/transcript-view.tsx'
import { CHAT_WORDS } from '../words/words.ts'
import { AgentChoice } from './agent-choice.tsx'
import { FailedActionNote } from './failed-action-note.tsx'
import { MessageBox } from './message-box.tsx'
import { SessionSheet } from './session-sheet.tsx'
import { useDecisionKeys } from './use-decision-keys.ts'

export interface ConversationViewProps extends ConversationFrame {
  session: string
  /** Sessions in which nobody can have said anything yet. */
  fresh?: Set<string>
  /** A turn has begun or ended, or the session has. */
  changed(): void
}

interface ConversationFrame {
  title: string | undefined
  /** Where the way back leads. */
  back: string
  /** See the message box. */
  whenBusy?: 'steer' | 'interrupt'
  /** Those that a new conversation can be with, where there are several; the default one first. */
  agents?: readonly string[]
}

/** One conversation: what was said and done, and the box in which to say more. */
export function ConversationView({ session, fresh, changed, ...frame }: ConversationViewProps) {
  const inbox = useInbox()
  const own = useOwnWords(CHAT_WORDS)
  const words = useWords()
  const conversation = useMemo(
    () =>
      createConversation({
        client: inbox.client,
        session,
        subject: inbox.identity.subject,
        ...defined({ fresh }),
        soon: onNextFrame,
        onRefused: inbox.leave,
      }),
    [inbox, session],
  )
  useEffect(() => conversation.close, [conversation])
  useDecisionKeys()
  useSignalEffect(() => {
    if (inbox.live.connection.value.kind === 'live') untracked(conversation.hurry)
  })
  useSignalEffect(() => {
    conversation.transcript.running.value
    conversation.about.value?.ended
    if (conversation.state.value.kind === 'open') untracked(changed)
  })
  const state = conversation.state.value
  return (
    <ConversationContext.Provider value={conversation}>
      <section class="conversation" aria-label={own.title}>
        <ConversationHead conversation={conversation} {...frame} />
        {state.kind === 'failed' ? (
          <div class="page">
            <FailureNote error={state.error} />
            <button type="button" onClick={conversation.hurry}>
              {words.login.again}
            </button>
          </div>
        ) : (
          <>
            <TranscriptView conversation={conversation} />
            <Foot conversation={conversation} {...frame} />
          </>
        )}
        <Aloud conversation={conversation} />
      </section>
    </ConversationContext.Provider>
  )
}

function ConversationHead({ conversation, title, back }: ConversationFrame & { conversation: Conversation }) {
  const { shut } = useInbox()
  const own = useOwnWords(CHAT_WORDS)
  const [isSetting, setSetting] = useState(false)
  const about = conversation.about.value
  const mode = modeNamed(about?.mode)
  const modeName = mode === undefined ? (about?.mode ?? own.session.asPolicy) : own.session.names[mode]
  const isLoose = mode === 'bypass' || mode === 'dontAsk'
  return (
    <header class="conversation-head">
      <button type="button" class="quiet back" data-key="Escape" onClick={shut}>
        ← <span class="back-name">{back}</span>
      </button>
      <h2>{title ?? own.fresh}</h2>
      {about === undefined ? null : (
        <button type="button" class={isLoose ? 'mode is-loose' : 'mode'} onClick={() => setSetting(true)}>
          {own.session.open(modeName)}
        </button>
      )}
      {isSetting ? <SessionSheet controls={conversation} close={() => setSetting(false)} /> : null}
    </header>
  )
}

function Foot({
  conversation,
  whenBusy = 'steer',
  agents = [],
}: ConversationFrame & { conversation: Conversation }) {
  const [agent, setAgent] = useState<string | undefined>(undefined)
  const own = useOwnWords(CHAT_WORDS)
  const { time } = useLanguage()
  const { state, about, isLost } = conversation
  if (state.value.kind === 'loading') return null
  const ended = about.value?.ended
  if (ended !== undefined) {
    return (
      <div class="say-box">
        <p class="hint">
          {own.session.endedBy(visible(ended.by), time(ended.at))}. {own.box.over}
        </p>
      </div>
    )
  }
  return (
    <div class="say-box">
      {isLost.value ? (
        <p class="hint" role="status">
          {own.lost}
        </p>
      ) : null}
      <FailedActionNote controls={conversation} of={['say', 'stop']} />
      {state.value.kind === 'new' && agents.length > 1 ? (
        <AgentChoice agents={agents} chosen={agent} choose={setAgent} />
      ) : null}
      <MessageBox
        session={conversation.session}
        isRunning={conversation.transcript.running.value !== undefined}
        isSending={conversation.isSending.value}
        isWanted={state.value.kind === 'new'}
        whenBusy={whenBusy}
        say={(text) => conversation.say(text, defined({ agent: agent ?? agents[0] }))}
        stop={(how) => void conversation.stop(how)}
      />
    </div>
  )
}

/** Answers, once they are whole, for those who can't see them come. */
function Aloud({ conversation }: { conversation: Conversation }) {
  const text = conversation.transcript.finished.value?.text ?? ''
  return (
    <div class="unseen" role="status" aria-live="polite">
      {visibleBlock(text)}
    </div>
  )
}
