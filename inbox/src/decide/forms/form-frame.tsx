import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { whenArmed } from '../../components/when-armed.ts'
import { useOwnWords, useWords } from '../../context/context.ts'
import { DECIDE_WORDS } from '../words/words.ts'

/** Where a decision of more than one step stands. */
export interface FormStep {
  isSending: boolean
  /** It has been there long enough, and shows the request as it is now. */
  isArmed: boolean
  /** Why the last try failed. */
  notice: ComponentChildren
  back(): void
}

export interface FormFrameProps {
  step: FormStep
  label: string
  submit: string
  tone: 'danger' | 'primary' | 'approve'
  isReady: boolean
  /** Ctrl+Enter sends what is written. Not for what takes a second look. */
  hasSendKey?: boolean
  /** The button that led here stood at the end: then the way back stands there, and the one that sends at the beginning. */
  isMirrored?: boolean
  send(): void
  children: ComponentChildren
}

/**
 * A step of a decision: what is needed for it, the way back, and the button that sends it. The way back stands where the
 * first button stood, so that a second press of the same finger leads back. Only the button sends: Enter in a field does not.
 */
export function FormFrame(props: FormFrameProps) {
  const { step, label, submit, tone, isReady, hasSendKey, isMirrored, send, children } = props
  const words = useWords()
  const own = useOwnWords(DECIDE_WORDS)
  const form = useRef<HTMLFormElement>(null)
  // At once, not after it was drawn: the next key belongs into the field, and would be a shortcut elsewhere. Where there is
  // nothing to write the focus goes to the way back: a key that is still held must not decide.
  useLayoutEffect(() => {
    form.current
      ?.querySelector<HTMLElement>('[data-first], [data-key="Escape"]')
      ?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const press = () => {
    if (isReady && !step.isSending) whenArmed(step.isArmed, send)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (hasSendKey !== true || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    press()
  }
  return (
    <form
      class="decide"
      data-near=""
      ref={form}
      aria-label={label}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
    >
      {children}
      {step.notice}
      <div
        class={`buttons pair${step.isArmed ? '' : ' is-unarmed'}${isMirrored === true ? ' is-mirrored' : ''}`}
      >
        <button type="button" class="plain" data-key="Escape" disabled={step.isSending} onClick={step.back}>
          {own.back}
        </button>
        <button type="button" class={tone} disabled={step.isSending || !isReady} onClick={press}>
          {step.isSending ? words.sending : submit}
        </button>
      </div>
    </form>
  )
}
