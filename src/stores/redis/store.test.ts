/** The Redis store keeps the contract, on a real server that keeps every command on disk before it answers. */
import { afterAll, beforeAll, describe } from 'vitest'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import { describeRedis } from './fixtures/contract.ts'

describe.skipIf(noRedis)('on a server of its own', () => {
  let server: RedisServer

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.dispose())

  describeRedis('redis', { url: () => server.url })
})
