import type { WireRequest } from '../../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { FormFrame, type FormStep } from './form-frame.tsx'

export interface TerminateFormProps {
  step: FormStep
  request: WireRequest
  send(): void
}

/** Ending a session takes a second step that says what ends: it can't be taken back. */
export function TerminateForm({ step, request: { session, id }, send }: TerminateFormProps) {
  const words = useOwnWords(DECIDE_WORDS).terminate
  const others = useInbox().pending.value.filter((each) => each.session === session && each.id !== id)
  return (
    <FormFrame step={step} label={words.confirm} submit={words.confirm} tone="danger" isReady send={send}>
      <div class="note warning">
        <strong>{words.warning(visible(session))}</strong>
        <ul>
          <li>{words.waiting(others.length + 1)}</li>
          <li>{words.started}</li>
        </ul>
      </div>
    </FormFrame>
  )
}
