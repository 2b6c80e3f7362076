import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useWords } from './context.ts'

/** Where the second step of a decision stands. */
export interface Step {
  isSending: boolean
  isArmed: boolean
  /** Why the last try failed. */
  notice: ComponentChildren
  back(): void
}

export interface FormFrameProps {
  step: Step
  submit: string
  tone: 'danger' | 'primary' | 'approve'
  isReady: boolean
  send(): void
  children: ComponentChildren
}

/** The second step of a decision: what is needed for it, the button that sends it, and the way back. */
export function FormFrame({ step, submit, tone, isReady, send, children }: FormFrameProps) {
  const words = useWords()
  const form = useRef<HTMLFormElement>(null)
  // Where there is nothing to write the focus goes to the way back: a key that is still held must not decide.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('textarea, [data-key="Escape"]')?.focus()
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (isReady && !step.isSending) send()
  }
  return (
    <form class="decide" ref={form} onSubmit={onSubmit}>
      {step.notice}
      {children}
      <div class={step.isArmed ? 'buttons' : 'buttons is-unarmed'}>
        <button type="submit" class={tone} disabled={step.isSending || !isReady}>
          {step.isSending ? words.sending : submit}
        </button>
        <button type="button" class="plain" data-key="Escape" disabled={step.isSending} onClick={step.back}>
          {words.form.cancel}
        </button>
      </div>
    </form>
  )
}
