import { useState } from 'preact/hooks'
import { TwoStepButton } from '../../../components/two-step-button.tsx'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { SessionSheet } from '../../chat/conversation/session-sheet.tsx'
import type { SessionControls } from '../../chat/model/session-controls.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'
import type { WireCodingSession } from '../model/session-wire.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

export interface SessionButtonsProps {
  session: WireCodingSession
  controls: SessionControls
  isArmed: boolean
  isWriting: boolean
  write(): void
  changed(): void
}

/** What can be done with a session. A mode that asks less, and closing it, take a second step. */
export function SessionButtons({ session, controls, isArmed, isWriting, write, changed }: SessionButtonsProps) {
  const { client, go } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS).actions
  const chat = useOwnWords(CHAT_WORDS).session
  const [busy, setBusy] = useState<'stop' | 'close'>()
  const [isSetting, setSetting] = useState(false)
  const { id, state, mode } = session
  const isAtWork = state === 'running' || state === 'waiting'
  const isLoose = mode === 'bypass' || mode === 'dontAsk'

  async function run(what: 'stop' | 'close', work: () => Promise<boolean>): Promise<void> {
    if (busy !== undefined) return
    setBusy(what)
    await work()
    setBusy(undefined)
    changed()
  }

  return (
    <fieldset class="session-buttons" aria-label={own.title}>
      {state === 'ended' ? null : (
        <button type="button" aria-expanded={isWriting} onClick={() => isArmed && write()}>
          {isWriting ? own.noMessage : own.message}
        </button>
      )}
      {isAtWork ? (
        <button
          type="button"
          class="danger"
          disabled={busy !== undefined}
          onClick={() => isArmed && void run('stop', () => controls.stop('hard'))}
        >
          {busy === 'stop' ? own.stopping : own.stop}
        </button>
      ) : null}
      {state === 'ended' ? null : (
        <button
          type="button"
          class={isLoose ? 'mode is-loose' : 'mode'}
          onClick={() => {
            if (!isArmed) return
            void controls.refresh()
            setSetting(true)
          }}
        >
          {chat.open(chat.names[mode])}
        </button>
      )}
      <button type="button" onClick={() => isArmed && go({ page: 'sessions', id })}>
        {own.open}
      </button>
      {state === 'closed' || state === 'ended' ? null : (
        <TwoStepButton
          label={own.close}
          confirm={own.closeConfirm}
          tone="danger"
          isBusy={busy === 'close'}
          isDisabled={busy !== undefined}
          act={() =>
            void run('close', () => controls.attempt('close', () => client.closeSession(id)))
          }
        >
          {isAtWork ? own.closeRunning : own.closeExplain}
        </TwoStepButton>
      )}
      {isSetting ? (
        <SessionSheet
          controls={controls}
          close={() => {
            setSetting(false)
            changed()
          }}
        />
      ) : null}
    </fieldset>
  )
}
