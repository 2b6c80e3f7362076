import { useState } from 'preact/hooks'
import { useOwnWords } from '../../../context/context.ts'
import type { AnswerBody } from '../model/transcript-items.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { Prose } from './prose.tsx'

/** What the model thought and said in one step. */
export function AnswerItem({ body }: { body: AnswerBody }) {
  const own = useOwnWords(CHAT_WORDS)
  const { thinking, text, state, hasGap, retry } = body
  const isThinking = state === 'thinking'
  const isEmpty = thinking === '' && text === ''
  if (isEmpty && state !== 'asked') return null
  return (
    <div class={`item answer is-${state}`}>
      {thinking === '' ? null : <Thinking text={thinking} label={isThinking ? own.thinking : own.thoughts} />}
      {retry === undefined ? null : (
        <p class="retry" title={retry.because}>
          {own.retry(Math.ceil(retry.delayMs / 1000), retry.attempt, retry.of)}
        </p>
      )}
      {isEmpty && retry === undefined ? <p class="hint pulse">{own.asked}</p> : null}
      {hasGap && text !== '' ? <p class="hint">{own.gap}</p> : null}
      {text === '' ? null : <Prose text={text} />}
      {state === 'cut' ? <p class="hint">{own.cut}</p> : null}
    </div>
  )
}

/** Folded, and drawn only for who looks at it. */
function Thinking({ text, label }: { text: string; label: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="thinking" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen ? <Prose text={text} /> : null}
    </details>
  )
}
