/** Records in memory. Their keys are kept sorted for each kind. */
import { pageLimit } from '../../cursor.ts'
import { checkRecordName, lostChanges, recordCursor, recordName, recordsAfter } from '../../record-names.ts'
import type { RecordChange, RecordChangeResult, RecordVerbs, StoredRecord } from '../../store.ts'
import type { Applier } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import { createSortedIndex, type SortedIndex } from '../tables/sorted-index.ts'
import type { MemoryJournal } from './journal.ts'

export function createRecords(applier: Applier, now: () => number, journal: MemoryJournal): RecordVerbs {
  const kinds = new Map<string, { byKey: Map<string, StoredRecord>; keys: SortedIndex<string> }>()
  /** By when they expire. */
  const expiring = createSortedIndex<StoredRecord>()
  /** Of all records together: one that is gone need not be kept for its version. */
  let lastVersion = 0

  function find(kind: string, key: string): StoredRecord | undefined {
    const record = kinds.get(kind)?.byKey.get(key)
    return record === undefined || isOver(record) ? undefined : record
  }

  function isOver({ expiresAt }: StoredRecord): boolean {
    return expiresAt !== undefined && expiresAt <= now()
  }

  function remove(kind: string, key: string): void {
    const records = kinds.get(kind)
    const record = records?.byKey.get(key)
    if (records === undefined || record === undefined) return
    records.byKey.delete(key)
    records.keys.remove(0, key)
    if (record.expiresAt !== undefined) expiring.remove(record.expiresAt, recordName(kind, key))
    if (records.byKey.size === 0) kinds.delete(kind)
  }

  function put(record: StoredRecord): void {
    const { kind, key, expiresAt } = record
    let records = kinds.get(kind)
    if (records === undefined) {
      records = { byKey: new Map(), keys: createSortedIndex() }
      kinds.set(kind, records)
    }
    records.byKey.set(key, record)
    records.keys.add(0, key, key)
    if (expiresAt !== undefined) expiring.add(expiresAt, recordName(kind, key), record)
  }

  function forgetExpired(): void {
    for (let first = expiring.first(); first !== undefined && isOver(first); first = expiring.first()) {
      remove(first.kind, first.key)
    }
  }

  function apply({ kind, key, value, expiresInMs }: RecordChange): number {
    remove(kind, key)
    if (value === undefined) return 0
    const expiresAt = expiresInMs === undefined ? {} : { expiresAt: now() + expiresInMs }
    put(Object.freeze({ kind, key, value, version: ++lastVersion, ...expiresAt }))
    return lastVersion
  }

  function change(changes: readonly RecordChange[]): RecordChangeResult {
    const lost = lostChanges(changes, find)
    if (lost.length > 0) return { won: false, lost }
    // A value that can't be kept shall fail before anything is changed.
    const kept = changes.map((each) => frozenCopy(each))
    forgetExpired()
    return { won: true, versions: kept.map(apply) }
  }

  function* behind(kind: string, key: string, prefix: string): Generator<StoredRecord, void> {
    const records = kinds.get(kind)
    for (const each of records?.keys.after(0, key) ?? []) {
      if (!each.startsWith(prefix)) return
      const record = records!.byKey.get(each)!
      if (!isOver(record)) yield record
    }
  }

  return {
    get: (kind, key) =>
      applier.read(() => {
        checkRecordName(kind, key)
        return find(kind, key)
      }),
    change: (changes, entry) =>
      applier.write(() => {
        const result = change(changes)
        if (result.won && entry !== undefined) journal.add(entry)
        return result
      }),
    list: (query) =>
      applier.read(() => {
        const { kind, prefix = '' } = query
        const after = recordsAfter(query)
        const limit = pageLimit(query.limit)
        const items: StoredRecord[] = []
        // The index gives what is behind a key, and the prefix itself may be one.
        const first = after === undefined && prefix !== '' ? find(kind, prefix) : undefined
        if (first !== undefined) items.push(first)
        for (const record of behind(kind, after ?? prefix, prefix)) {
          if (items.length === limit) return { items, cursor: recordCursor(items[limit - 1]!) }
          items.push(record)
        }
        return { items }
      }),
  }
}
