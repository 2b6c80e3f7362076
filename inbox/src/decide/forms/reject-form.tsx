import type { Signal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { useOwnWords, useWords } from '../../context/context.ts'
import type { DecisionDraft } from '../drafts/decision-drafts.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { FormFrame, type FormStep } from './form-frame.tsx'
import { isUnfinishedReason, lacksItsRest, withReason } from './ready-reasons.ts'

export interface RejectFormProps {
  step: FormStep
  draft: Signal<DecisionDraft>
  submit: string
  /** False where the agent can't be told one. */
  takesReason: boolean
  send(reason: string): void
}

/** Saying no, with a reason if there is one. The ready-made ones fill the text, which stays the person's own. */
export function RejectForm({ step, draft, submit, takesReason, send }: RejectFormProps) {
  const words = useOwnWords(DECIDE_WORDS)
  const { sentences } = useWords()
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const { reason } = draft.value
  const write = (next: string) => {
    draft.value = { ...draft.peek(), reason: next }
  }
  const fill = (ready: string) => {
    write(withReason(reason, ready, words.reject.reasons))
    field.current?.focus()
  }
  const isUnfinished = takesReason && lacksItsRest(reason, words.reject.reasons)
  const frame = { step, label: submit, submit, tone: 'danger', hasSendKey: true } as const
  if (!takesReason) {
    return (
      <FormFrame {...frame} isReady send={() => send('')}>
        <p class="hint">{words.reject.noReason}</p>
      </FormFrame>
    )
  }
  return (
    <FormFrame {...frame} isReady={!isUnfinished} send={() => send(reason.trim())}>
      <label for={id}>{words.reject.label}</label>
      <fieldset class="chips" aria-label={words.reject.ready}>
        {words.reject.reasons.map((ready) => (
          <button
            key={ready}
            type="button"
            class="chip"
            aria-pressed={reason.startsWith(ready)}
            onClick={() => fill(ready)}
          >
            {sentences(ready.trim(), isUnfinishedReason(ready) && '…')}
          </button>
        ))}
      </fieldset>
      <textarea
        ref={field}
        id={id}
        data-first=""
        rows={3}
        aria-describedby={`${id}-hint`}
        value={reason}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {isUnfinished ? words.reject.unfinished : words.reject.hint}{' '}
        <span class="send-key">{words.sendKey}</span>
      </p>
    </FormFrame>
  )
}
