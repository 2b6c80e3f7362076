/**
 * Where a journal is read from: a store, or an export in a file. Both are read once, from the front, so that a
 * journal of any length can be verified or exported in little memory.
 *
 * `chains()` is asked first and fixes what is read: entries that are written meanwhile are left for the next
 * time. A store gives it in one read, so the cut runs through all chains at one moment, and no request shows a
 * later version without its earlier ones.
 */

import type { Entry } from './entry.ts'
import { readEntryBody } from './read-body.ts'

export interface ChainSize {
  chain: string
  /** The number of the newest entry, as the store counts. */
  last: number
}

/** What is used of a store's journal. */
export interface JournalPager {
  chains(): Promise<ChainSize[]>
  /** In the order of the numbers, those after `after`, at most `limit`. */
  read(chain: string, after: number, limit: number): Promise<Entry[]>
}

export interface JournalSource {
  chains(): Promise<ChainSize[]>
  /** Chain by chain, in the order that `chains` gave; each in the order of its numbers. */
  entries(): AsyncIterable<Entry>
}

/** Large enough that the reads don't count, small enough that a page of large bodies fits into memory. */
const PAGE_SIZE = 500

/**
 * A store's journal as a source. A chain that remembers another chain's head comes before it, so that what it
 * remembers is known by the time the other one is read.
 */
export function pageJournal(pager: JournalPager, pageSize: number = PAGE_SIZE): JournalSource {
  let ordered: Promise<ChainSize[]> | undefined
  const chains = () => {
    ordered ??= pager.chains().then((sizes) => rememberingFirst(pager, sizes))
    return ordered
  }
  return {
    chains,
    async *entries() {
      for (const { chain, last } of await chains()) {
        let after = 0
        while (after < last) {
          const page = await pager.read(chain, after, Math.min(pageSize, last - after))
          if (page.length === 0) break
          for (const entry of page) {
            // Numbers that only go up: a store that answers with the same ones again would be read for ever.
            after = Math.max(after + 1, entry.n)
            if (entry.n <= last) yield entry
          }
        }
      }
    },
  }
}

/** Orders the chains so that each comes before those it names in its `after`. */
async function rememberingFirst(pager: JournalPager, sizes: ChainSize[]): Promise<ChainSize[]> {
  const named = new Map<string, string[]>()
  const timesNamed = new Map<string, number>(sizes.map(({ chain }) => [chain, 0]))
  for (const { chain } of sizes) {
    const [first] = await pager.read(chain, 0, 1)
    const body = first === undefined ? undefined : readEntryBody(first)
    const others = body?.kind === 'good' ? body.after.map((head) => head.chain) : []
    named.set(chain, others)
    for (const other of others) timesNamed.set(other, (timesNamed.get(other) ?? 0) + 1)
  }
  const bySize = new Map(sizes.map((size) => [size.chain, size]))
  const ready = sizes.filter(({ chain }) => timesNamed.get(chain) === 0)
  const ordered: ChainSize[] = []
  for (let size = ready.pop(); size !== undefined; size = ready.pop()) {
    ordered.push(size)
    bySize.delete(size.chain)
    for (const other of named.get(size.chain) ?? []) {
      const left = (timesNamed.get(other) ?? 0) - 1
      timesNamed.set(other, left)
      const next = bySize.get(other)
      if (left === 0 && next !== undefined) ready.push(next)
    }
  }
  // Chains that name each other in a circle can't come from an honest run; they are still read.
  return [...ordered, ...bySize.values()]
}
