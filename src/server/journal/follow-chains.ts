/**
 * Follows the chains of other nodes, for a node that signs for all: a node that dies, or is made to, can't take back what
 * another one has signed.
 *
 * A chain is followed once it moves while we look, and from its beginning, since a hash follows from all before it. One
 * that had ended before was signed by those who were there then; but one that ends without its last entry was cut off, and
 * is followed to where it got. Each round reads a bounded number of entries: behind a long chain it takes several.
 */
import { type ChainHead, genesis, nextHash } from '../../journal/entry.ts'
import type { JournalPager } from '../../journal/journal-source.ts'

export interface FollowedHead {
  chain: string
  head: ChainHead
}

export interface ChainFollower {
  /** The heads that have moved, and are known to the end that the store counts or as far as a round goes. */
  round(): Promise<FollowedHead[]>
}

const ENTRIES_A_ROUND = 20_000
const PAGE = 1000
/** Whether a chain was closed costs a read: only of the newest. */
const LOOKED_AT = 64

/**
 * @param own The chain that this process writes, and signs itself.
 * @param entriesARound How many are read at most before others have their turn.
 */
export function createChainFollower(
  journal: JournalPager,
  own: string,
  entriesARound: number = ENTRIES_A_ROUND,
): ChainFollower {
  /** How long each chain was when we last saw it. */
  const seen = new Map<string, number>()
  const followed = new Map<string, ChainHead>()
  let isFirst = true

  async function isCutOff(chain: string, last: number): Promise<boolean> {
    const [entry] = await journal.read(chain, last - 1, 1)
    return entry !== undefined && entry.type !== 'chain.closed'
  }

  async function advance(chain: string, last: number, limit: number): Promise<number> {
    let head = followed.get(chain) ?? genesis(chain)
    let taken = 0
    while (head.n < last && taken < limit) {
      const page = await journal.read(chain, head.n, Math.min(PAGE, last - head.n, limit - taken))
      for (const entry of page) {
        // What is missing here `verify` finds; nothing is signed past it.
        if (entry.n !== head.n + 1) return taken
        head = nextHash(head, entry.body)
        taken += 1
      }
      followed.set(chain, head)
      if (page.length === 0) return taken
    }
    return taken
  }

  return {
    async round() {
      const sizes = (await journal.chains()).filter(({ chain }) => chain !== own)
      const looked = new Set(sizes.slice(-LOOKED_AT).map(({ chain }) => chain))
      const moved: FollowedHead[] = []
      let left = entriesARound
      for (const { chain, last } of sizes) {
        const before = seen.get(chain)
        seen.set(chain, last)
        const isNew =
          before === undefined && (!isFirst || (looked.has(chain) && (await isCutOff(chain, last))))
        if (isNew || (before !== undefined && before !== last))
          followed.set(chain, followed.get(chain) ?? genesis(chain))
        const head = followed.get(chain)
        if (head === undefined || head.n >= last || left <= 0) continue
        left -= await advance(chain, last, left)
        const reached = followed.get(chain)
        if (reached !== undefined && reached.n > head.n) moved.push({ chain, head: reached })
      }
      isFirst = false
      return moved
    },
  }
}
