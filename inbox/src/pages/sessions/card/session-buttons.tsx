import { useState } from 'preact/hooks'
import { saySessionAction } from '../../../../../src/display/words/session-actions.ts'
import { TwoStepButton } from '../../../components/two-step-button.tsx'
import { whenArmed } from '../../../components/when-armed.ts'
import { useInbox, useLocale, useOwnWords } from '../../../context/context.ts'
import type { SessionControls } from '../../chat/model/session-controls.ts'
import { type CodingRow, isAtWork } from '../model/session-board.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

export interface SessionButtonsProps {
  session: CodingRow
  controls: SessionControls
  isArmed: boolean
  isWriting: boolean
  write(): void
  changed(): void
}

/** What can be done with a session. Closing it takes a second step. */
export function SessionButtons({
  session,
  controls,
  isArmed,
  isWriting,
  write,
  changed,
}: SessionButtonsProps) {
  const { client, go } = useInbox()
  const { actions: own, colon } = useOwnWords(SESSIONS_WORDS)
  const locale = useLocale()
  const [stop, close] = [saySessionAction('stop', locale), saySessionAction('close', locale)]
  const [busy, setBusy] = useState<'stop' | 'close'>()
  const { id } = session
  const { state } = session.coding
  const isRunning = isAtWork(session)

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
        <button type="button" aria-expanded={isWriting} onClick={() => whenArmed(isArmed, () => write())}>
          {isWriting ? own.noMessage : own.message}
        </button>
      )}
      {isRunning ? (
        <button
          type="button"
          class="danger"
          disabled={busy !== undefined}
          onClick={() => whenArmed(isArmed, () => void run('stop', () => controls.stop('hard')))}
        >
          {busy === 'stop' ? own.stopping : stop.label}
        </button>
      ) : null}
      <button type="button" onClick={() => whenArmed(isArmed, () => go({ page: 'sessions', id }))}>
        {own.open}
      </button>
      {state === 'closed' || state === 'ended' ? null : (
        <TwoStepButton
          label={close.label}
          confirm={own.closeConfirm}
          tone="danger"
          isBusy={busy === 'close'}
          isDisabled={busy !== undefined}
          act={() =>
            void run('close', () =>
              controls.attempt('close', async () => void (await client.closeSession(id))),
            )
          }
        >
          {close.about}
        </TwoStepButton>
      )}
      {isRunning ? (
        <ul class="hint session-actions">
          {[stop, close].map(({ label, about }) => (
            <li key={label}>
              <strong>
                {label}
                {colon}
              </strong>
              {about}
            </li>
          ))}
        </ul>
      ) : null}
    </fieldset>
  )
}
