/**
 * Erasing in two steps: what is old is found by a read, and erased by a write that makes sure it is all still there. If
 * another node was faster with some of it nothing is done, and the rest is tried again: the entry says how many they were.
 */
import { BanksmanError } from '../../../core/errors.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import type { Database } from '../database/database.ts'
import { entryToJson } from './journal.ts'

/** Each round is lost to another node that erases too; more than a few in a row don't happen. */
const ROUNDS = 20

export async function eraseAll<T extends object>(
  database: Database,
  operation: 'eraseCalls' | 'eraseTurns',
  found: T[],
  /** Whether this one is among those that the server says are still there. */
  isStill: (one: T, place: number, still: ReadonlySet<number>) => boolean,
  entry: (count: number) => EntryDraft,
): Promise<number> {
  let rows = found
  for (let round = 0; round < ROUNDS; round++) {
    if (rows.length === 0) return 0
    const draft = entry(rows.length)
    const result = await database.write<{ won: true } | { won: false; still: number[] }>(
      { do: operation, rows, entry: entryToJson(draft) },
      [draft],
    )
    if (result.won) return rows.length
    const still = new Set(result.still)
    rows = rows.filter((one, place) => isStill(one, place, still))
  }
  throw new BanksmanError('store_locked', 'other nodes are erasing the same; one of them does it')
}
