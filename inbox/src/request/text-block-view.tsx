import type { JsonValue, TextBlock } from '../../../src/client/index.ts'
import type { Room } from '../parts/fold.ts'
import { FoldedSpans } from '../parts/folded-spans.tsx'
import { LongText } from '../parts/long-text.tsx'

interface TextBlockViewProps {
  block: TextBlock
  room: Room
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
