import type { ComponentChildren } from 'preact'
import { useWords } from './context.ts'
import { FormFrame } from './form-frame.tsx'

export interface TerminateFormProps {
  isSending: boolean
  notice: ComponentChildren
  send(): void
  back(): void
}

/** Ending a session takes a second step: it can't be taken back. */
export function TerminateForm(props: TerminateFormProps) {
  const words = useWords()
  return (
    <FormFrame submit={words.form.confirmTerminate} tone="danger" {...props} isReady>
      <p class="note warning">{words.form.terminateWarning}</p>
    </FormFrame>
  )
}
