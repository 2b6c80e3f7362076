import { useState } from 'preact/hooks'
import { ServerText } from '../../../components/text/spans.tsx'
import { useOwnWords } from '../../../context/context.ts'
import { CHAT_WORDS } from '../words/words.ts'

const SHORT_LINES = 8
const SHORT_CHARACTERS = 600

/** The result of a call, which the server has made visible: a long one is folded, and drawn only when it is opened. */
export function FoldedResult({ text }: { text: string }) {
  const own = useOwnWords(CHAT_WORDS)
  const [isOpen, setOpen] = useState(false)
  const lines = text.split('\n').length
  if (lines <= SHORT_LINES && text.length <= SHORT_CHARACTERS) {
    return (
      <pre class="call-result" dir="ltr">
        <ServerText text={text} isBlock />
      </pre>
    )
  }
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{lines === 1 ? own.result : own.resultLines(lines)}</summary>
      {isOpen ? (
        <pre class="call-result" dir="ltr">
          <ServerText text={text} isBlock />
        </pre>
      ) : null}
    </details>
  )
}
