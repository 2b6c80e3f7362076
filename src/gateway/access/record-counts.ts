/** Counts that are kept in the store, so that they outlive restarts and every node has the same. */
import { BanksmanError } from '../../core/errors.ts'
import type { Store } from '../../stores/store.ts'

export interface CountLimit {
  /** What is counted: `link_code`. */
  of: string
  max: number
  inMs: number
  /** The time begins anew with each one. Otherwise it begins with the first. */
  fromLast?: true
}

export interface RecordCounts {
  isSpent(limit: CountLimit, key: string): Promise<boolean>
  /** Counts one more. False where there were as many as there may be: then nothing is counted. */
  take(limit: CountLimit, key: string): Promise<boolean>
}

const KIND = 'count'
const MAX_TRIES = 20

export function createRecordCounts({ records, now }: Pick<Store, 'records' | 'now'>): RecordCounts {
  async function read({ of }: CountLimit, key: string) {
    const record = await records.get(KIND, JSON.stringify([of, key]))
    const count = (record?.value as { count?: unknown } | undefined)?.count
    return { record, count: typeof count === 'number' ? count : 0 }
  }

  return {
    isSpent: async (limit, key) => (await read(limit, key)).count >= limit.max,
    async take(limit, key) {
      for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
        const { record, count } = await read(limit, key)
        if (count >= limit.max) return false
        const left = record?.expiresAt === undefined ? limit.inMs : Math.max(1, record.expiresAt - now())
        const { won } = await records.change([
          {
            kind: KIND,
            key: JSON.stringify([limit.of, key]),
            version: record?.version ?? 0,
            value: { count: count + 1 },
            expiresInMs: limit.fromLast ? limit.inMs : left,
          },
        ])
        if (won) return true
      }
      throw new BanksmanError(
        'store_unavailable',
        'a count changed all the while it was being changed; try again',
      )
    },
  }
}
