/**
 * What the server says in its own words about a call, such as a summary or the reason of a verdict. It quotes the call, with
 * hidden characters written out and secrets masked already; here that notation gets its look back. Should anything in it
 * not be visible after all, it is made so (P9).
 */
import type { Span, SpanKind } from '../../../../src/client/index.ts'
import { MASK_STARTS } from '../../../../src/display/masks/mask-label.ts'
import { makeVisible } from '../../../../src/display/text/visible.ts'

export function serverTextSpans(text: string, options: { lines?: 'mark' | 'keep' } = {}): Span[] {
  const spans: Span[] = []
  for (const [index, part] of text.split(NOTATION).entries()) {
    const isNotation = index % 2 === 1
    // A word that was marked has just been marked again: once is enough.
    if (part === '' || (isNotation && isMarkOf(spans.at(-1), part))) continue
    if (isNotation) spans.push({ kind: kindOf(part), text: part })
    else spans.push(...makeVisible(part, options).spans)
  }
  return spans
}

function isMarkOf(span: Span | undefined, notation: string): boolean {
  return span?.kind === 'mixed-script' && span.text.endsWith(notation)
}

/** What stands between the brackets is plain: nothing invisible, no bracket, and not long. */
const NOTATION = /(\u27e8[\x20-\x7e\u00d7\u2026]{1,120}\u27e9|\u27e8已遮盖：[^\u27e8\u27e9]{1,160}\u27e9)/

function kindOf(notation: string): SpanKind {
  if (Object.values(MASK_STARTS).some((start) => notation.startsWith(`\u27e8${start}`))) return 'mask'
  if (notation.startsWith('\u27e8… ')) return 'left-out'
  return /^\u27e8(?:LF|TAB|SPACE|U\+27E8)(?: ×\d+)?\u27e9$/.test(notation) ? 'spelled' : 'escape'
}
