import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { sayDecisionAction } from '../../../../src/display/words/decisions.ts'
import { useLocale, useOwnWords } from '../../context/context.ts'
import type { DecisionDraft } from '../drafts/decision-drafts.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { FormFrame, type FormStep } from './form-frame.tsx'

export interface RespondFormProps {
  step: FormStep
  draft: Signal<DecisionDraft>
  send(text: string): void
}

/** The person's own words in place of the tool's result. */
export function RespondForm({ step, draft, send }: RespondFormProps) {
  const respond = sayDecisionAction('respond', useLocale())
  const words = useOwnWords(DECIDE_WORDS)
  const id = useId()
  const { text } = draft.value
  return (
    <FormFrame
      step={step}
      label={respond}
      submit={respond}
      tone="primary"
      isReady={text.trim() !== ''}
      hasSendKey
      send={() => send(text.trim())}
    >
      <label for={id}>{words.respond.label}</label>
      <textarea
        id={id}
        data-first=""
        rows={4}
        aria-describedby={`${id}-hint`}
        value={text}
        onInput={(event) => {
          draft.value = { ...draft.peek(), text: event.currentTarget.value }
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.respond.hint} <span class="send-key">{words.sendKey}</span>
      </p>
    </FormFrame>
  )
}
