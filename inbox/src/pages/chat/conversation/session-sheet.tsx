import { useEffect, useRef, useState } from 'preact/hooks'
import { MODES, type Mode } from '../../../../../src/core/session.ts'
import { saySessionAction } from '../../../../../src/display/words/session-actions.ts'
import { WithCode } from '../../../components/text/with-code.tsx'
import { useArmed } from '../../../components/use-armed.ts'
import { isEarly, whenArmed } from '../../../components/when-armed.ts'
import { useInbox, useLanguage, useLocale, useOwnWords, useWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import type { SessionControls } from '../model/session-controls.ts'
import { type LooseMode, needsSecondStep } from '../model/session-modes.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { FailedActionNote } from './failed-action-note.tsx'

type SessionSheetStep = { kind: 'choose' } | { kind: 'mode'; mode: LooseMode } | { kind: 'end' }

/** The mode of the session, and its end. */
export function SessionSheet({ controls, close }: { controls: SessionControls; close(): void }) {
  const { identity } = useInbox()
  const own = useOwnWords(CHAT_WORDS).session
  const words = useWords()
  const ending = saySessionAction('end', useLocale())
  const { time } = useLanguage()
  const dialog = useRef<HTMLDialogElement>(null)
  const [step, setStep] = useState<SessionSheetStep>({ kind: 'choose' })
  const heading = useRef<HTMLHeadingElement>(null)
  const isArmed = useArmed(step.kind)
  useEffect(() => {
    dialog.current?.showModal()
    // Not on the first mode: a key that is still held must not choose it.
    heading.current?.focus()
  }, [])
  const about = controls.about.value
  const set = controls.modeSet.value
  const settable = about?.modes ?? []
  const isTheirs = settable.length > 0

  async function choose(mode: Mode): Promise<void> {
    if (await controls.setMode(mode)) dialog.current?.close()
  }
  const back = () => setStep({ kind: 'choose' })

  return (
    <dialog ref={dialog} class="sheet session-sheet" aria-labelledby="session-title" onClose={close}>
      <h2 id="session-title" ref={heading} tabIndex={-1}>
        {own.title}
      </h2>
      <FailedActionNote controls={controls} of={['mode', 'end']} />
      {step.kind === 'mode' ? (
        <SecondStep
          explain={own.sure[step.mode]}
          confirm={own.confirm(own.names[step.mode])}
          send={() => choose(step.mode)}
          back={back}
        />
      ) : step.kind === 'end' ? (
        <SecondStep
          explain={own.endSure}
          confirm={ending.label}
          send={async () => {
            if (await controls.end()) dialog.current?.close()
          }}
          back={back}
        />
      ) : (
        <>
          <h3>{own.mode}</h3>
          {about?.mode === undefined ? <p class="hint">{own.noneOfItsOwn}</p> : null}
          {about === undefined || isTheirs ? null : <p class="hint">{own.notYours}</p>}
          <ul class="modes">
            {MODES.map((mode) => (
              <li key={mode}>
                <button
                  type="button"
                  class="row is-flat"
                  aria-current={about?.mode === mode}
                  disabled={about?.ended !== undefined || !settable.includes(mode)}
                  onClick={() => {
                    if (isEarly(isArmed)) return
                    if (needsSecondStep(mode)) setStep({ kind: 'mode', mode })
                    else void choose(mode)
                  }}
                >
                  <span class="row-head">
                    <strong>{own.names[mode]}</strong>
                    {about?.mode === mode ? <span class="tag state-running">{own.current}</span> : null}
                  </span>
                  <span class="mode-line">{own.modes[mode]}</span>
                  {isTheirs && !settable.includes(mode) ? (
                    <span class="mode-line hint">
                      <WithCode text={own.notAllowed} />
                    </span>
                  ) : null}
                </button>
              </li>
            ))}
          </ul>
          {set === undefined ? null : (
            <p class="hint">
              {own.setBy(set.by === identity.subject ? words.you : visible(set.by), time(set.at))}
            </p>
          )}
          {about?.ended === undefined ? (
            <>
              <h3>{ending.label}</h3>
              <p class="hint">{ending.about}</p>
              <button
                type="button"
                class="danger"
                onClick={() => whenArmed(isArmed, () => setStep({ kind: 'end' }))}
              >
                {ending.label}…
              </button>
            </>
          ) : null}
        </>
      )}
      {step.kind === 'choose' ? (
        <button type="button" class="plain sheet-close" onClick={() => dialog.current?.close()}>
          {own.close}
        </button>
      ) : null}
    </dialog>
  )
}

interface SecondStepProps {
  explain: string
  confirm: string
  send(): Promise<void>
  back(): void
}

/** What is grave is said once more, and the way back has the focus. */
function SecondStep({ explain, confirm, send, back }: SecondStepProps) {
  const own = useOwnWords(CHAT_WORDS).session
  const isArmed = useArmed(explain)
  const [isSending, setSending] = useState(false)
  const wayBack = useRef<HTMLButtonElement>(null)
  useEffect(() => wayBack.current?.focus(), [])
  async function press(): Promise<void> {
    if (isSending || isEarly(isArmed)) return
    setSending(true)
    await send()
    setSending(false)
  }
  return (
    <div class="second-step">
      <p class="note warning">{explain}</p>
      <div class={isArmed ? 'buttons' : 'buttons is-unarmed'}>
        <button type="button" class="danger" disabled={isSending} onClick={() => void press()}>
          {confirm}
        </button>
        <button type="button" class="plain" ref={wayBack} onClick={back}>
          {own.cancel}
        </button>
      </div>
    </div>
  )
}
