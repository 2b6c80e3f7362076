import { kept } from '../../core/support/kept.ts'

/**
 * Looks a word up in a record whose keys hold several words with spaces between: `-n --max-count`. Words come from
 * outside, so that `constructor` is not an entry. Records are never changed once they were looked into.
 */
export function entryFor<T>(record: Record<string, T> | undefined, word: string): T | undefined {
  return record === undefined ? undefined : (entriesOf(record).get(word) as T | undefined)
}

const entriesOf = kept(
  (record: object) =>
    new Map(
      Object.entries(record).flatMap(([key, value]) =>
        key.split(' ').map((name): [string, unknown] => [name, value]),
      ),
    ),
)
