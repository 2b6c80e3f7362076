import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useWords } from '../context/context.ts'
import { useArmed } from './use-armed.ts'
import { isEarly } from './when-armed.ts'

export interface TwoStepButtonProps {
  /** What the first press begins. */
  label: string
  /** What the second does. */
  confirm: string
  tone: 'danger' | 'primary'
  isBusy: boolean
  isDisabled?: boolean
  act(): void
  /** What will happen, between the two. */
  children: ComponentChildren
}

/** A button for what matters: the first press says what would happen, the second, half a second later at the earliest, does it. */
export function TwoStepButton({
  label,
  confirm,
  tone,
  isBusy,
  isDisabled = false,
  act,
  children,
}: TwoStepButtonProps) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const isArmed = useArmed(String(isOpen))
  const first = useRef<HTMLButtonElement>(null)
  const back = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    // A key that is still held must not confirm, so the focus goes to the way back; and from there to where it was.
    if (isOpen) back.current?.focus()
    else if (wasOpen.current) first.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen) {
    return (
      <button
        ref={first}
        type="button"
        class={tone}
        disabled={isBusy || isDisabled}
        onClick={() => setOpen(true)}
      >
        {isBusy ? words.sending : `${label}…`}
      </button>
    )
  }
  return (
    <fieldset class="two-step" aria-label={label}>
      <p>{children}</p>
      <div class={isArmed ? 'buttons' : 'buttons is-unarmed'}>
        <button
          type="button"
          class={tone}
          disabled={isBusy || isDisabled}
          onClick={() => {
            if (isEarly(isArmed)) return
            setOpen(false)
            act()
          }}
        >
          {isBusy ? words.sending : confirm}
        </button>
        <button ref={back} type="button" class="plain" data-key="Escape" onClick={() => setOpen(false)}>
          {words.form.cancel}
        </button>
      </div>
    </fieldset>
  )
}
