import { beforeEach, describe, expect, it } from 'vitest'
import { type ChainHead, type ChainWriter, createChainWriter } from '../../journal/entry.ts'
import {
  createSigner,
  generateSigningKey,
  pageJournal,
  trustKeys,
  verifyJournal,
} from '../../journal/index.ts'
import { openMemoryStore } from '../../stores/memory/store.ts'
import type { Store } from '../../stores/store.ts'
import { createChainFollower } from './follow-chains.ts'

let store: Store
beforeEach(() => {
  store = openMemoryStore({ now: () => 1 })
})

async function write(chain: ChainWriter, count: number, last?: 'chain.closed'): Promise<ChainHead> {
  for (let index = 0; index < count; index++) {
    const type = last !== undefined && index === count - 1 ? last : 'token.created'
    await store.journal.append(chain.draft(type, 1, { index }))
  }
  return chain.head()
}

describe('following the chains of others', () => {
  it('P10: gives the heads that their writers have, and none twice', async () => {
    const follower = createChainFollower(store.journal, 'own')
    await write(createChainWriter('own'), 3)
    expect(await follower.round()).toEqual([])
    const [one, two] = [createChainWriter('one'), createChainWriter('two')]
    const heads = [await write(one, 3), await write(two, 2)]
    const moved = await follower.round()
    expect(moved.map(({ chain, head }) => [chain, head]).sort()).toEqual([
      ['one', heads[0]],
      ['two', heads[1]],
    ])
    expect(await follower.round()).toEqual([])
    const next = await write(two, 1)
    expect(await follower.round()).toEqual([{ chain: 'two', head: next }])
  })

  it('of those that were there before it reads what was cut off, and leaves what was closed', async () => {
    await write(createChainWriter('closed'), 4, 'chain.closed')
    const head = await write(createChainWriter('cut'), 4)
    const follower = createChainFollower(store.journal, 'own')
    expect(await follower.round()).toEqual([{ chain: 'cut', head }])
  })

  it('a closed one that moves all the same is followed from its beginning', async () => {
    const chain = createChainWriter('late')
    await write(chain, 2, 'chain.closed')
    const follower = createChainFollower(store.journal, 'own')
    expect(await follower.round()).toEqual([])
    expect(await follower.round()).toEqual([])
    const head = await write(chain, 2)
    expect(await follower.round()).toEqual([{ chain: 'late', head }])
  })

  it('reads a long chain over several rounds, and each head on the way is a right one', async () => {
    const chain = createChainWriter('long')
    const head = await write(chain, 2500)
    const pages: number[] = []
    const counted = {
      chains: store.journal.chains,
      read(name: string, after: number, limit: number) {
        pages.push(limit)
        return store.journal.read(name, after, limit)
      },
    }
    const follower = createChainFollower(counted, 'own', 1000)
    const first = await follower.round()
    expect(first[0]?.head.n).toBe(1000)
    await follower.round()
    const [last] = await follower.round()
    expect(last).toEqual({ chain: 'long', head })
    expect(Math.max(...pages)).toBeLessThanOrEqual(1000)
    // Each is a checkpoint that verifies.
    const { privateKey, publicKey } = generateSigningKey()
    const signer = createSigner(privateKey)
    const checkpoints = [...first, last!].map((each) => signer.checkpoint(each.chain, each.head, 1))
    const report = await verifyJournal(pageJournal(store.journal), {
      checkpoints,
      keys: trustKeys(publicKey),
    })
    expect(report.problems).toEqual([])
    expect(report.chains[0]).toMatchObject({ provenUpTo: 2500 })
  })
})
