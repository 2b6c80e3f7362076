/** A part of the store's contract: see `store.ts`. */
import type { JsonValue } from '../core/json/json.ts'
import type { EntryDraft } from '../journal/entry.ts'

/**
 * Small things that rooms above the store keep, each under a kind and a key of its own: a chat card's handle, a link between a
 * chat account and a person, the key of a hook. The store knows nothing of what they mean.
 *
 * - A change is a compare-and-set on the version. A version is never given out twice for the same kind and key, not even after
 *   the record was deleted or had expired: whoever remembers an old version loses.
 * - A record whose `expiresAt <= now` is not there, for every verb, by the store's own time. Its row may be removed at any later
 *   moment.
 * - All changes of one call are committed together with the entry, or none is.
 * - A kind has 1 to 64 characters and a key 1 to 512, of any kind but lone surrogates. Anything else is `invalid`, and so is a
 *   cursor of another list: of another kind, or of another prefix.
 */
export interface StoredRecord {
  kind: string
  key: string
  value: JsonValue
  version: number
  expiresAt?: number
}

export interface RecordChange {
  kind: string
  key: string
  /** What its version must be now. 0: there must be none. */
  version: number
  /** Absent: the record is deleted. */
  value?: JsonValue
  /** From the commit on. Absent: it doesn't expire. */
  expiresInMs?: number
}

export type RecordChangeResult =
  /** The new versions, in the order of the changes; 0 for one that was deleted. */
  | { won: true; versions: number[] }
  /** Those that were not as expected, as they are now. Nothing was changed. */
  | { won: false; lost: { kind: string; key: string; record: StoredRecord | undefined }[] }

export interface RecordVerbs {
  get(kind: string, key: string): Promise<StoredRecord | undefined>
  /** A kind and key that is named twice loses. */
  change(changes: readonly RecordChange[], entry?: EntryDraft): Promise<RecordChangeResult>
  /**
   * Those of the kind whose key begins so, in the order of their keys (by code unit, or by UTF-8 byte). At most 200 at a time. A
   * page goes on where the last one ended, whatever came and went meanwhile.
   */
  list(query: { kind: string; prefix?: string; limit?: number; cursor?: string }): Promise<{
    items: StoredRecord[]
    cursor?: string
  }>
}
