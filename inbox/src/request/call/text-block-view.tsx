import type { JsonValue, TextBlock } from '../../../../src/client/index.ts'
import type { FoldLimits } from '../../components/text/fold.ts'
import { FoldedSpans } from '../../components/text/folded-spans.tsx'
import { LongText } from '../../components/text/long-text.tsx'

interface TextBlockViewProps {
  block: TextBlock
  room: FoldLimits
  /** The value itself, where it is known. What was shortened then says how long it really is, and opens to the end. */
  whole: JsonValue | undefined
}

/** Code, JSON or plain text as it was rendered. Long lines wrap: nothing lies outside the screen. */
export function TextBlockView({ block, room, whole }: TextBlockViewProps) {
  return (
    <pre class="call" dir="ltr">
      {block.shortened !== undefined && typeof whole === 'string' ? (
        <LongText text={whole} room={room} />
      ) : (
        <FoldedSpans spans={block.value.spans} room={room} />
      )}
    </pre>
  )
}
