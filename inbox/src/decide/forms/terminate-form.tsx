import type { WireRequest } from '../../../../src/client/index.ts'
import { saySessionAction } from '../../../../src/display/words/session-actions.ts'
import { useSessionName } from '../../components/use-session-name.ts'
import { useInbox, useLocale, useOwnWords } from '../../context/context.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { FormFrame, type FormStep } from './form-frame.tsx'

export interface TerminateFormProps {
  step: FormStep
  request: WireRequest
  send(): void
}

/** Ending a session takes a second step that says what ends: it can't be taken back. */
export function TerminateForm({ step, request, send }: TerminateFormProps) {
  const { session, id } = request
  const words = useOwnWords(DECIDE_WORDS).terminate
  const { label, about } = saySessionAction('end', useLocale())
  const others = useInbox().pending.value.filter((each) => each.session === session && each.id !== id)
  return (
    <FormFrame step={step} label={label} submit={label} tone="danger" isReady send={send}>
      <div class="note warning">
        <strong>{words.warning(useSessionName(request))}</strong>
        <p>{about}</p>
        <ul>
          <li>{words.waiting(others.length + 1)}</li>
          <li>{words.started}</li>
        </ul>
      </div>
    </FormFrame>
  )
}
