/**
 * A shell line cut into pieces, so that a page can show which command each character belongs to and what in it is
 * doubtful. One after another the pieces say exactly what `makeVisible` says of the line (P9): cutting never changes,
 * hides or moves a character, however wrong the places are that it is told.
 */

import { defined } from '../../core/defined.ts'
import type { LinePiece } from '../../core/rendering.ts'
import type { VerdictKind } from '../../core/verdict.ts'
import { leftOutSpan, shorten } from '../text/shorten.ts'
import { VALUE_LIMIT } from '../text/value-limit.ts'
import { type PlacedSpan, placeVisible } from '../text/visible.ts'

/** Where something stands in the line as it is, before anything in it was made visible. */
export interface LinePlace {
  start: number
  end: number
}

export interface LineCommand extends LinePlace {
  verdict: VerdictKind
}

/** A line beyond the limit keeps its head and its tail, as in every other rendering. */
export function cutCommandLine(
  line: string,
  commands: readonly LineCommand[],
  doubts: readonly LinePlace[],
  limit = VALUE_LIMIT,
): LinePiece[] {
  const { head, tail, leftOut } = shorten(line, limit)
  const pieces = cutPart(head, 0, commands, doubts)
  if (leftOut === 0) return pieces
  return [...pieces, leftOutSpan(leftOut), ...cutPart(tail, line.length - tail.length, commands, doubts)]
}

/** `from` is where the part stands in the line. */
function cutPart(
  part: string,
  from: number,
  commands: readonly LineCommand[],
  doubts: readonly LinePlace[],
): LinePiece[] {
  const owners = paint(part.length, from, commands, ({ verdict }) => STRICTNESS[verdict])
  const doubted = paint(part.length, from, doubts, () => 0)
  const pieces: LinePiece[] = []
  for (const placed of placeVisible(part, { lines: 'keep' })) {
    for (const { text, start, end } of cutSpan(part, placed, owners, doubted)) {
      const { kind, name } = placed.span
      const command = owners[start]!
      // Of several characters that are written as one, any may be the doubtful one.
      const doubt = doubted.subarray(start, end).find((index) => index !== NOBODY)
      pieces.push({
        text,
        kind,
        ...defined({ name }),
        ...(command === NOBODY ? {} : { command }),
        ...defined({ doubt }),
      })
    }
  }
  return pieces
}

const NOBODY = -1
const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const

/**
 * For each character the smallest place that it lies in. Where several are the same (a wrapper and what it runs, the
 * commands in one quoted word) the strictest counts, so that nothing dangerous looks harmless, and then the last.
 */
function paint<Place extends LinePlace>(
  length: number,
  from: number,
  places: readonly Place[],
  strictnessOf: (place: Place) => number,
): Int32Array {
  const owners = new Int32Array(length).fill(NOBODY)
  const outermostFirst = [...places.entries()].sort(
    ([, a], [, b]) => b.end - b.start - (a.end - a.start) || strictnessOf(a) - strictnessOf(b),
  )
  for (const [index, { start, end }] of outermostFirst) {
    if (end > from && end > start) owners.fill(index, Math.max(0, start - from), end - from)
  }
  return owners
}

interface LineCut {
  text: string
  start: number
  end: number
}

/** Only what says exactly what stands in the line can be cut; an escape or a marked word is one piece. */
function cutSpan(
  part: string,
  { span, start, end }: PlacedSpan,
  owners: Int32Array,
  doubted: Int32Array,
): LineCut[] {
  if (span.kind !== 'text') return [{ text: span.text, start, end }]
  const cuts: LineCut[] = []
  let from = start
  for (let at = start + 1; at <= end; at++) {
    const goesOn = at < end && owners[at] === owners[from] && doubted[at] === doubted[from]
    if (goesOn || (at < end && isSecondHalf(part, at))) continue
    cuts.push({ text: part.slice(from, at), start: from, end: at })
    from = at
  }
  return cuts
}

function isSecondHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}
