/** Three servers on one Postgres while nodes, lines and the store itself break. All of it: `npm run test:faults`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { noPostgres, type PostgresServer, startPostgres } from '../servers/postgres.ts'
import type { Cluster } from './cluster.ts'
import { expectNothingLost, isLong, PAST_LEASE_MS, runFault } from './run-cluster.ts'

const RUN_WITHIN_MS = 240_000

describe.skipIf(noPostgres)('three nodes on Postgres', { timeout: RUN_WITHIN_MS }, () => {
  let server: PostgresServer
  let count = 0
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.dispose())

  async function run(name: string, fault: (cluster: Cluster) => Promise<void>): Promise<void> {
    // A schema a run, so that each audit sees its own.
    const schema = `fault_${++count}`
    const found = await runFault({
      name: `postgres: ${name}`,
      cluster: {
        storePort: server.port,
        storeUrl: (port) => `postgres://banksman@127.0.0.1:${port}/postgres`,
        yaml: `postgres: { schema: ${schema} }\n`,
      },
      openStore: () => openPostgresStore({ url: server.url, schema }),
      fault,
    })
    expectNothingLost(found)
  }

  it('P2 P4 P7 P10: a node is killed and started again', () =>
    run('a node killed -9', async ({ nodes: [one] }) => {
      await one!.server().stop('SIGKILL')
      await sleep(1000)
      await one!.start()
    }))

  it('P2 P4 P7 P10: the server crashes and comes back', () =>
    run('postgres stopped at once and started', async () => {
      await server.stop('immediate')
      await sleep(1000)
      await server.start()
    }))

  it.runIf(isLong)('P2 P4 P7 P10: the server is restarted properly', () =>
    run('postgres restarted', async () => {
      await server.stop('fast')
      await sleep(3000)
      await server.start()
    }),
  )

  it.runIf(isLong)('P2 P4 P7 P10: a node is stopped past every lease and goes on', () =>
    run('a node stopped past its lease', async ({ nodes: [, two] }) => {
      two!.server().signal('SIGSTOP')
      await sleep(PAST_LEASE_MS)
      two!.server().signal('SIGCONT')
    }),
  )

  it.runIf(isLong)('P2 P4 P7 P10: a node is cut off from the store', () =>
    run('a node cut off', async ({ nodes: [one] }) => {
      one!.line.cut()
      await sleep(8000)
      one!.line.mend()
    }),
  )

  it.runIf(isLong)('P2 P4 P7 P10: nothing comes through the line of a node, and nobody tells it', () =>
    run('the line of a node held', async ({ nodes: [one] }) => {
      one!.line.hold()
      await sleep(PAST_LEASE_MS)
      one!.line.mend()
    }),
  )

  it.runIf(isLong)('P2 P4 P7 P10: nodes are killed in turn, over and over', () =>
    run('nodes killed in turn', async ({ nodes }) => {
      for (let round = 0; round < 9; round++) {
        const node = nodes[round % nodes.length]!
        await node.server().stop('SIGKILL')
        await node.start()
      }
    }),
  )
})
