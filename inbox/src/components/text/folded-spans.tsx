import { useState } from 'preact/hooks'
import type { Span } from '../../../../src/client/index.ts'
import { useOwnWords } from '../../context/context.ts'
import { type FoldLimits, fold } from './fold.ts'
import { Spans } from './spans.tsx'
import { TEXT_WORDS } from './text-words.ts'

/** Says how much is folded, and brings it back. */
export function FoldMark({ characters, lines, open }: { characters: number; lines: number; open(): void }) {
  const words = useOwnWords(TEXT_WORDS)
  return (
    <button type="button" class="fold" onClick={open}>
      <span aria-hidden="true">⋯ </span>
      {words.folded(characters, lines)} · {words.unfold}
    </button>
  )
}

/** Text that was made visible; where it is long its middle is folded. */
export function FoldedSpans({ spans, room }: { spans: readonly Span[]; room: FoldLimits }) {
  const [isOpen, setOpen] = useState(false)
  const folded = isOpen ? undefined : fold(spans, room)
  if (folded === undefined) return <Spans spans={spans} />
  return (
    <>
      <Spans spans={folded.head} />
      <FoldMark {...folded} open={() => setOpen(true)} />
      <Spans spans={folded.leftOut} />
      <Spans spans={folded.tail} />
    </>
  )
}
