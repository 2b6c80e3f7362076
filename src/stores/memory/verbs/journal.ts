/** The journal in memory: all entries in the order in which they came, and the same by chain. */
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import type { Entry, EntryDraft } from '../../../journal/entry.ts'
import type { JournalVerbs } from '../../store.ts'
import type { Applier } from '../tables/applier.ts'

export interface MemoryJournal extends JournalVerbs {
  /** Inside a write: gives the entry its number. */
  add(entry: EntryDraft): void
}

export function createJournal(applier: Applier): MemoryJournal {
  const all: Entry[] = []
  const chains = new Map<string, Entry[]>()

  function add(draft: EntryDraft): void {
    const { chain, type, request, version, body } = draft
    const entries = chains.get(chain) ?? []
    const n = entries.length + 1
    refuseLost(draft, n)
    if (n === 1) chains.set(chain, entries)
    const entry: Entry = Object.freeze({ chain, n, type, ...defined({ request, version }), body })
    entries.push(entry)
    all.push(entry)
    applier.afterwards(() => draft.committed(n))
  }

  return {
    add,
    append: (entry) => applier.write(() => add(entry)),
    chains: () =>
      applier.read(() => [...chains].map(([chain, entries]) => ({ chain, last: entries.length }))),
    read: (chain, after, limit) =>
      applier.read(() => (chains.get(chain) ?? []).slice(Math.max(0, after), Math.max(0, after) + limit)),
    feed: (after, limit) =>
      applier.read(() => {
        const from = readPosition(after)
        if (from === undefined || from > all.length) return { events: [], complete: false }
        const events = all
          .slice(from, from + limit)
          .map((entry, index) => ({ cursor: String(from + index + 1), entry }))
        return { events, complete: true }
      }),
    cursor: () => applier.read(() => String(all.length)),
  }
}

/** Whoever wrote it knows of later entries than there are. */
function refuseLost({ chain, follows = 0 }: EntryDraft, n: number): void {
  if (n > follows) return
  throw new BanksmanError(
    'store_unavailable',
    `entry ${n} of chain ${JSON.stringify(chain)} was given out before, and is not there any more`,
  )
}

/** How many entries lie before the cursor. */
function readPosition(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0
  return /^(0|[1-9][0-9]{0,15})$/.test(cursor) ? Number(cursor) : undefined
}
