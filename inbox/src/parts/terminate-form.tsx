import { useWords } from './context.ts'
import { FormFrame, type Step } from './form-frame.tsx'

/** Ending a session takes a second step: it can't be taken back. */
export function TerminateForm({ step, send }: { step: Step; send(): void }) {
  const words = useWords()
  return (
    <FormFrame step={step} submit={words.form.confirmTerminate} tone="danger" isReady send={send}>
      <p class="note warning">{words.form.terminateWarning}</p>
    </FormFrame>
  )
}
