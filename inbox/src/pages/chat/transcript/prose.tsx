import { useMemo } from 'preact/hooks'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { visible, visibleBlock } from '../../../model/text/visible-line.ts'
import { prosePieces } from './prose-pieces.ts'

/** Words as text: paragraphs and blocks of code, and no markup. */
export function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {prosePieces(text).map(({ kind, text: part, label }, index) =>
        kind === 'code' ? (
          <div key={index} class="code-block">
            {label === undefined ? null : (
              <span class="code-label">{isolateRightToLeft(visible(label))}</span>
            )}
            <pre dir="ltr">
              <Code text={part} />
            </pre>
          </div>
        ) : (
          <p key={index} dir="auto">
            <Block text={part} />
          </p>
        ),
      )}
    </div>
  )
}

function Code({ text }: { text: string }) {
  return <>{useMemo(() => isolateRightToLeft(visibleBlock(text)), [text])}</>
}

/** People's words go as their writing does. */
function Block({ text }: { text: string }) {
  return <>{useMemo(() => visibleBlock(text), [text])}</>
}
