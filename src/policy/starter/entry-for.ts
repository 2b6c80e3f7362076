/**
 * Looks a word up in a record whose keys hold several words with spaces between: `-n --max-count`. Words come from
 * outside, so that `constructor` is not an entry. Records are never changed once they were looked into.
 */
export function entryFor<T>(record: Record<string, T> | undefined, word: string): T | undefined {
  if (record === undefined) return undefined
  let entries = split.get(record)
  if (entries === undefined) {
    entries = new Map(
      Object.entries(record).flatMap(([key, value]) => key.split(' ').map((name) => [name, value])),
    )
    split.set(record, entries)
  }
  return entries.get(word) as T | undefined
}

const split = new WeakMap<object, Map<string, unknown>>()
