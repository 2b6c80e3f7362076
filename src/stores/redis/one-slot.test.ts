/**
 * On a cluster of three, which refuses every command and script whose keys are not in one slot, the store keeps the contract
 * whichever node it is given the address of; and all keys of a namespace are in one slot.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRedis } from '../../../test/servers/redis.ts'
import { type RedisCluster, startRedisCluster } from '../../../test/servers/redis-cluster.ts'
import { describeRedis } from './fixtures/contract.ts'
import { keysOf } from './fixtures/redis-test.ts'
import { NAMES } from './scripts/pieces/keys.ts'

describe.skipIf(noRedis)('on a cluster', () => {
  let cluster: RedisCluster
  let opens = 0
  const seen = new Set<string>()
  const homes = new Set<string>()

  beforeAll(async () => {
    // The disk is not what is looked at here.
    cluster = await startRedisCluster(3, { appendonly: 'no' })
  })
  afterAll(() => cluster?.dispose())

  describeRedis('redis in a cluster', {
    url: () => cluster.nodes[opens++ % cluster.nodes.length]!.url,
    mayLose: true,
    after: checkSlots,
  })

  it('the contract has met every kind of key that there is, and every node', () => {
    const { wake: _, never: __, ...keys } = NAMES
    expect([...seen].sort()).toEqual(Object.values(keys).sort())
    expect(homes.size).toBe(3)
  })

  async function checkSlots(prefix: string): Promise<void> {
    const slots = new Map<string, number>()
    for (const node of cluster.nodes) {
      for (const key of await keysOf(node, prefix)) {
        const [tag = '', name = ''] = /^(\{[^}]*\}):([a-z-]+:?)/.exec(key)?.slice(1) ?? []
        const slot = await cluster.slotOf(key)
        expect(slots.get(tag) ?? slot).toBe(slot)
        slots.set(tag, slot)
        seen.add(name)
        homes.add(node.id)
      }
      // The next test looks through all keys again.
      await node.send('FLUSHALL')
    }
  }
})
