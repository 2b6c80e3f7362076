import { useState } from 'preact/hooks'
import { useOwnWords } from '../../../context/context.ts'
import { SessionSheet } from '../../chat/conversation/session-sheet.tsx'
import type { SessionControls } from '../../chat/model/session-controls.ts'
import { needsSecondStep } from '../../chat/model/session-modes.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'
import type { WireCodingSession } from '../model/session-wire.ts'

export interface ModeButtonProps {
  session: WireCodingSession
  controls: SessionControls
  isArmed: boolean
  changed(): void
}

/** How much the session does without asking, and the way to change that. A mode that asks less takes a second step. */
export function ModeButton({ session: { mode }, controls, isArmed, changed }: ModeButtonProps) {
  const own = useOwnWords(CHAT_WORDS).session
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class={needsSecondStep(mode) ? 'mode is-loose' : 'mode'}
        onClick={() => {
          if (!isArmed) return
          void controls.refresh()
          setOpen(true)
        }}
      >
        {own.open(own.names[mode])}
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
