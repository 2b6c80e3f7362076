/**
 * On a server in cluster mode, which refuses every command and script whose keys are not in one slot, the store keeps the
 * contract all the same; and all keys of a namespace are in one slot.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import { until } from '../../../test/until.ts'
import { describeStore } from '../../testing/store-suite.ts'
import type { Store } from '../store.ts'
import { keysOf, openRaw, type Raw } from './fixtures/redis-test.ts'
import { NAMES } from './keys.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('on a server in cluster mode', () => {
  let server: RedisServer
  let raw: Raw
  let tests = 0
  const seen = new Set<string>()

  beforeAll(async () => {
    // The disk is not what is looked at here.
    server = await startRedis({ 'cluster-enabled': 'yes', appendonly: 'no' })
    raw = await openRaw(server.url)
    await raw.send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await until(async () => String(await raw.send('CLUSTER', 'INFO')).includes('cluster_state:ok'))
  })
  afterAll(async () => {
    raw?.close()
    await server?.dispose()
  })

  describeStore({ describe, it, expect }, 'redis in cluster mode', async () => {
    const prefix = `slot-${++tests}`
    const opened: Store[] = []
    let at = 0
    const open = async (namespace = 'default') => {
      const store = await openRedisStore({ url: server.url, prefix, namespace, mayLose: true, now: () => at })
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

  it('the contract has met every kind of key that there is', () => {
    const { wake: _, ...keys } = NAMES
    expect([...seen].sort()).toEqual(Object.values(keys).sort())
  })

  async function checkSlots(prefix: string): Promise<void> {
    const slots = new Map<string, unknown>()
    for (const key of await keysOf(raw, prefix)) {
      const [tag = '', name = ''] = /^(\{[^}]*\}):([a-z-]+:?)/.exec(key)?.slice(1) ?? []
      const slot = await raw.send('CLUSTER', 'KEYSLOT', key)
      expect(slots.get(tag) ?? slot).toBe(slot)
      slots.set(tag, slot)
      seen.add(name)
    }
  }
})
