/** A long text with masks in it: shortened without cutting a mask, and made visible between them. */
import { defined } from '../../core/defined.ts'
import type { LeftOut, Span, VisibleText } from '../../core/rendering.ts'
import { coverOf, type MaskPieces, maskLabel } from '../masks/mask-label.ts'
import type { Mask } from '../masks/mask-values.ts'
import { countCharacters, cutsFor, leftOutSpan } from '../text/shorten.ts'
import { makeVisible, ofSpans } from '../text/visible.ts'

/** What stands in the place of a secret, and what kind it is or why it is hidden. */
export type ShownMask = MaskPieces & Partial<Pick<Mask, 'kind' | 'name'>>

export interface ShownPart {
  text: string
  mask?: ShownMask
}

export function showParts(parts: ShownPart[], limit: number): { value: VisibleText; shortened?: LeftOut } {
  const whole = parts.map((part) => part.text).join('')
  if (whole.length <= limit) return { value: ofSpans(parts.flatMap(spansOf)) }

  const [headCut, tailCut] = cutsFor(whole, limit)
  const { headEnd, tailStart } = keepMasksWhole(parts, headCut, tailCut)
  const leftOut = countCharacters(whole, headEnd, tailStart)
  if (leftOut === 0) return { value: ofSpans(parts.flatMap(spansOf)) }
  return {
    value: ofSpans([
      ...slice(parts, 0, headEnd).flatMap(spansOf),
      leftOutSpan(leftOut),
      ...slice(parts, tailStart, whole.length).flatMap(spansOf),
    ]),
    shortened: { leftOut, total: countCharacters(whole) },
  }
}

/** A cut inside a mask moves outward, so that the mask is shown whole. */
function keepMasksWhole(
  parts: ShownPart[],
  headCut: number,
  tailCut: number,
): { headEnd: number; tailStart: number } {
  let headEnd = headCut
  let tailStart = tailCut
  let start = 0
  for (const { text, mask } of parts) {
    const end = start + text.length
    if (mask !== undefined) {
      if (start < headCut && headCut < end) headEnd = end
      if (start < tailCut && tailCut < end) tailStart = start
    }
    start = end
  }
  return { headEnd, tailStart: Math.max(headEnd, tailStart) }
}

function slice(parts: ShownPart[], from: number, to: number): ShownPart[] {
  const kept: ShownPart[] = []
  let start = 0
  for (const part of parts) {
    const text = part.text.slice(Math.max(0, from - start), Math.max(0, to - start))
    if (text !== '') kept.push({ ...part, text })
    start += part.text.length
  }
  return kept
}

function spansOf({ text, mask }: ShownPart): Span[] {
  return mask === undefined ? makeVisible(text, { lines: 'keep' }).spans : [maskSpan(mask)]
}

function maskSpan(mask: ShownMask): Span {
  const { kind, ...rest } = mask
  const name = kind === undefined ? undefined : (mask.label ?? maskLabel({ ...rest, kind }))
  return { kind: 'mask', text: coverOf(mask), ...defined({ name }) }
}

/** A whole value that is masked, or of which a part is. */
export function maskedValue(mask: Mask): VisibleText {
  const { before = '', after = '' } = mask.around ?? {}
  const shown = (text: string): Span[] => (text === '' ? [] : [{ kind: 'text', text }])
  return ofSpans([...shown(before), maskSpan(mask), ...shown(after)])
}
