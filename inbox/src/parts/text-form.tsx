import { useState } from 'preact/hooks'
import { FormFrame, type Step } from './form-frame.tsx'

export interface TextFormProps {
  step: Step
  label: string
  hint: string
  submit: string
  tone: 'danger' | 'primary'
  isOptional?: boolean
  send(text: string): void
}

/** An answer in words: the reason of a rejection, or a response in the tool's place. */
export function TextForm({ step, label, hint, submit, tone, isOptional, send }: TextFormProps) {
  const [text, setText] = useState('')
  const isReady = isOptional === true || text.trim() !== ''
  return (
    <FormFrame {...{ step, submit, tone, isReady }} send={() => send(text.trim())}>
      <label for="words">{label}</label>
      <textarea
        id="words"
        rows={3}
        aria-describedby="words-hint"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="hint" id="words-hint">
        {hint}
      </p>
    </FormFrame>
  )
}
