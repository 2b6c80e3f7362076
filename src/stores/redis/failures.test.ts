/** What breaks around the store: the server, its connections, its memory, its scripts. Nothing acknowledged is lost. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import type { Hint, Store } from '../store.ts'
import {
  codeOf,
  messageOf,
  opened,
  opening,
  openRaw,
  type Raw,
  untilUsable,
  type WatchedEntry,
  watchedEntry,
} from './fixtures/redis-test.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('when something breaks', () => {
  let server: RedisServer
  let raw: Raw
  let tests = 0
  let prefix = ''
  const closing: (() => Promise<void> | void)[] = []

  beforeAll(async () => {
    server = await startRedis()
    raw = await openRaw(server.url)
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    prefix = `broken-${++tests}`
  })
  afterAll(async () => {
    raw?.close()
    await server?.dispose()
  })

  async function open(url = server.url, mayLose = false): Promise<Store> {
    const store = await openRedisStore({ url, prefix: prefix || 'broken', mayLose })
    closing.push(() => store.close())
    return store
  }

  it('P7: a server that was killed and started anew has all that it acknowledged, and is told as another', async () => {
    const [one, two] = [await open(), await open()]
    const hints: Hint[][] = [[], []]
    for (const [index, store] of [one, two].entries()) store.watch((hint) => void hints[index]!.push(hint))
    const cursor = await one.journal.cursor()
    const entries = new Map<string, WatchedEntry>()
    const acknowledged: string[] = []
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; index < 10_000; index++) {
        const id = `r${writer}-${index}`
        const entry = watchedEntry({ body: id })
        entries.set(id, entry)
        if ((await codeOf(one.open(opening(id, entry)))) !== 'resolved') return
        acknowledged.push(id)
      }
    })
    await until(() => acknowledged.length > 200)
    await server.kill()
    await Promise.all(writing)
    expect(await codeOf(one.get('r0-0'))).toBe('store_unavailable')
    expect(await codeOf(opened(one, 'while it is away'))).toBe('store_unavailable')

    await server.start()
    raw.close()
    raw = await openRaw(server.url)
    for (const store of [one, two]) await untilUsable(store)
    for (const id of acknowledged) expect((await two.get(id))?.state).toBe('pending')
    const written = await two.journal.read('chain-1', 0, 100_000)
    for (const id of acknowledged) {
      const [n] = entries.get(id)!.numbers
      expect(written[n! - 1]?.body).toBe(id)
    }
    expect(written.map((entry) => entry.n)).toEqual(written.map((_, index) => index + 1))
    // At most the four that were under way are there without having been acknowledged.
    expect(written.length - acknowledged.length).toBeLessThanOrEqual(4)
    for (const told of hints) {
      await until(() => told.some((hint) => hint.replaced !== undefined))
      expect(told.filter((hint) => hint.replaced !== undefined).length).toBe(1)
    }
    expect(await one.journal.feed(cursor, 10)).toEqual({ events: [], complete: false })
  })

  it('P7: who opens the store after the server was started anew is told so, once, when it listens', async () => {
    await (await open()).close()
    await server.stop()
    await server.start()
    raw.close()
    raw = await openRaw(server.url)
    const store = await open()
    const hints: Hint[] = []
    store.watch((hint) => void hints.push(hint))
    store.watch((hint) => void hints.push(hint))
    await until(() => hints.length > 0)
    expect(hints).toEqual([{ local: false, replaced: { from: expect.any(String), to: expect.any(String) } }])
    expect(hints[0]?.replaced?.from).not.toBe(hints[0]?.replaced?.to)
    const next: Hint[] = []
    const another = await open()
    another.watch((hint) => void next.push(hint))
    await opened(another, 'r1')
    expect(next).toEqual([{ local: true, requests: ['r1'] }])
  })

  it('P7: a durable server that was started anew is no alarm, and an outage is told in one short line', async () => {
    const faults: string[] = []
    const store = await openRedisStore({
      url: server.url,
      prefix: `${prefix}-anew`,
      report: ({ doing, error }) => void faults.push(`${doing}: ${(error as Error).message}`),
    })
    closing.push(() => store.close())
    await opened(store, 'r1')
    await server.stop()
    await until(async () => (await codeOf(store.get('r1'))) === 'store_unavailable')
    await until(() => faults.some((fault) => fault.includes('ECONNREFUSED')))
    expect(await messageOf(store.get('r1'))).toMatch(
      /there is no connection to Redis; it is tried again by itself \([^()]+\)$/,
    )
    await server.start()
    raw.close()
    raw = await openRaw(server.url)
    await untilUsable(store)
    await until(() => faults.some((fault) => fault.includes('started anew')))
    expect(faults.join('\n')).toMatch(/was started anew .*kept what it acknowledged: there is nothing to do/)
    expect(faults.join('\n')).not.toMatch(/may lack|opening the store|Redis: hearing of changes/)
    // An emptied one has kept nothing, whatever its settings are.
    await raw.send('FLUSHALL')
    await until(async () => (await codeOf(opened(store, 'r2'))) === 'resolved')
    await until(() => faults.some((fault) => fault.includes('may lack')))
  })

  it('P5: a server that was made a replica takes nothing, and is told as another when it is a primary again', async () => {
    const store = await open(server.url, true)
    await opened(store, 'r1')
    const hints: Hint[] = []
    store.watch((hint) => void hints.push(hint))
    await raw.send('REPLICAOF', '127.0.0.1', '1')
    try {
      expect(await codeOf(opened(store, 'r2'))).toBe('store_unavailable')
      expect(await codeOf(store.get('r1'))).toBe('store_unavailable')
    } finally {
      await raw.send('REPLICAOF', 'NO', 'ONE')
    }
    await untilUsable(store)
    expect((await store.get('r1'))?.state).toBe('pending')
    expect(await store.get('r2')).toBe(undefined)
    await until(() => hints.some((hint) => hint.replaced !== undefined))
  })

  it('P5: what was another server for a moment, or was emptied, is found out though nobody writes', async () => {
    for (const commands of [
      [
        ['REPLICAOF', '127.0.0.1', '1'],
        ['REPLICAOF', 'NO', 'ONE'],
      ],
      [['FLUSHALL']],
    ]) {
      const store = await open(server.url, true)
      const hints: Hint[] = []
      store.watch((hint) => void hints.push(hint))
      for (const command of commands) await raw.send(...command)
      await until(() => hints.some((hint) => hint.replaced !== undefined))
      await untilUsable(store)
    }
  })

  it('P5: a namespace that was deleted is not written into, and told as another', async () => {
    const store = await open()
    await opened(store, 'r1')
    const cursor = await store.journal.cursor()
    const hints: Hint[] = []
    let isThere: Promise<string> | undefined
    store.watch((hint) => {
      hints.push(hint)
      // Whoever is told can use the store at once, to look for what is missing.
      if (hint.replaced !== undefined) isThere = store.get('r1').then((found) => String(found?.state))
    })
    await raw.send('FLUSHALL')
    expect(await codeOf(opened(store, 'r2'))).toBe('store_unavailable')
    await untilUsable(store)
    await until(() => hints.some((hint) => hint.replaced !== undefined))
    expect(await isThere).toBe('undefined')
    expect(await store.journal.feed(cursor, 10)).toEqual({ events: [], complete: false })
    await opened(store, 'r3')
  })

  it('P7: without its scripts the server is given them again, and nothing is lost or done twice', async () => {
    const store = await open()
    const entries = Array.from({ length: 200 }, (_, index) => watchedEntry({ body: `${index}` }))
    const writing: Promise<void>[] = []
    for (const [index, entry] of entries.entries()) {
      if (index % 40 === 20) await raw.send('SCRIPT', 'FLUSH')
      writing.push(store.journal.append(entry))
    }
    await Promise.all(writing)
    const written = await store.journal.read('chain-1', 0, 1000)
    expect(written.length).toBe(entries.length)
    // Those that were under way together may have changed places.
    for (const { body, numbers } of entries) {
      expect(numbers.length).toBe(1)
      expect(written[numbers[0]! - 1]?.body).toBe(body)
    }
    await raw.send('SCRIPT', 'FLUSH')
    expect((await store.list({ state: 'pending' })).items).toEqual([])
  })

  it('P7: a subscriber whose connection was killed is told to look again, and misses nothing', async () => {
    const [writer, listener] = [await open(), await open()]
    const hints: Hint[] = []
    listener.watch((hint) => void hints.push(hint))
    for (let round = 0; round < 3; round++) {
      await raw.send('CLIENT', 'KILL', 'TYPE', 'pubsub')
      const id = `r${round}`
      await opened(writer, id)
      await until(() =>
        hints.some((hint) => !hint.local && (hint.requests === undefined || hint.requests.includes(id))),
      )
      hints.length = 0
    }
    // The last round's own hint may still be on its way; what follows is heard as ever.
    await until(
      async () =>
        ((await raw.send('PUBSUB', 'NUMSUB', `{${prefix || 'broken'}:default}:wake`)) as unknown[])[1] === 2,
    )
    hints.length = 0
    await opened(writer, 'after')
    await until(() => hints.some((hint) => hint.requests?.includes('after') === true))
  })

  it('P10: connections that are killed under load lose no entry that was told, and write none twice', async () => {
    const store = await open()
    const entries = new Map<string, WatchedEntry>()
    const resolved = new Set<string>()
    let next = 0
    let isOver = false
    const writers = Array.from({ length: 8 }, async () => {
      while (!isOver && next < 20_000) {
        const id = `r${next++}`
        const entry = watchedEntry({ body: id })
        entries.set(id, entry)
        if ((await codeOf(store.open(opening(id, entry)))) === 'resolved') resolved.add(id)
        else await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    for (let round = 1; round <= 5; round++) {
      await until(() => resolved.size > round * 40)
      await raw.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    }
    await until(() => resolved.size > 300)
    isOver = true
    await Promise.all(writers)
    await untilUsable(store)
    const written = await store.journal.read('chain-1', 0, 100_000)
    expect(new Set(written.map(({ body }) => body)).size).toBe(written.length)
    for (const [id, { numbers }] of entries) {
      expect(numbers.length).toBe(resolved.has(id) ? 1 : 0)
      if (resolved.has(id)) expect(written[numbers[0]! - 1]?.body).toBe(id)
    }
    for (const { body } of written) expect((await store.get(body))?.version).toBe(1)
  })

  it('P4: a change whose answer is lost fails, and is not made a second time', async () => {
    const proxy = await startProxy(server.port)
    closing.push(() => proxy.close())
    const [store, other] = [await open(`redis://127.0.0.1:${proxy.port}`), await open()]
    await opened(other, 'r1')
    const entry = watchedEntry({ chain: 'chain-2' })
    proxy.swallow()
    const change = {
      id: 'r1',
      version: 1,
      from: 'pending',
      to: 'rejected',
      progress: {},
      deadline: 'none',
    } as const
    const changing = codeOf(store.transition({ ...change, entry }))
    await until(async () => (await other.get('r1'))?.version === 2)
    proxy.cut()
    expect(await changing).toBe('store_unavailable')
    expect(entry.numbers).toEqual([])
    await untilUsable(store)
    expect(await store.get('r1')).toMatchObject({ version: 2, state: 'rejected' })
    expect((await store.journal.read('chain-2', 0, 10)).length).toBe(1)
  })

  it('P5: full memory fails every write as full, and goes on by itself', async () => {
    const store = await open()
    await opened(store, 'r1')
    const entry = watchedEntry()
    await raw.send('CONFIG', 'SET', 'maxmemory', '1')
    try {
      expect(await codeOf(store.open(opening('r2', entry)))).toBe('store_full')
      expect(await codeOf(store.settings.set('key', 1))).toBe('store_full')
      expect(await codeOf(store.deliveries.take(['chat'], 1, 1))).toBe('store_full')
      expect((await store.get('r1'))?.state).toBe('pending')
      expect((await store.list({ state: 'pending' })).items.length).toBe(1)
      const reader = await open()
      expect((await reader.get('r1'))?.state).toBe('pending')
    } finally {
      await raw.send('CONFIG', 'SET', 'maxmemory', '0')
    }
    expect(entry.numbers).toEqual([])
    await opened(store, 'r2')
    expect((await store.journal.chains())[0]).toEqual({ chain: 'chain-1', last: 2 })
  })

  it('P5: a verb that is given what can not be stored fails as one of ours', async () => {
    const store = await open()
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(await codeOf(store.settings.set('key', circle as never))).toBe('store_unavailable')
    expect(await codeOf(store.settings.change('key', undefined, circle as never))).toBe('store_unavailable')
    const lease = { name: 'one', holder: 'a' }
    expect(await codeOf(store.leases.take({ ...lease, leaseMs: Number.NaN }))).toBe('store_unavailable')
    await store.leases.take({ ...lease, leaseMs: Number.POSITIVE_INFINITY })
    expect((await store.leases.list(''))[0]?.holder).toBe('a')
    const { request, ...rest } = opening('r1')
    const openFor = (expiresInMs: number) => store.open({ ...rest, request: { ...request, expiresInMs } })
    expect(await codeOf(openFor(Number.NaN))).toBe('store_unavailable')
    expect((await openFor(Number.POSITIVE_INFINITY)).kind).toBe('opened')
    expect((await store.list({ state: 'pending' })).items.length).toBe(1)
  })

  it("what a listener throws is not the verb's fault", async () => {
    const store = await open()
    store.watch(() => {
      throw new Error('a listener')
    })
    await opened(store, 'r1')
    expect((await store.get('r1'))?.state).toBe('pending')
  })
})

/** Passes bytes on to the server, and can keep the answers back. */
async function startProxy(
  port: number,
): Promise<{ port: number; swallow(): void; cut(): void; close(): void }> {
  const sockets = new Set<Socket>()
  let isSwallowing = false
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => {
      if (!isSwallowing) near.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('a server on loopback has a port')
  const cut = () => {
    isSwallowing = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    swallow: () => {
      isSwallowing = true
    },
    cut,
    close: () => {
      cut()
      proxy.close()
    },
  }
}
