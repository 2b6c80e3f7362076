import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { JsonObject, WireRequest } from '../../../src/client/index.ts'
import { fromEditableJson, toEditableJson } from '../model/editable-json.ts'
import { visible } from '../model/visible-line.ts'
import { useWords } from './context.ts'
import { FormFrame, type Step } from './form-frame.tsx'

export interface EditFormProps {
  step: Step
  request: WireRequest
  /** `shown` is the digest of what stood here when the edit began: an edit of anything else is refused. */
  send(args: JsonObject, shown: string): void
  children: ComponentChildren
}

/** The arguments as text. What can't be read as JSON says where, and is not sent. */
export function EditForm({ step, request, send, children }: EditFormProps) {
  const words = useWords()
  const [shown] = useState(request.digest)
  const [text, setText] = useState(() => toEditableJson(request.arguments))
  const read = readArguments(text)
  const isOutdated = shown !== request.digest
  return (
    <FormFrame
      step={step}
      submit={words.decision.approve}
      tone="approve"
      isReady={read.kind === 'arguments' && !isOutdated}
      send={() => read.kind === 'arguments' && send(read.value, shown)}
    >
      <label for="arguments">{words.form.arguments}</label>
      <textarea
        id="arguments"
        class="code"
        dir="ltr"
        rows={Math.min(20, Math.max(6, text.split('\n').length + 1))}
        spellcheck={false}
        autocapitalize="none"
        aria-invalid={read.kind === 'wrong'}
        aria-describedby="arguments-hint"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="hint" id="arguments-hint">
        {words.form.argumentsHint}
      </p>
      {read.kind === 'wrong' ? (
        <p class="note failure" role="alert">
          {visible(read.message)}
        </p>
      ) : null}
      {isOutdated ? (
        <p class="note failure" role="alert">
          {words.form.changedMeanwhile}
        </p>
      ) : null}
      {children}
    </FormFrame>
  )
}

type Read = { kind: 'arguments'; value: JsonObject } | { kind: 'wrong'; message: string }

function readArguments(text: string): Read {
  try {
    return { kind: 'arguments', value: fromEditableJson(text) }
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) }
  }
}
