/** One page out of many items in order, with the cursor of its last item when there are more. */
import { pageLimit, writeCursor } from '../../cursor.ts'
import type { Page } from '../../store.ts'

export function pageOf<T>(
  items: Iterable<T>,
  wanted: number | undefined,
  keyOf: (item: T) => (string | number)[],
): Page<T> {
  const limit = pageLimit(wanted)
  const page: T[] = []
  for (const item of items) {
    if (page.length === limit) return { items: page, cursor: writeCursor(keyOf(page[limit - 1]!)) }
    page.push(item)
  }
  return { items: page }
}
