import { useState } from 'preact/hooks'
import type { WireSession } from '../../../../../src/client/index.ts'
import { isEarly } from '../../../components/when-armed.ts'
import { useOwnWords } from '../../../context/context.ts'
import { SessionSheet } from '../../chat/conversation/session-sheet.tsx'
import type { SessionControls } from '../../chat/model/session-controls.ts'
import { modeNamed, needsSecondStep } from '../../chat/model/session-modes.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'

export interface ModeButtonProps {
  session: Pick<WireSession, 'mode'>
  controls: SessionControls
  isArmed: boolean
  changed(): void
}

/** How much the session does without asking, and the way to change that. A mode that asks less takes a second step. */
export function ModeButton({ session, controls, isArmed, changed }: ModeButtonProps) {
  const own = useOwnWords(CHAT_WORDS).session
  const [isOpen, setOpen] = useState(false)
  const mode = modeNamed(session.mode)
  const isLoose = mode !== undefined && needsSecondStep(mode)
  return (
    <>
      <button
        type="button"
        class={isLoose ? 'mode is-loose' : 'mode'}
        onClick={() => {
          if (isEarly(isArmed)) return
          void controls.refresh()
          setOpen(true)
        }}
      >
        {own.open(mode === undefined ? (session.mode ?? own.asPolicy) : own.names[mode])}
      </button>
      {isOpen ? (
        <SessionSheet
          controls={controls}
          close={() => {
            setOpen(false)
            changed()
          }}
        />
      ) : null}
    </>
  )
}
