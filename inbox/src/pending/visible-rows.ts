/** Which rows of a long list are drawn: those on the screen and a little around it. */
export interface RowHeights {
  readonly group: number
  readonly request: number
}

export interface VisibleRows {
  readonly from: number
  readonly to: number
  /** The room that the rows before and after take. */
  readonly above: number
  readonly below: number
}

/** Enough that a quick finger does not outrun the drawing. */
const AROUND_PX = 800
/** Short lists are drawn whole: searching in the page and screen readers then see all of it. */
const DRAWN_WHOLE = 150

/** `top` is where the screen begins, counted from the top of the list. */
export function visibleRowsOf(
  kinds: readonly { readonly kind: 'group' | 'request' }[],
  heights: RowHeights,
  { top, height }: { top: number; height: number },
): VisibleRows {
  if (kinds.length <= DRAWN_WHOLE) return { from: 0, to: kinds.length, above: 0, below: 0 }
  let at = 0
  let from = 0
  while (from < kinds.length && at + heights[kinds[from]!.kind] < top - AROUND_PX) {
    at += heights[kinds[from]!.kind]
    from++
  }
  const above = at
  let to = from
  while (to < kinds.length && at < top + height + AROUND_PX) {
    at += heights[kinds[to]!.kind]
    to++
  }
  let below = 0
  for (let rest = to; rest < kinds.length; rest++) below += heights[kinds[rest]!.kind]
  return { from, to, above, below }
}

/** Where a row stands, from the top of the list. */
export function rowTop(
  kinds: readonly { readonly kind: 'group' | 'request' }[],
  heights: RowHeights,
  index: number,
): number {
  let top = 0
  for (let at = 0; at < index; at++) top += heights[kinds[at]!.kind]
  return top
}
