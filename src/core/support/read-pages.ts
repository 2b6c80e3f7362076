/** A list that is read page by page. */
import { defined } from '../defined.ts'

interface ReadPage<T> {
  items: readonly T[]
  /** Where the next page begins. Absent on the last. */
  cursor?: string
}

/** All of its items. `read` is given the cursor of the next page, as part of its query. */
export async function readAllPages<T>(
  read: (next: { cursor?: string }) => Promise<ReadPage<T>>,
): Promise<T[]> {
  const found: T[] = []
  let next: { cursor?: string } = {}
  do {
    const { items, cursor } = await read(next)
    found.push(...items)
    next = defined({ cursor })
  } while (next.cursor !== undefined)
  return found
}
