import { useWords } from './context.ts'
import { FormFrame } from './form-frame.tsx'

/** Ending a session takes a second step: it can't be taken back. */
export function TerminateForm({ isSending, send, back }: { isSending: boolean; send(): void; back(): void }) {
  const words = useWords()
  return (
    <FormFrame submit={words.form.confirmTerminate} tone="danger" {...{ isSending, send, back }} isReady>
      <p class="note warning">{words.form.terminateWarning}</p>
    </FormFrame>
  )
}
