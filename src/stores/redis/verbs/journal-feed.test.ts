/** The feed under several writers: nothing is ever slipped in before what was read, and a cursor is good on every node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { noRedis, type RedisServer, startRedis } from '../../../../test/servers/redis.ts'
import type { Entry } from '../../../journal/entry.ts'
import type { Store } from '../../store.ts'
import { openRaw, watchedEntry } from '../fixtures/redis-test.ts'
import { openRedisStore } from '../store.ts'

const WRITERS = 3
const EACH = 200

describe.skipIf(noRedis)('the feed', () => {
  let server: RedisServer

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.dispose())

  it('P7: has everything of three writers in one order, whoever reads it and whenever', async () => {
    const options = { url: server.url, prefix: 'feed' }
    const stores: Store[] = []
    for (let index = 0; index < WRITERS; index++) stores.push(await openRedisStore(options))
    const early = await stores[0]!.journal.cursor()
    let isWritten = false
    const writing = Promise.all(
      stores.map(async (store, writer) => {
        for (let index = 0; index < EACH; index += 5) {
          const some = Array.from({ length: 5 }, (_, more) =>
            watchedEntry({ chain: `chain-${writer}`, body: `${writer} ${index + more}` }),
          )
          await Promise.all(some.map((entry) => store.journal.append(entry)))
        }
      }),
    ).then(() => {
      isWritten = true
    })
    const readers = await Promise.all(
      stores.map(async (_, reader) => {
        const seen: string[] = []
        let cursor: string | undefined = reader === 0 ? undefined : early
        await until(async () => {
          const wasWritten = isWritten
          // A page from one node, the next one from another.
          const from = stores[(seen.length + reader) % WRITERS]!
          const { events, complete } = await from.journal.feed(cursor, 7 + reader * 300)
          expect(complete).toBe(true)
          seen.push(...events.map(({ entry }) => nameOf(entry)))
          cursor = events.at(-1)?.cursor ?? cursor
          return wasWritten && events.length === 0
        })
        return seen
      }),
    )
    await writing
    const all = await stores[1]!.journal.feed(undefined, 100_000)
    const order = all.events.map(({ entry }) => nameOf(entry))
    expect(order.length).toBe(WRITERS * EACH)
    for (const seen of readers) expect(seen).toEqual(order)
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = all.events.map(({ entry }) => entry).filter(({ chain }) => chain === `chain-${writer}`)
      expect(own.map(({ n, body }) => `${n} ${body}`)).toEqual(
        Array.from({ length: EACH }, (_, index) => `${index + 1} ${writer} ${index}`),
      )
    }
    for (const store of stores) await store.close()
  })

  it('P5: says so when something of it is missing, or when the cursor is of another epoch', async () => {
    const store = await openRedisStore({ url: server.url, prefix: 'holes' })
    const raw = await openRaw(server.url)
    for (let index = 0; index < 5; index++) await store.journal.append(watchedEntry())
    const { events } = await store.journal.feed(undefined, 10)
    const [epoch] = events[0]!.cursor.split('-')
    const incomplete = { events: [], complete: false }
    expect(await store.journal.feed(`${Number(epoch) + 1}-1`, 10)).toEqual(incomplete)
    expect(await store.journal.feed(`${epoch}-6`, 10)).toEqual(incomplete)
    expect((await store.journal.feed(`${epoch}-5`, 10)).complete).toBe(true)
    await raw.send('XDEL', '{holes:default}:feed', '3-0')
    expect(await store.journal.feed(`${epoch}-1`, 10)).toEqual(incomplete)
    expect((await store.journal.feed(`${epoch}-3`, 10)).events.length).toBe(2)
    raw.close()
    await store.close()
  })
})

function nameOf({ chain, n }: Entry): string {
  return `${chain} ${n}`
}
