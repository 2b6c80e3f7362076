/** Three servers on one Redis while nodes, lines and the store itself break. All of it: `npm run test:faults`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { afterEach, describe, expect, it } from 'vitest'
import { openRedisStore } from '../../src/stores/redis/index.ts'
import { noRedis, type RedisServer, startRedis } from '../servers/redis.ts'
import type { Audit } from './audit.ts'
import type { Cluster } from './cluster.ts'
import { openCuttableConnection } from './cuttable-connection.ts'
import { expectNothingLost, isLong, PAST_LEASE_MS, runFault } from './run-cluster.ts'

const RUN_WITHIN_MS = 240_000

describe.skipIf(noRedis)('three nodes on Redis', { timeout: RUN_WITHIN_MS }, () => {
  const undo: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  async function start(settings: Record<string, string> = {}): Promise<RedisServer> {
    const server = await startRedis(settings)
    undo.push(() => server.dispose())
    return server
  }

  function run(
    name: string,
    port: number,
    fault: (cluster: Cluster) => Promise<void>,
    mayLose = false,
  ): Promise<Audit> {
    return runFault({
      name: `redis: ${name}`,
      cluster: {
        storePort: port,
        storeUrl: (line) => `redis://127.0.0.1:${line}`,
        ...(mayLose ? { yaml: 'redis: { mayLose: true }\n' } : {}),
      },
      openStore: () => openRedisStore({ url: `redis://127.0.0.1:${port}`, mayLose }),
      fault,
    })
  }

  it('P2 P4 P7 P10: with appendfsync always, killed and started again, it has all that was acknowledged', async () => {
    const server = await start()
    const found = await run('killed and restarted, appendfsync always', server.port, async () => {
      await server.kill()
      await sleep(1000)
      await server.start()
    })
    expectNothingLost(found)
    // It was another run of the server: each node says so.
    expect(found.replaced.length).toBeGreaterThanOrEqual(3)
  })

  it.runIf(isLong)('P2 P4 P7 P10: a node is killed and started again', async () => {
    const server = await start()
    const found = await run('a node killed -9', server.port, async ({ nodes: [one] }) => {
      await one!.server().stop('SIGKILL')
      await sleep(1000)
      await one!.start()
    })
    expectNothingLost(found)
  })

  it.runIf(isLong)('P2 P4 P7 P10: a node is stopped past every lease and goes on', async () => {
    const server = await start()
    const found = await run('a node stopped past its lease', server.port, async ({ nodes: [, two] }) => {
      two!.server().signal('SIGSTOP')
      await sleep(PAST_LEASE_MS)
      two!.server().signal('SIGCONT')
    })
    expectNothingLost(found)
  })

  it.runIf(isLong)('P2 P4 P7 P10: a node is cut off from the store', async () => {
    const server = await start()
    const found = await run('a node cut off', server.port, async ({ nodes: [one] }) => {
      one!.line.cut()
      await sleep(8000)
      one!.line.mend()
    })
    expectNothingLost(found)
  })

  it.runIf(isLong)(
    'P5 P10: with appendfsync everysec a kill of the server loses little, and says so',
    async () => {
      const server = await start({ appendfsync: 'everysec' })
      const found = await run(
        'killed and restarted, appendfsync everysec',
        server.port,
        async () => {
          await server.kill()
          await sleep(1000)
          await server.start()
        },
        true,
      )
      expect(found.replaced.length).toBeGreaterThanOrEqual(3)
      expectReported(found)
    },
  )

  it.runIf(isLong)(
    'P5 P10: a promoted replica lacks what it had not received, and that is counted',
    async () => {
      const primary = await start()
      // Its line to the primary is held a moment before the fall, so that there is something that it lacks.
      const line = await openCuttableConnection(primary.port)
      undo.push(() => line.close())
      const replica = await start({ replicaof: `127.0.0.1 ${line.port}` })
      const front = await openCuttableConnection(primary.port)
      undo.push(() => front.close())
      const found = await run(
        'a replica promoted',
        front.port,
        async () => {
          line.hold()
          await sleep(500)
          await primary.kill()
          line.cut()
          const client = createClient({ url: replica.url })
          client.on('error', () => {})
          await client.connect()
          await client.sendCommand(['REPLICAOF', 'NO', 'ONE'])
          client.destroy()
          front.turnTo(replica.port)
        },
        true,
      )
      expect(found.lost.length).toBeGreaterThan(0)
      expectReported(found)
    },
  )
})

/** What was lost is on the record, in at least as many entries as there were steps that somebody had been told of. */
function expectReported({ lostSteps, replaced, broken, explained }: Audit): void {
  expect(broken).toEqual([])
  const reported = replaced.reduce((sum, entry) => sum + entry.lost, 0)
  expect(reported).toBeGreaterThanOrEqual(lostSteps)
  expect(explained.length > 0).toBe(reported > 0)
}
