/** A replica that takes the place of its primary has what it had received by then, and nobody was told how much that is. */
import { afterEach, describe, expect, it } from 'vitest'
import { openCuttableConnection } from '../../../test/faults/cuttable-connection.ts'
import { until } from '../../../test/fixtures/until.ts'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import type { Hint, Store } from '../store.ts'
import { codeOf, opened, openRaw, type Raw } from './fixtures/redis-test.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('a promoted replica', () => {
  const closing: (() => void | Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function start(): Promise<RedisServer> {
    const server = await startRedis()
    closing.push(() => server.dispose())
    return server
  }

  async function open(port: number, mayLose = false, faults: string[] = []): Promise<Store> {
    const store = await openRedisStore({
      url: `redis://127.0.0.1:${port}`,
      mayLose,
      report: ({ error }) => void faults.push((error as Error).message),
    })
    closing.push(() => store.close())
    return store
  }

  /** A primary with `r1`, a replica that has it too, and an address that leads to one of them. */
  async function pair() {
    const [primary, replica] = [await start(), await start()]
    const address = await openCuttableConnection(primary.port)
    closing.push(() => address.close())
    const raw: Raw = await openRaw(replica.url)
    closing.push(() => raw.close())
    await raw.send('REPLICAOF', '127.0.0.1', String(primary.port))
    await until(async () => String(await raw.send('INFO', 'replication')).includes('master_link_status:up'))
    // A new replica writes its log anew, and until it has, it keeps nothing on its disk.
    await until(async () =>
      String(await raw.send('INFO', 'persistence')).includes('aof_rewrite_in_progress:0'),
    )
    // The first replica of a server gives it another replication id.
    const store = await open(address.port)
    await opened(store, 'r1')
    await until(async () => ((await raw.send('KEYS', '*request:r1')) as string[]).length === 1)
    const promote = async () => {
      await raw.send('REPLICAOF', 'NO', 'ONE')
      address.turnTo(replica.port)
      await primary.kill()
    }
    return { store, address, replica, promote }
  }

  it('P4: is refused by who was there before and by who comes, so that nothing is claimed a second time', async () => {
    const { store, address, replica, promote } = await pair()
    await promote()
    const code = await codeOf(open(address.port))
    expect(code).toBe('invalid_configuration')
    await expect(open(address.port)).rejects.toThrow(/was a replica .*mayLose/)
    expect(['store_unavailable', 'invalid_configuration']).toContain(await codeOf(store.get('r1')))
    expect(['store_unavailable', 'invalid_configuration']).toContain(await codeOf(opened(store, 'r2')))
    // Started anew it looks like any other; that it was refused is not forgotten.
    await replica.kill()
    await replica.start()
    await expect(open(address.port)).rejects.toThrow(/was a replica .*mayLose/)
    await open(address.port, true)
    expect((await (await open(address.port)).get('r1'))?.state).toBe('pending')
  })

  it('P10: is taken where loss was accepted, told as another, and from then on by everybody', async () => {
    const { address, promote } = await pair()
    await promote()
    const faults: string[] = []
    const store = await open(address.port, true, faults)
    const hints: Hint[] = []
    store.watch((hint) => void hints.push(hint))
    await until(() => hints.some(({ replaced }) => replaced !== undefined))
    expect(faults.join()).toMatch(/another server than before/)
    expect((await store.get('r1'))?.state).toBe('pending')
    await opened(store, 'r2')
    const strict = await open(address.port)
    expect((await strict.get('r2'))?.state).toBe('pending')
  })
})
