/**
 * A text of any length, to be shown a piece at a time: a megabyte at once would keep the page busy for seconds. Each piece is
 * made visible by itself (P9), and is cut where no word, line or character is torn apart, as far as there is such a place.
 */
import type { Span } from '../../../../src/client/index.ts'
import { directionRuns, hasRightToLeft } from '../../../../src/display/text/right-to-left.ts'
import { makeVisible } from '../../../../src/display/text/visible.ts'

export interface TextPiece {
  spans: Span[]
  /** Where the next one begins. */
  end: number
}

/** Taken in tens of milliseconds, and more than anyone reads at a time. */
const PIECE_LENGTH = 50_000
/** Every escape and every word from right to left is an element of the page: a text made of nothing else comes in smaller pieces. */
const MOST_SPANS = 4000
const SHORTEST_PIECE = 1000
/** How far before the end of a piece a better place for the cut is looked for. */
const LOOK_BACK = 500

/** Where our own words stand in the text, such as a mask: they are not made visible again, and are never cut. */
export interface OwnMark {
  start: number
  end: number
  span: Span
}

export interface PieceOptions {
  length?: number
  /** In order. */
  marks?: readonly OwnMark[]
}

export function nextPiece(text: string, from: number, options: PieceOptions = {}): TextPiece {
  const { length = PIECE_LENGTH, marks = [] } = options
  const wanted = cutBefore(text, from, Math.min(text.length, from + length))
  const torn = marks.find(({ start, end }) => start < wanted && wanted < end)
  const end = torn?.end ?? wanted
  const spans = spansBetween(text, from, end, marks)
  if (countElements(spans) > MOST_SPANS && length > SHORTEST_PIECE) {
    return nextPiece(text, from, { marks, length: Math.max(SHORTEST_PIECE, Math.floor(length / 4)) })
  }
  return { spans, end }
}

function spansBetween(text: string, from: number, to: number, marks: readonly OwnMark[]): Span[] {
  const spans: Span[] = []
  let at = from
  for (const { start, end, span } of marks) {
    if (start < from || end > to) continue
    spans.push(...makeVisible(text.slice(at, start), { lines: 'keep' }).spans, span)
    at = end
  }
  for (const span of makeVisible(text.slice(at, to), { lines: 'keep' }).spans) spans.push(span)
  return spans
}

function countElements(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + (hasRightToLeft(text) ? directionRuns(text).length : 1), 0)
}

function cutBefore(text: string, from: number, end: number): number {
  if (end >= text.length) return text.length
  const near = Math.max(from + 1, end - LOOK_BACK)
  const lineBreak = text.lastIndexOf('\n', end - 1)
  if (lineBreak >= near) return lineBreak + 1
  const space = text.lastIndexOf(' ', end - 1)
  if (space >= near) return space + 1
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff && end - 1 > from ? end - 1 : end
}
