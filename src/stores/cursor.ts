/** Opaque cursors: the sort key of the last item, in base64url. */

import { BanksmanError } from '../core/errors.ts'
import { parseJson } from '../core/json/parse-json.ts'
import type { Page } from './store.ts'

const MAX_PAGE = 200

export function pageLimit(wanted: number | undefined): number {
  return Math.max(1, Math.min(MAX_PAGE, Math.floor(wanted ?? MAX_PAGE)))
}

export function writeCursor(key: (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** A page of what was found, of which one more was asked for than it has room for. `keyOf` gives the sort key. */
export function pageOf<Found, Item>(
  found: readonly Found[],
  limit: number,
  toItem: (found: Found) => Item,
  keyOf: (found: Found) => (string | number)[],
): Page<Item> {
  const items = found.slice(0, limit).map(toItem)
  return found.length > limit ? { items, cursor: writeCursor(keyOf(found[limit - 1]!)) } : { items }
}

export function readCursor<T extends (string | number)[]>(cursor: string | undefined, start: T): T {
  if (cursor === undefined) return start
  try {
    const key: unknown = parseJson(Buffer.from(cursor, 'base64url').toString())
    if (
      Array.isArray(key) &&
      key.length === start.length &&
      key.every((part, index) => typeof part === typeof start[index])
    ) {
      return key as T
    }
  } catch {
    // Told below, like any other text that is not a cursor.
  }
  throw new BanksmanError('invalid', 'this cursor is not one that a list gave out; start again without one')
}
