/** The Redis store keeps the contract, on a real server that keeps every command on disk before it answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import { describeStore } from '../../testing/store-suite.ts'
import type { Store } from '../store.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('on a server of its own', () => {
  let server: RedisServer
  let tests = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.dispose())

  describeStore({ describe, it, expect }, 'redis', async () => {
    const prefix = `test-${++tests}`
    const opened: Store[] = []
    let at = 0
    const open = async (namespace = 'default') => {
      const store = await openRedisStore({ url: server.url, prefix, namespace, now: () => at })
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
      },
    }
  })
})
