/** Calls that somebody else runs, on the stores that several nodes share: each step is made by another node. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  aCall,
  agent,
  approve,
  newestRequest,
  openTestGateway,
  type TestGateway,
} from '../../src/gateway/fixtures/test-gateway.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { openRedisStore } from '../../src/stores/redis/index.ts'
import type { Store } from '../../src/stores/store.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { noPostgres, startPostgres } from '../servers/postgres.ts'
import { noRedis, startRedis } from '../servers/redis.ts'

const TWO_HOURS = 2 * 60 * 60_000

interface StoreServer {
  dispose(): Promise<void>
  open(name: string, now: () => number): Promise<Store>
}

async function postgres(): Promise<StoreServer> {
  const server = await startPostgres({ fsync: 'off' })
  return {
    dispose: () => server.dispose(),
    open: async (name, now) =>
      openPostgresStore({ url: server.url, schema: name, poolSize: 2, mayLose: true, now }),
  }
}

async function redis(): Promise<StoreServer> {
  const server = await startRedis({ appendfsync: 'no' })
  return {
    dispose: () => server.dispose(),
    open: async (name, now) => openRedisStore({ url: server.url, prefix: name, mayLose: true, now }),
  }
}

describe.each([
  ['Postgres', noPostgres, postgres],
  ['Redis', noRedis, redis],
] as const)('on %s, a call that is handed over', (_, isAbsent, start) => {
  let server: StoreServer
  let clock: FakeClock
  let name: string
  let names = 0
  const nodes: TestGateway[] = []
  beforeAll(async () => {
    if (!isAbsent) server = await start()
  })
  afterAll(() => server?.dispose())
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close()
  })

  async function node(): Promise<TestGateway> {
    const opened = await openTestGateway({
      policy: { allow: ['read'] },
      clock,
      open: (now) => server.open(name, now),
    })
    nodes.push(opened)
    return opened
  }

  /** Approved at one node while its hook waits at another. */
  async function handedOver() {
    clock = createFakeClock()
    name = `handed_${++names}`
    const [here, there] = [await node(), await node()]
    const call = aCall()
    const giving = here.gateway.handOver(call, { joinToken: 'tok_1', reportedAs: call.callId }, agent)
    const request = await newestRequest(there)
    await approve(there, request)
    expect(await giving).toMatchObject({ kind: 'handed_over', requestId: request.id })
    const reported = { session: call.session, callId: call.callId, tool: call.tool, ok: true }
    return { there, call, id: request.id, reported }
  }

  it.skipIf(isAbsent)('P4: is reported by another node', async () => {
    const { there, id, reported } = await handedOver()
    await there.gateway.reportHandedOver(reported, agent)
    expect((await there.store.get(id))?.progress.outcome).toMatchObject({ kind: 'ok', by: 'agent-1' })
  })

  it.skipIf(isAbsent)('P4: is ended by another node, and reported late', async () => {
    const { there, call, id, reported } = await handedOver()
    expect(await there.gateway.endHandedOver(call.session, agent)).toBe(1)
    expect((await there.store.get(id))?.state).toBe('unknown')
    await there.gateway.reportHandedOver(reported, agent)
    expect((await there.store.get(id))?.progress.outcome).toMatchObject({ kind: 'ok', late: true })
  })

  it.skipIf(isAbsent)('P4: is unknown when its time is over', async () => {
    const { there, id } = await handedOver()
    clock.jump(TWO_HOURS - 1)
    await there.gateway.expire()
    expect((await there.store.get(id))?.state).toBe('running')
    clock.jump(1)
    await there.gateway.expire()
    expect((await there.store.get(id))?.state).toBe('unknown')
  })

  it.skipIf(isAbsent)('waits in rounds at any node, and all of them count together', async () => {
    clock = createFakeClock()
    name = `waiting_${++names}`
    const call = aCall()
    for (const round of [1, 2, 3]) {
      const { gateway, store } = await node()
      const again = { ...call, callId: `round-${round}` }
      const told = await gateway.handOver(again, { joinToken: 'tok_1', holdMs: 0 }, agent)
      expect(told).toMatchObject({ kind: 'pending', times: round })
      expect((await store.list({ state: 'pending' })).items).toHaveLength(1)
    }
  })

  it.skipIf(isAbsent)('P10: that nobody was asked about is reported by another node', async () => {
    clock = createFakeClock()
    name = `allowed_${++names}`
    const [here, there] = [await node(), await node()]
    const call = aCall({ tool: 'read', arguments: {} })
    const given = await here.gateway.handOver(call, { joinToken: 'tok_1', reportedAs: call.callId }, agent)
    expect(given).toMatchObject({ kind: 'handed_over', byPerson: false })
    const { session, callId, tool } = call
    await there.gateway.reportHandedOver({ session, callId, tool, ok: true }, agent)
    expect((await there.store.lookup(session, callId, '')).known?.hold).toMatchObject({ state: 'done' })
  })
})
