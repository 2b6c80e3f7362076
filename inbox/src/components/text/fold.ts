/**
 * Long texts are folded in the middle: the beginning and the end stay, and what lies between is counted, so that a mark
 * can say how much there is and a button can bring it back. Nothing is lost or moved by it (P9).
 */
import type { SpanKind } from '../../../../src/client/index.ts'

export interface FoldablePiece {
  text: string
  kind: SpanKind
}

/** How much is shown of what is longer. */
export interface FoldLimits {
  characters: number
  lines: number
}

export interface FoldedPieces<Piece> {
  head: Piece[]
  middle: Piece[]
  tail: Piece[]
  /** What in the middle says that something is not there at all: it is said beside the mark, too. */
  leftOut: Piece[]
  /** How much is folded. */
  characters: number
  lines: number
}

/** Undefined where all of it may be shown, or so little would be folded that it is not worth a button. */
export function fold<Piece extends FoldablePiece>(
  pieces: readonly Piece[],
  { characters, lines }: FoldLimits,
): FoldedPieces<Piece> | undefined {
  const text = pieces.map((piece) => piece.text).join('')
  if (text.length <= characters * SLACK && countBreaks(text) < lines * SLACK) return undefined
  const headEnd = headCut(text, (characters * 2) / 3, (lines * 2) / 3)
  const tailStart = tailCut(text, characters / 3, lines / 3)
  const cuts = aroundWholePieces(pieces, headEnd, Math.max(headEnd, tailStart))
  if (cuts.tailStart <= cuts.headEnd) return undefined
  const middle = slice(pieces, cuts.headEnd, cuts.tailStart)
  const folded = text.slice(cuts.headEnd, cuts.tailStart)
  return {
    head: slice(pieces, 0, cuts.headEnd),
    middle,
    leftOut: middle.filter(({ kind }) => kind === 'left-out'),
    tail: slice(pieces, cuts.tailStart, text.length),
    characters: [...folded].length,
    lines: countBreaks(folded),
  }
}

/** What is only a little longer is shown whole. */
const SLACK = 1.25

function countBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

function headCut(text: string, characters: number, lines: number): number {
  let end = Math.min(text.length, Math.ceil(characters))
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    if (++breaks >= lines) end = at + 1
  }
  return splitsPair(text, end) ? end - 1 : end
}

function tailCut(text: string, characters: number, lines: number): number {
  let start = Math.max(0, text.length - Math.floor(characters))
  let breaks = 0
  // The break that ends the last line begins no line of its own.
  let at = text.lastIndexOf('\n', text.length - 2)
  while (at >= start && at > 0) {
    if (++breaks >= lines) start = at + 1
    at = text.lastIndexOf('\n', at - 1)
  }
  return splitsPair(text, start) ? start + 1 : start
}

/** An escape, a mask or a marked word is shown whole or not at all. */
function aroundWholePieces(pieces: readonly FoldablePiece[], headEnd: number, tailStart: number) {
  const cuts = { headEnd, tailStart }
  let start = 0
  for (const { text, kind } of pieces) {
    const end = start + text.length
    if (kind !== 'text') {
      if (start < headEnd && headEnd < end) cuts.headEnd = end
      if (start < tailStart && tailStart < end) cuts.tailStart = start
    }
    start = end
  }
  return cuts
}

function slice<Piece extends FoldablePiece>(pieces: readonly Piece[], from: number, to: number): Piece[] {
  const kept: Piece[] = []
  let start = 0
  for (const piece of pieces) {
    const text = piece.text.slice(Math.max(0, from - start), Math.max(0, to - start))
    if (text !== '') kept.push(text === piece.text ? piece : { ...piece, text })
    start += piece.text.length
  }
  return kept
}

function splitsPair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
