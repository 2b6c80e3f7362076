/** The guard's contract in the process of the gateway, on each store. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '../../src/core/defined.ts'
import {
  agent,
  openTestGateway,
  otherAgent,
  type TestGatewayOptions,
} from '../../src/gateway/fixtures/test-gateway.ts'
import { openMemoryStore } from '../../src/stores/memory/store.ts'
import { usePostgres } from '../../src/stores/postgres/fixtures/postgres-test.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { openRedisStore } from '../../src/stores/redis/store.ts'
import { describeGuard } from '../../src/testing/guard-suite.ts'
import { noPostgres } from '../servers/postgres.ts'
import { noRedis, type RedisServer, startRedis } from '../servers/redis.ts'
import { SUITE_POLICY } from './suite-policy.ts'
import { asAgent, peopleOf } from './under-test.ts'

/** Two gateways on what `data` opens, or one where it can't be shared: each test has its own. */
function describeNear(
  name: string,
  data: () => TestGatewayOptions['open'] | undefined,
  { isShared = true } = {},
): void {
  describeGuard({ describe, expect, it }, name, async () => {
    const open = data()
    const setup = await openTestGateway({ policy: SUITE_POLICY, ...defined({ open }) })
    const other = isShared ? await setup.beside() : undefined
    return {
      ...peopleOf(setup),
      guard: asAgent(setup.gateway, agent),
      another: asAgent((other ?? setup).gateway, agent),
      stranger: asAgent(setup.gateway, otherAgent),
      async close() {
        await other?.close()
        await setup.close()
      },
    }
  })
}

describeNear('the gateway, on SQLite', () => undefined)

describeNear('the gateway, in memory', () => (now) => openMemoryStore({ now }), { isShared: false })

describe.skipIf(noPostgres)('Postgres', () => {
  const postgres = usePostgres({ fsync: 'off' })
  let tests = 0
  describeNear('the gateway, on Postgres', () => {
    const namespace = `guard-${++tests}`
    return (now) =>
      openPostgresStore({
        url: postgres.server.url,
        schema: 'guard',
        namespace,
        poolSize: 3,
        mayLose: true,
        now,
      })
  })
})

describe.skipIf(noRedis)('Redis', () => {
  let server: RedisServer
  let tests = 0
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.dispose())
  describeNear('the gateway, on Redis', () => {
    const prefix = `guard-${++tests}`
    return (now) => openRedisStore({ url: server.url, prefix, now })
  })
})
