/**
 * On a cluster of three, which refuses every command and script whose keys are not in one slot, the store keeps the contract
 * whichever node it is given the address of; and all keys of a namespace are in one slot.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRedis } from '../../../test/servers/redis.ts'
import { type RedisCluster, startRedisCluster } from '../../../test/servers/redis-cluster.ts'
import { describeStore } from '../../testing/store-suite.ts'
import type { Store } from '../store.ts'
import { keysOf } from './fixtures/redis-test.ts'
import { NAMES } from './keys.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('on a cluster', () => {
  let cluster: RedisCluster
  let tests = 0
  let opens = 0
  const seen = new Set<string>()
  const homes = new Set<string>()

  beforeAll(async () => {
    // The disk is not what is looked at here.
    cluster = await startRedisCluster(3, { appendonly: 'no' })
  })
  afterAll(() => cluster?.dispose())

  describeStore({ describe, it, expect }, 'redis in a cluster', async () => {
    const prefix = `slot-${++tests}`
    const opened: Store[] = []
    let at = 0
    const open = async (namespace = 'default') => {
      const { url } = cluster.nodes[opens++ % cluster.nodes.length]!
      const store = await openRedisStore({ url, prefix, namespace, mayLose: true, now: () => at })
      opened.push(store)
      return store
    }
    return {
      store: await open(),
      setTime(time) {
        at = time
      },
      another: (options) => open(options?.namespace),
      async dispose() {
        for (const store of opened) await store.close()
        await checkSlots(prefix)
      },
    }
  })

  it('the contract has met every kind of key that there is, and every node', () => {
    const { wake: _, ...keys } = NAMES
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
    }
  }
})
