/** Batches: one round trip for all that waits, a subtransaction for each, and a feed in the order of the commits. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openRequest, testEntry, testOpening } from '../../../test/fixtures/sqlite-files.ts'
import { until } from '../../../test/fixtures/until.ts'
import { noPostgres } from '../../../test/servers/postgres.ts'
import { callRecord, sessionDraft, tokenDraft } from '../../testing/store/drafts.ts'
import type { Hint, Store } from '../store.ts'
import { usePostgres } from './fixtures/postgres-test.ts'

describe.skipIf(noPostgres)('batches', () => {
  const postgres = usePostgres({ fsync: 'off' })

  it('what waits while one is under way goes together as the next, in order and within bounds', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema })
    const entries = Array.from({ length: 300 }, () => testEntry())
    await Promise.all(entries.map((entry) => store.journal.append(entry)))
    expect(entries.map(({ numbers }) => numbers)).toEqual(entries.map((_, index) => [index + 1]))
    // Larger than what goes together: they take several batches, and none is lost or put before another.
    const large = Array.from({ length: 5 }, (_, index) => ({ index, text: 'x'.repeat(1_500_000) }))
    await Promise.all(large.map((value) => store.settings.set('large', value)))
    expect(await store.settings.get('large')).toMatchObject({ index: 4 })
  })

  it('P2: one that fails leaves nothing, and takes nothing of its neighbours with it', async () => {
    const store = await postgres.open({ schema: postgres.schema() })
    await openRequest(store, 'taken')
    await store.tokens.create(tokenDraft('t0'), testEntry())
    const entries = Array.from({ length: 40 }, () => testEntry())
    const outcomes = await Promise.allSettled(
      entries.map((entry, index) => {
        if (index % 4 === 1) return store.tokens.create(tokenDraft('t0'), entry)
        if (index % 4 === 3) return store.open({ ...testOpening('taken', { callId: `c${index}` }), entry })
        return store.journal.append(entry)
      }),
    )
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome.status).toBe(index % 2 === 1 ? 'rejected' : 'fulfilled')
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'store_unavailable' })
    }
    expect(entries.map(({ numbers }) => numbers.length)).toEqual(entries.map((_, index) => 1 - (index % 2)))
    expect((await store.journal.chains())[0]?.last).toBe(2 + 20)
    expect(await store.count('pending')).toBe(1)
    expect((await store.lookup('s1', 'c3', 'deploy')).known).toBe(undefined)
  })

  it('P5: what the server can not take fails alone, whatever is in it', async () => {
    const store = await postgres.open({ schema: postgres.schema() })
    const long = 'x'
      .repeat(10_000)
      .replace(/x/g, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)))
    const [before, tooLong, noNumber, surrogate, after] = await Promise.allSettled([
      store.journal.append(testEntry()),
      // A request's id is a key, and keys have a bound.
      store.open(testOpening(long)),
      store.presence.renew({ channel: 'pet', connection: 'k', subject: 'ana' }, Number.NaN),
      store.settings.set('lone', '\ud800'),
      store.journal.append(testEntry()),
    ])
    expect(tooLong).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable' } })
    expect([before, noNumber, surrogate, after].map(({ status }) => status)).toEqual(
      Array(4).fill('fulfilled'),
    )
    expect(await store.presence.list('pet')).toEqual([])
    expect(await store.count('pending')).toBe(0)
  })

  it('records that nobody waits for share the batch of what comes next', async () => {
    const store = await postgres.open({ schema: postgres.schema() })
    const hints: Hint[] = []
    store.watch((hint) => void hints.push(hint))
    const records = [1, 2, 3].map((index) =>
      store.recordAll({
        calls: [{ call: callRecord(`c${index}`), session: sessionDraft('s1') }],
        entry: testEntry(),
      }),
    )
    await openRequest(store, 'r1')
    expect((await Promise.all(records)).flat().map(({ kind }) => kind)).toEqual(Array(3).fill('recorded'))
    expect(hints).toEqual([{ local: true, requests: ['r1'] }])
  })

  it('a hint names what changed, says nothing of requests where none did, and leaves out what is too long', async () => {
    const schema = postgres.schema()
    const [store, other] = [await postgres.open({ schema }), await postgres.open({ schema })]
    const [near, far]: [Hint[], Hint[]] = [[], []]
    store.watch((hint) => void near.push(hint))
    other.watch((hint) => void far.push(hint))
    const heard = async (requests: string[] | undefined) => {
      const [mine, theirs] = [
        { local: true, requests },
        { local: false, requests },
      ]
      await until(() => far.length > 0 && near.length > 0, 'both were told')
      expect([near.splice(0), far.splice(0)]).toEqual([[mine], [theirs]])
    }
    await openRequest(store, 'r\u0000\u0001é')
    await heard(['r\u0000\u0001é'])
    await store.settings.set('key', 1)
    await heard([])
    await store.transition({
      ...{ id: 'none', version: 1, from: 'pending', to: 'done', progress: {}, deadline: 'none' },
      entry: testEntry(),
    })
    expect([near, far]).toEqual([[], []])
    const long = (index: number) => `${'r'.repeat(300)}${index}`
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.open(testOpening(long(index), { callId: `${index}` }))),
    )
    await until(() => near.length > 0 && far.length > 0, 'all were told')
    expect(far).toEqual([{ local: false }])
  })

  it('P7: nothing is ever inserted before what was read, whoever writes', async () => {
    const schema = postgres.schema()
    const writers = await Promise.all([1, 2, 3].map(() => postgres.open({ schema, poolSize: 2 })))
    const reader = await postgres.open({ schema })
    let writing = true
    const seen: string[] = []
    const reading = (async () => {
      let cursor: string | undefined
      for (let round = 0; round < 10_000; round++) {
        const wasWriting = writing
        const { events, complete } = await reader.journal.feed(cursor, 50)
        expect(complete).toBe(true)
        seen.push(...events.map(({ entry }) => `${entry.chain} ${entry.n}`))
        cursor = events.at(-1)?.cursor ?? cursor
        if (events.length === 0 && !wasWriting) return
      }
    })()
    await Promise.all(
      writers.map(async (store, index) => {
        for (let round = 0; round < 60; round++) {
          const many = Array.from({ length: 1 + (round % 4) }, () => testEntry({ chain: `chain-${index}` }))
          await Promise.all(many.map((entry) => store.journal.append(entry)))
          if (round % 10 === 0) await pause(1)
        }
      }),
    )
    writing = false
    await reading
    const all = (await reader.journal.feed(undefined, 10_000)).events.map(
      ({ entry }) => `${entry.chain} ${entry.n}`,
    )
    expect(all.length).toBe(3 * 15 * (1 + 2 + 3 + 4))
    expect(seen).toEqual(all)
  })

  it('P5: a cursor of another store, or of this one before it was restored, can not be gone on from', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema })
    const other = await postgres.open({ schema: postgres.schema() })
    for (const one of [store, other]) await one.journal.append(testEntry())
    const cursor = await store.journal.cursor()
    const gone = { events: [], complete: false }
    expect(await other.journal.feed(cursor, 9)).toEqual(gone)
    expect((await (await postgres.open({ schema })).journal.feed(cursor, 9)).complete).toBe(true)
    const [before] = await postgres.sql(`SELECT installation FROM ${schema}.banksman_schema`)
    await store.close()
    // As a dump that is read back does: the same rows, in a schema that was made again.
    await postgres.sql(`DROP SCHEMA ${schema} CASCADE`)
    const restored = await postgres.open({ schema })
    await postgres.sql(`UPDATE ${schema}.banksman_schema SET installation = $1`, [before?.installation])
    for (let step = 0; step < 3; step++) await restored.journal.append(testEntry())
    expect(await restored.journal.feed(cursor, 9)).toEqual(gone)
  })

  it('P4: erasing by several nodes at once erases each thing once, and says how many', async () => {
    const schema = postgres.schema()
    const stores: Store[] = await Promise.all([1, 2, 3].map(() => postgres.open({ schema })))
    const calls = Array.from({ length: 30 }, (_, index) => ({
      call: callRecord(`c${index}`),
      session: sessionDraft('s1'),
    }))
    await stores[0]!.recordAll({ calls, entry: testEntry(), isAwaited: true })
    const told: number[] = []
    const erased = await Promise.all(
      stores.map((store, index) =>
        store.calls.erase(callRecord('x').createdAt + 1, 20, (count) => ({
          ...testEntry({ chain: `eraser-${index}` }),
          committed: () => void told.push(count),
        })),
      ),
    )
    const sum = (counts: number[]) => counts.reduce((all, one) => all + one, 0)
    expect(sum(erased)).toBe(sum(told))
    expect(sum(erased)).toBeLessThanOrEqual(30)
    const left = (await stores[0]!.calls.list({})).items.filter(({ bytes }) => bytes !== '')
    expect(left.length).toBe(30 - sum(erased))
  })
})
