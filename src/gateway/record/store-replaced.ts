/**
 * The server behind the store is another one, or was started anew: it may lack what it acknowledged, where that was
 * allowed. What is missing of our own chain tells how much, and it is put on the record either way (P10).
 *
 * A chain of which entries were lost is not written any further: their numbers would be given out a second time, for
 * something else. The new chain names the head that we know of the old one, so that a verifier misses what was lost.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { bodyHash, type ChainHead, type ChainWriter } from '../../journal/entry.ts'
import type { Hint, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

export interface StoreReplacements {
  hear(replacement: NonNullable<Hint['replaced']>): void
  /** The store's refusals tell of a loss where no hint does. */
  noticeLoss(): void
}

export interface StoreReplacementsPorts {
  store: Pick<Store, 'now' | 'name' | 'journal'>
  chain: ChainWriter
  host: Pick<Host, 'clock' | 'closed' | 'report'>
  /** Who opens a chain here. */
  by: string
}

/** As many as the chain's writer remembers. */
const COMPARED = 256
const RETRY_MS = 1000
/** Ten minutes. A store that can't be written for so long has been reported by everyone else too. */
const MAX_TRIES = 600
/** A chain names the heads of the last ones, so that one that is taken away whole is missed. */
const REMEMBERED_CHAINS = 8

export function createStoreReplacements(ports: StoreReplacementsPorts): StoreReplacements {
  /** One after the other: each compares with what the last one left. */
  let turn: Promise<void> = Promise.resolve()

  async function note(replacement?: { from: string; to: string }): Promise<void> {
    for (let attempt = 0; attempt < MAX_TRIES && !ports.host.closed(); attempt++) {
      try {
        await noteOnce(ports, replacement)
        return
      } catch (error) {
        if (attempt === 0) ports.host.report({ doing: 'noting that the store was replaced', error })
        await new Promise<void>((resolve) => ports.host.clock.after(RETRY_MS, resolve))
      }
    }
  }

  return {
    hear(replacement) {
      turn = turn.then(() => note(replacement))
    },
    noticeLoss() {
      turn = turn.then(() => note())
    },
  }
}

/** The heads of the newest chains, for the first entry of another. */
export async function newestChains(store: Pick<Store, 'journal'>): Promise<{ chain: string; n: number }[]> {
  const chains = await store.journal.chains()
  return chains.slice(-REMEMBERED_CHAINS).map(({ chain, last }) => ({ chain, n: last }))
}

/** Without a replacement nothing is noted but a loss. */
async function noteOnce(
  ports: StoreReplacementsPorts,
  replacement: { from: string; to: string } | undefined,
): Promise<void> {
  const { chain, store, host, by } = ports
  const old = chain.chain
  // The head is taken first: what is committed meanwhile makes the chain longer, and never shorter.
  const known = chain.head()
  const found = (await store.journal.chains()).find((one) => one.chain === old)?.last ?? 0
  const lost = await countLost(ports, old, known, found)
  if (lost === 0 && replacement === undefined) return
  const { from, to } = replacement ?? { from: 'unknown', to: 'unknown' }
  const what: JsonObject = { from, to, chain: old, known: { ...known }, found: { n: found }, lost }
  if (lost > 0) {
    const others = (await newestChains(store)).filter((one) => one.chain !== old)
    const next = chain.next()
    const after = [...others, { chain: old, n: known.n, hash: known.hash }]
    // Before anybody writes to it: a chain begins with what it follows.
    await store.journal.append(next.draft('chain.opened', store.now(), { after, by }))
    next.begin()
    const message = `the server behind the ${store.name} store was replaced and lacks ${lost} of the ${known.n} entries that it had acknowledged in chain ${old}; the journal goes on in chain ${next.chain}`
    host.report({
      doing: 'comparing the journal with what was written',
      error: new BanksmanError('store_corrupt', message),
    })
  }
  await store.journal.append(chain.draft('store.replaced', store.now(), what))
}

/** How many of the entries that we know of are not there as we know them. */
async function countLost(
  ports: StoreReplacementsPorts,
  chain: string,
  known: ChainHead,
  found: number,
): Promise<number> {
  const top = Math.min(known.n, found)
  const from = Math.max(0, top - COMPARED)
  const bodies = new Map(
    (await ports.store.journal.read(chain, from, top - from)).map(({ n, body }) => [n, body]),
  )
  for (let n = top; n > from; n--) {
    const remembered = ports.chain.bodyHash(n)
    // So far back nothing is remembered that could be compared.
    if (remembered === undefined) return known.n - n
    const body = bodies.get(n)
    if (body !== undefined && bodyHash(body) === remembered) return known.n - n
  }
  return known.n - from
}
