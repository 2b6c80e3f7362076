import { useMemo, useState } from 'preact/hooks'
import { countCharacters, shorten } from '../../../../src/display/text/shorten.ts'
import { makeVisible } from '../../../../src/display/text/visible.ts'
import { useOwnWords } from '../../context/context.ts'
import type { FoldLimits } from './fold.ts'
import { FoldedSpans, FoldMark } from './folded-spans.tsx'
import { Spans } from './spans.tsx'
import { nextPiece, type OwnMark, type TextPiece } from './text-pieces.ts'
import { TEXT_WORDS } from './text-words.ts'

/** Longer texts are not even made visible before somebody asks for them. */
const LONG = 16_000

/** A text from outside, of any length: made visible, folded where it is long, and in pieces where it is very long. */
export function LongText({ text, room }: { text: string; room: FoldLimits }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <InPieces text={text} />
  if (text.length <= LONG) return <FoldedSpans spans={makeVisible(text, BLOCK).spans} room={room} />
  const { head, tail, leftOut } = shorten(text, room.characters)
  return (
    <>
      <Spans spans={makeVisible(head, BLOCK).spans} />
      <FoldMark characters={leftOut} lines={0} open={() => setOpen(true)} />
      <Spans spans={makeVisible(tail, BLOCK).spans} />
    </>
  )
}

const BLOCK = { lines: 'keep' } as const

/** The whole text, a piece at a time. `marks` are the places where our own words stand in it. */
export function InPieces({ text, marks = [] }: { text: string; marks?: readonly OwnMark[] }) {
  const words = useOwnWords(TEXT_WORDS)
  const [shown, setShown] = useState(1)
  const pieces = useMemo(() => [] as TextPiece[], [text, marks])
  while (pieces.length < shown && (pieces.at(-1)?.end ?? -1) < text.length) {
    pieces.push(nextPiece(text, pieces.at(-1)?.end ?? 0, { marks }))
  }
  const end = pieces.at(-1)?.end ?? 0
  const left = end < text.length ? countCharacters(text, end) : 0
  return (
    <>
      {pieces.slice(0, shown).map((piece, index) => (
        <Piece key={index} piece={piece} />
      ))}
      {left === 0 ? null : (
        <button type="button" class="fold" onClick={() => setShown(shown + 1)}>
          <span aria-hidden="true">⋯ </span>
          {words.more(Math.min(left, 50_000), left)}
        </button>
      )}
    </>
  )
}

/** Laid out once: what is there already is not gone through again when more comes. */
function Piece({ piece }: { piece: TextPiece }) {
  return useMemo(() => <Spans spans={piece.spans} />, [piece])
}
