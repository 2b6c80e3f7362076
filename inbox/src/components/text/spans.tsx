import type { Span } from '../../../../src/client/index.ts'
import type { Reason } from '../../../../src/core/reasons/reason.ts'
import { useOwnWords } from '../../context/context.ts'
import { codePieces } from './code-pieces.ts'
import { isolateRightToLeft } from './isolate-right-to-left.tsx'
import { serverTextSpans } from './server-text-spans.ts'
import { TEXT_WORDS } from './text-words.ts'
import { CodePieces } from './with-code.tsx'

/** Text that was made visible. What is not plain text has a look of its own, and says what it is. */
export function Spans({ spans }: { spans: readonly Span[] }) {
  return (
    <>
      {spans.map((span, index) =>
        span.kind === 'text' ? isolateRightToLeft(span.text) : <MarkedSpan key={index} span={span} />,
      )}
    </>
  )
}

export interface ServerTextProps {
  text: string
  isBlock?: boolean
  /** What the text was made of: then what it quotes is shown as code. */
  reason?: Reason | undefined
}

/** What the server says in its own words about a call. */
export function ServerText({ text, isBlock = false, reason }: ServerTextProps) {
  const spans = (part: string) => (
    <Spans spans={serverTextSpans(part, { lines: isBlock ? 'keep' : 'mark' })} />
  )
  if (reason === undefined) return spans(text)
  return <CodePieces pieces={codePieces(text, reason)} show={spans} />
}

export function MarkedSpan({ span: { kind, text, name } }: { span: Span }) {
  const words = useOwnWords(TEXT_WORDS).spans
  if (kind === 'left-out') {
    return (
      <span class="span-left-out" title={words.leftOut}>
        {isolateRightToLeft(text)}
      </span>
    )
  }
  if (kind === 'text' || name === undefined)
    return <span class={`span-${kind}`}>{isolateRightToLeft(text)}</span>
  const said = kind === 'mixed-script' ? words.mixed(name) : words[kind](name, text)
  // A word keeps its letters and a mask says what it is; a code is read out by its name.
  const isCode = kind === 'escape' || kind === 'spelled'
  return (
    <span class={`span-${kind}`} title={said} {...(isCode ? { role: 'img', 'aria-label': said } : {})}>
      {isolateRightToLeft(text)}
    </span>
  )
}
