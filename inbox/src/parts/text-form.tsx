import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FormFrame } from './form-frame.tsx'

export interface TextFormProps {
  label: string
  hint: string
  submit: string
  tone: 'danger' | 'primary'
  isOptional?: boolean
  isSending: boolean
  notice: ComponentChildren
  send(text: string): void
  back(): void
}

/** An answer in words: the reason of a rejection, or a response in the tool's place. */
export function TextForm({
  label,
  hint,
  submit,
  tone,
  isOptional,
  isSending,
  notice,
  send,
  back,
}: TextFormProps) {
  const [text, setText] = useState('')
  const isReady = isOptional === true || text.trim() !== ''
  return (
    <FormFrame {...{ submit, tone, isSending, isReady, notice, back }} send={() => send(text.trim())}>
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
