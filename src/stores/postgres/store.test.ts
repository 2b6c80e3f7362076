/** The Postgres store keeps the contract, on a real server. */
import { describe } from 'vitest'
import { noPostgres } from '../../../test/servers/postgres.ts'
import { describePostgres } from './fixtures/contract.ts'
import { usePostgres } from './fixtures/postgres-test.ts'

describe.skipIf(noPostgres)('postgres', () => {
  // What a sync costs is nothing that these tests are about.
  const postgres = usePostgres({ fsync: 'off' })

  describePostgres('postgres', postgres, () => ({ url: postgres.server.url }))
})
