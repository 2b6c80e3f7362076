import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useWords } from './context.ts'

export interface FormFrameProps {
  submit: string
  tone: 'danger' | 'primary' | 'approve'
  isSending: boolean
  isReady: boolean
  /** Why the last try failed. */
  notice: ComponentChildren
  send(): void
  back(): void
  children: ComponentChildren
}

/** The second step of a decision: what is needed for it, the button that sends it, and the way back. */
export function FormFrame({
  submit,
  tone,
  isSending,
  isReady,
  notice,
  send,
  back,
  children,
}: FormFrameProps) {
  const words = useWords()
  const form = useRef<HTMLFormElement>(null)
  // Where there is nothing to write the focus goes to the way back: a key that is still held must not decide.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('textarea, [data-key="Escape"]')?.focus()
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (isReady && !isSending) send()
  }
  return (
    <form class="decide" ref={form} onSubmit={onSubmit}>
      {notice}
      {children}
      <div class="buttons">
        <button type="submit" class={tone} disabled={isSending || !isReady}>
          {isSending ? words.sending : submit}
        </button>
        <button type="button" class="plain" data-key="Escape" disabled={isSending} onClick={back}>
          {words.form.cancel}
        </button>
      </div>
    </form>
  )
}
