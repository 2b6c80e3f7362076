/** Pages of sorted sets whose members name hashes. Redis compares members by their bytes. */

import { pageLimit, writeCursor } from '../../cursor.ts'
import type { Page } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { PAGE } from '../scripts/page.ts'

export interface SortedSetQuery<T> {
  set: string
  /** The member after which it goes on; undefined: from the start. */
  after: string | undefined
  direction: 'up' | 'down'
  limit: number | undefined
  /** How long the part of a member before the id is. */
  skip: 0 | 16
  /** What the names of the hashes begin with. */
  hashes: string
  /** Only those that have this value in this field. */
  only?: { field: string; value: string }
  toItem(id: string, fields: RedisReply): T
  cursorOf(item: T): (string | number)[]
}

export async function readPage<T>(database: Database, query: SortedSetQuery<T>): Promise<Page<T>> {
  const { set, after, direction, skip, hashes, only, toItem, cursorOf } = query
  const limit = pageLimit(query.limit)
  const [start, end] = direction === 'up' ? ['-', '+'] : ['+', '-']
  const found = (await database.read(PAGE, [
    set,
    after === undefined ? start! : `(${after}`,
    end!,
    direction,
    String(limit + 1),
    String(skip),
    hashes,
    only?.field ?? '',
    only?.value ?? '',
  ])) as RedisReply[][]
  const items = found.slice(0, limit).map(([member, fields]) => toItem(String(member).slice(skip), fields!))
  const last = items.at(-1)
  return found.length > limit && last !== undefined
    ? { items, cursor: writeCursor(cursorOf(last)) }
    : { items }
}
