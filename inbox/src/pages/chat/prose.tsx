import { useMemo } from 'preact/hooks'
import { visible, visibleBlock } from '../../model/visible-line.ts'
import { inOrder } from '../../parts/in-order.tsx'
import { piecesOf } from './prose.ts'

/** Words as text: paragraphs and blocks of code, and no markup. */
export function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {piecesOf(text).map(({ kind, text: part, label }, index) =>
        kind === 'code' ? (
          <div key={index} class="code-block">
            {label === undefined ? null : <span class="code-label">{inOrder(visible(label))}</span>}
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
  return <>{useMemo(() => inOrder(visibleBlock(text)), [text])}</>
}

/** People's words go as their writing does. */
function Block({ text }: { text: string }) {
  return <>{useMemo(() => visibleBlock(text), [text])}</>
}
