/** In a cluster a namespace does not stay where it was: its slot is moved, nodes die, and replicas take over. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { noRedis } from '../../../test/servers/redis.ts'
import { type RedisCluster, startRedisCluster } from '../../../test/servers/redis-cluster.ts'
import { START } from '../../testing/store/drafts.ts'
import type { Hint, Store } from '../store.ts'
import type { RedisStoreOptions } from './database/database.ts'
import { furnish, keeping, VERBS, type Verb } from './fixtures/every-write.ts'
import {
  codeOf,
  digestsOf,
  messageOf,
  opened,
  untilUsable,
  type WatchedEntry,
} from './fixtures/redis-test.ts'
import { inspectRedis } from './inspect.ts'
import { createKeys } from './scripts/pieces/keys.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('in a cluster', () => {
  /** For those that end with all nodes as they began. */
  let shared: RedisCluster
  beforeAll(async () => {
    shared = await startRedisCluster(3, { 'enable-debug-command': 'yes' })
  })
  afterAll(() => shared?.dispose())

  const closing: (() => void | Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function start(): Promise<RedisCluster> {
    const cluster = await startRedisCluster(3)
    closing.push(() => cluster.dispose())
    return cluster
  }

  async function open(url: string, options: Partial<RedisStoreOptions> = {}): Promise<Store> {
    const store = await openRedisStore({ url, ...options })
    closing.push(() => store.close())
    return store
  }

  const meta = (prefix = 'banksman') => createKeys(prefix, 'default')('meta')

  it('P2: of changes that are made through different nodes one wins, and all hear of it', async () => {
    const stores = await Promise.all(shared.nodes.map(({ url }) => open(url, { prefix: 'won' })))
    await opened(stores[0]!, 'r1')
    const heard = stores.map(() => [] as Hint[])
    for (const [index, store] of stores.entries()) store.watch((hint) => void heard[index]!.push(hint))
    const change = { id: 'r1', version: 1, from: 'pending', to: 'approved', progress: {} } as const
    const results = await Promise.all(
      stores.map((store) =>
        store.transition({ ...change, deadline: 'none', entry: keeping([])() }).then(({ won }) => won),
      ),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    await until(() => heard.every((hints) => hints.some(({ requests }) => requests?.includes('r1'))))
  })

  it('P7: a slot that is moved under load takes all with it, and the store goes on where it is', async () => {
    const home = await shared.homeOf(meta('moved'))
    const other = shared.nodes.find((node) => node !== home)!
    const store = await open(other.url, { prefix: 'moved' })
    const hints: Hint[] = []
    store.watch((hint) => void hints.push(hint))
    const told: string[] = []
    let isOver = false
    const load = (async () => {
      for (let count = 0; !isOver && count < 100_000; count++) {
        const id = `r${count}`
        if ((await codeOf(opened(store, id))) === 'resolved') told.push(id)
        else await pause(5)
      }
    })()
    await until(() => told.length >= 50, 'there is something to move')
    await shared.moveSlot(await shared.slotOf(meta('moved')), home, other)
    const before = told.length
    await until(() => told.length >= before + 50, 'it goes on at the other node')
    isOver = true
    await load
    expect(await other.send('EXISTS', meta('moved'))).toBe(1)
    for (const id of told) expect((await store.get(id))?.id).toBe(id)
    // Messages are heard where they are published.
    const channel = createKeys('moved', 'default')('wake')
    const listeners = async () => [
      await other.send('PUBSUB', 'NUMSUB', channel),
      await home.send('PUBSUB', 'NUMSUB', channel),
    ]
    await until(
      async () =>
        JSON.stringify(await listeners()) ===
        JSON.stringify([
          [channel, 1],
          [channel, 0],
        ]),
    )
    // It is another server, which is told; the journal shows that it lacks nothing.
    expect(hints.filter(({ replaced }) => replaced !== undefined)).toHaveLength(1)
    const written = await store.journal.read('chain-1', 0, 100_000)
    expect(written.map(({ n }) => n)).toEqual(written.map((_, index) => index + 1))
    expect(written.length).toBeGreaterThanOrEqual(told.length)
  })

  it('P7: who only reads follows a slot that was moved, too', async () => {
    const home = await shared.homeOf(meta('read'))
    const [named, other] = shared.nodes.filter((node) => node !== home)
    const faults: string[] = []
    const store = await open(named!.url, {
      prefix: 'read',
      report: ({ error }) => void faults.push((error as Error).message),
    })
    await opened(store, 'r1')
    await shared.moveSlot(await shared.slotOf(meta('read')), home, other!)
    await until(async () => (await store.get('r1').catch(() => undefined))?.id === 'r1')
    expect(faults.join()).toContain(
      `is at another node of the Redis cluster, redis://127.0.0.1:${other!.port}`,
    )
  })

  it('the node that was named may be gone: the one that holds the namespace is found again', async () => {
    const cluster = await start()
    const home = await cluster.homeOf(meta())
    const named = cluster.nodes.find((node) => node !== home)!
    const store = await open(named.url)
    await opened(store, 'r1')
    await named.kill()
    await home.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await untilUsable(store)
    expect((await store.get('r1'))?.id).toBe('r1')
  })

  it('P4: a replica that took over is refused, wherever its slot is moved, and taken where something may be lost', async () => {
    const cluster = await start()
    const home = await cluster.homeOf(meta())
    const [named, third] = cluster.nodes.filter((node) => node !== home)
    const replica = await cluster.addReplica(home)
    const store = await open(named!.url)
    await opened(store, 'r1')
    await until(async () => Number(await replica.send('DBSIZE')) === Number(await home.send('DBSIZE')))
    await home.kill()
    const isRefused = async () => /was a replica/.test(await messageOf(open(named!.url)))
    await until(isRefused, 'the replica has taken over, and is refused')
    expect(await codeOf(store.get('r1'))).toBe('store_unavailable')
    await cluster.moveSlot(await cluster.slotOf(meta()), replica, third!)
    await until(async () => (await third!.send('EXISTS', meta()).catch(() => 0)) === 1)
    // Of this node itself nothing shows that it holds what a replica had.
    await until(isRefused, 'the other node knows of it, too')
    const lax = await open(named!.url, { mayLose: true })
    expect((await lax.get('r1'))?.id).toBe('r1')
    expect((await (await open(named!.url)).get('r1'))?.id).toBe('r1')
  })

  it('the doctor looks at the node that holds the namespace', async () => {
    const home = await shared.homeOf(meta())
    const named = shared.nodes.find((node) => node !== home)!
    await home.send('CONFIG', 'SET', 'appendfsync', 'everysec')
    const findings = await inspectRedis({ url: named.url })
    await home.send('CONFIG', 'SET', 'appendfsync', 'always')
    expect(findings[0]).toMatchObject({
      kind: 'ok',
      detail: expect.stringContaining(`127.0.0.1:${home.port}`),
    })
    expect(findings.some(({ kind, detail }) => kind === 'problem' && /everysec/.test(detail))).toBe(true)
  })

  it('P5, P10: while a slot moves, no verb changes anything, whatever is already gone', async () => {
    let cases = 0

    /** A namespace of its own, whose slot begins to move when these keys have gone already. */
    async function tryOn(verb: Verb, gone?: string[]) {
      const prefix = `case-${++cases}`
      const store = await openRedisStore({ url: shared.nodes[0]!.url, prefix, now: () => START })
      await furnish(store)
      const home = await shared.homeOf(meta(prefix))
      const slot = String(await shared.slotOf(meta(prefix)))
      const before = await digestsOf(home, prefix)
      if (gone !== undefined) {
        const to = shared.nodes.find((node) => node !== home)!
        for (const key of gone) await home.send('DEL', key.replace('*', prefix))
        await home.send('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
      }
      const entries: WatchedEntry[] = []
      const code = await codeOf(verb(store, keeping(entries)))
      await home.send('CLUSTER', 'SETSLOT', slot, 'STABLE')
      const after = await digestsOf(home, prefix)
      await store.close()
      const plain = (digests: [string, string][]) =>
        new Map(digests.map(([key, digest]) => [key.replace(prefix, '*'), digest]))
      return { code, before: plain(before), after: plain(after), entries }
    }

    for (const [name, verb] of Object.entries(VERBS)) {
      const { before, after } = await tryOn(verb)
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (key) => before.get(key) !== after.get(key),
      )
      expect([name, changed.length]).not.toEqual([name, 0])
      const others = changed.filter((key) => !key.endsWith(':meta'))
      const all = await Promise.all(
        [[], others].map(async (gone) => ({ gone, tried: await tryOn(verb, gone) })),
      )
      for (const { gone, tried } of all) {
        expect([name, gone, tried.code]).toEqual([name, gone, 'store_unavailable'])
        for (const key of gone) tried.before.delete(key)
        expect([name, gone, tried.after]).toEqual([name, gone, tried.before])
        expect(tried.entries.flatMap(({ numbers }) => numbers)).toEqual([])
      }
    }
  })
})
