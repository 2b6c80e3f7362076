/** The Postgres store keeps the contract, on a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noPostgres, type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { describeStore } from '../../testing/store-suite.ts'
import type { Store } from '../store.ts'
import { openPostgresStore } from './store.ts'

describe.skipIf(noPostgres)('postgres', () => {
  let server: PostgresServer
  let schemas = 0

  beforeAll(async () => {
    // What a sync costs is nothing that these tests are about.
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server?.dispose())

  describeStore({ describe, it, expect }, 'postgres', async () => {
    const opened: Store[] = []
    const schema = `test_${++schemas}`
    let at = 0
    const open = async (namespace = 'default') => {
      const store = await openPostgresStore({
        url: server.url,
        schema,
        namespace,
        poolSize: 3,
        mayLose: true,
        now: () => at,
      })
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
