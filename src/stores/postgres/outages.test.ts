/** What breaks between a store and its server: nothing is half-done, nothing is done twice, and it goes on by itself. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRequest, testEntry, testOpening } from '../../../test/fixtures/sqlite-files.ts'
import { until } from '../../../test/fixtures/until.ts'
import { noPostgres, startPostgres } from '../../../test/servers/postgres.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { createServerClock } from '../server-clock.ts'
import type { Hint, Store } from '../store.ts'
import { readPostgresAddress } from './database/address.ts'
import { openListener } from './database/listener.ts'
import { startProxy, usePostgres } from './fixtures/postgres-test.ts'

describe.skipIf(noPostgres)('outages', () => {
  const postgres = usePostgres()

  function watched(store: Store): Hint[] {
    const hints: Hint[] = []
    store.watch((hint) => void hints.push(hint))
    return hints
  }

  /** The last statement on a connection that listens. */
  const LISTENING = '%clock_timestamp()) * 1000 AS at%'

  /** How many connections have a last statement like this. */
  const like = async (statement: string) =>
    (
      await postgres.sql('SELECT 1 FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()', [
        statement,
      ])
    ).length

  /** Ends the connections of the server whose last statement is like this. */
  async function terminate(statement: string): Promise<number> {
    const rows = await postgres.sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()',
      [statement],
    )
    return rows.length
  }

  /** Holds the lock of the namespace, so that a batch is in the middle of its work. */
  async function holdLock(schema: string): Promise<() => Promise<unknown>> {
    const client = await postgres.connection()
    await client.query('BEGIN')
    await client.query(`SELECT 1 FROM ${schema}.namespaces FOR UPDATE`)
    return () => client.query('ROLLBACK')
  }

  const isWaiting = async () =>
    (
      await postgres.sql(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%apply_v2%'",
      )
    ).length > 0

  async function codes(promises: Promise<unknown>[]): Promise<unknown[]> {
    const outcomes = await Promise.allSettled(promises)
    return outcomes.map((outcome) => {
      if (outcome.status === 'fulfilled') return 'done'
      return isBanksmanError(outcome.reason) ? outcome.reason.code : outcome.reason
    })
  }

  it('P7: when the connection that listens is ended, all is read again and nothing is missed', async () => {
    const schema = postgres.schema()
    const faults: string[] = []
    const store = await postgres.open({ schema })
    const other = await postgres.open({ schema, report: ({ doing }) => void faults.push(doing) })
    const hints = watched(other)
    for (let round = 0; round < 3; round++) {
      await until(async () => (await like(LISTENING)) === 2, 'both listen')
      // Both lose theirs; what is written meanwhile is heard by nobody.
      expect(await terminate(LISTENING)).toBe(2)
      hints.length = 0
      await openRequest(store, `r${round}`)
      await until(() => hints.some(({ local, requests }) => !local && !requests), 'any may have changed')
      expect((await other.get(`r${round}`))?.state).toBe('pending')
    }
    await openRequest(store, 'last')
    await until(() => hints.some(({ requests }) => requests?.includes('last') === true), 'it is named again')
    expect(faults.length).toBeGreaterThanOrEqual(3)
  })

  it('P7: a connection that is ended in the middle of a batch leaves nothing half-done', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema })
    await openRequest(store, 'r0')
    const hints = watched(store)
    const release = await holdLock(schema)
    const opening = codes([1, 2, 3].map((index) => store.open(testOpening(`r${index}`))))
    const reading = store.get('r0')
    await until(isWaiting, 'the batch waits for the lock')
    // These are not part of it: they go as the next.
    const next = codes([4, 5].map((index) => store.open(testOpening(`r${index}`))))
    expect(await terminate('%apply_v2%')).toBeGreaterThan(0)
    expect(await opening).toEqual(['store_unavailable', 'store_unavailable', 'store_unavailable'])
    await release()
    expect(await next).toEqual(['done', 'done'])
    expect((await reading)?.state).toBe('pending')
    expect(hints[0]).toEqual({ local: false })
    const { items } = await store.list({ state: 'pending' })
    expect(items.map(({ id }) => id)).toEqual(['r0', 'r4', 'r5'])
    expect(await store.journal.chains()).toEqual([{ chain: 'c', last: 3 }])
    expect(await store.count('pending')).toBe(3)
  })

  it('P2: an answer that is lost is never asked for again: it was done once, and nobody is told that it was', async () => {
    const schema = postgres.schema()
    const proxy = await startProxy(postgres.server)
    const store = await postgres.open({ schema, url: proxy.url, listenUrl: postgres.server.url })
    await openRequest(store, 'r0')
    proxy.cutAnswers()
    const opening = testOpening('r1')
    expect(await codes([store.open(opening), store.journal.append(testEntry())])).toEqual([
      'store_unavailable',
      'store_unavailable',
    ])
    expect(opening.entry.numbers).toEqual([])
    proxy.restore()
    expect((await store.get('r1'))?.version).toBe(1)
    expect((await store.journal.chains())[0]?.last).toBe(3)
    expect((await store.open(opening)).kind).toBe('existing')
  })

  it('a server that is stopped and started again is used again, without anybody doing anything', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema })
    const other = await postgres.open({ schema })
    await openRequest(store, 'r0')
    const hints = watched(other)
    for (const mode of ['fast', 'immediate'] as const) {
      const release = await holdLock(schema)
      const caught = store.open(testOpening(`caught-${mode}`))
      const outcome = codes([caught])
      await until(isWaiting, 'the batch waits for the lock')
      await postgres.server.stop(mode)
      // Whoever holds the lock may be ended before the batch is, which then still has its turn.
      const [said] = await outcome
      expect(['done', 'store_unavailable']).toContain(said)
      await release().catch(() => {})
      expect(await codes([store.get('r0'), store.journal.append(testEntry())])).toEqual([
        'store_unavailable',
        'store_unavailable',
      ])
      hints.length = 0
      await postgres.server.start()
      await openRequest(store, `after-${mode}`)
      await until(() => hints.length > 0, 'the other listens again')
      expect((await other.get(`after-${mode}`))?.state).toBe('pending')
      if (said === 'done') expect((await other.get(`caught-${mode}`))?.state).toBe('pending')
    }
    hints.length = 0
    await openRequest(store, 'last')
    await until(() => hints.some(({ requests }) => requests?.includes('last') === true), 'it is named')
  })

  it('P5: a lock that somebody keeps is told as such, and the batch is not written later', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema })
    await openRequest(store, 'r0')
    const release = await holdLock(schema)
    expect(await codes([store.open(testOpening('r1'))])).toEqual(['store_locked'])
    await release()
    expect(await store.get('r1')).toBe(undefined)
    await openRequest(store, 'r2')
  })

  it('P7: a connection that says nothing any more is taken for dead', async () => {
    const proxy = await startProxy(postgres.server)
    const hints: Hint[] = []
    const faults: unknown[] = []
    const listener = await openListener({
      address: readPostgresAddress('url', proxy.url),
      channel: 'somewhere',
      isOwn: (origin) => origin === 'me',
      clock: createServerClock(),
      tell: (hint) => void hints.push(hint),
      async connected() {},
      report: ({ error }) => void faults.push(error),
      pingMs: 10,
      answerMs: 200,
    })
    onTestFinished(() => listener.close())
    proxy.freeze()
    await until(() => faults.length > 0, 'it is noticed')
    expect(faults[0]).toMatchObject({ code: 'store_unavailable' })
    proxy.restore()
    await until(() => hints.length > 0, 'it listens again')
    expect(hints[0]).toEqual({ local: false })
    await postgres.sql('SELECT pg_notify(\'somewhere\', \'{"origin":"you","requests":["r1"]}\')')
    await until(() => hints.some(({ requests }) => requests?.[0] === 'r1'), 'it hears')
  })

  it('P7: a write that is committed after it was given up is told of, as another node’s', async () => {
    const schema = postgres.schema()
    const proxy = await startProxy(postgres.server)
    const store = await postgres.open({ schema, url: proxy.url, listenUrl: postgres.server.url })
    await openRequest(store, 'r0')
    const hints = watched(store)
    const letGo = await holdLock(schema)
    const opening = codes([store.open(testOpening('r1'))])
    await until(isWaiting, 'it waits for the lock')
    proxy.hangUp()
    expect(await opening).toEqual(['store_unavailable'])
    expect(await store.get('r1')).toBe(undefined)
    hints.length = 0
    await letGo()
    await until(() => hints.length > 0, 'it is told')
    expect(hints).toEqual([{ local: false, requests: ['r1'] }])
    expect(await store.get('r1')).toMatchObject({ state: 'pending' })
  })

  it('P7: every node is told that another server took over, whichever noted it first', async () => {
    const server = await startPostgres({ restore_command: 'false' })
    onTestFinished(() => server.dispose())
    const options = { schema: postgres.schema(), url: server.url }
    const stores = [await postgres.open(options), await postgres.open(options)]
    const told = stores.map(watched)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query<{ folder: string }>(
      "SELECT current_setting('data_directory') AS folder",
    )
    await client.end()
    await server.stop()
    // It comes up as one that was restored from an archive does: on a timeline of its own.
    writeFileSync(join(rows[0]!.folder, 'recovery.signal'), '')
    await server.start()
    const replaced = (hints: Hint[]) => hints.flatMap((hint) => hint.replaced ?? [])
    await until(() => told.every((hints) => replaced(hints).length > 0), 'both are told')
    for (const hints of told) {
      expect(replaced(hints)).toEqual([
        { from: expect.stringContaining('timeline 1'), to: expect.stringContaining('timeline 2') },
      ])
    }
  })

  it('P7: a server that took over is told of once, to the first that listens', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema })
    expect(watched(store)).toEqual([])
    await store.close()
    // What a failover or a restore changes.
    await postgres.sql(`UPDATE ${schema}.banksman_schema SET server = 'another'`)
    const [one, two] = [await postgres.open({ schema }), await postgres.open({ schema })]
    const [first, second, other] = [watched(one), watched(one), watched(two)]
    await until(() => first.length > 0, 'it is told')
    expect(first).toEqual([
      { local: false, replaced: { from: 'another', to: expect.stringContaining('timeline 1') } },
    ])
    await pause(50)
    expect([first.length, second, other]).toEqual([1, [], []])
  })

  it('P7: a commit that its standby may not have is no success, though the server says that it is', async () => {
    const store = await postgres.open({ schema: postgres.schema() })
    await openRequest(store, 'r0')
    await postgres.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    await postgres.sql('SELECT pg_reload_conf()')
    try {
      const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      let outcome: Promise<unknown[]> | undefined
      // A server takes a moment to read its settings.
      await until(async () => {
        outcome = codes([store.journal.append(testEntry())])
        await Promise.race([outcome, pause(200)])
        return (await postgres.sql(waiting)).length > 0
      }, 'a write waits for the standby')
      await postgres.sql(`SELECT pg_cancel_backend(pid) FROM (${waiting}) w`)
      expect(await outcome).toEqual(['store_unavailable'])
    } finally {
      await postgres.sql('ALTER SYSTEM RESET synchronous_standby_names')
      await postgres.sql('SELECT pg_reload_conf()')
    }
    await until(async () => (await codes([store.journal.append(testEntry())]))[0] === 'done', 'it goes on')
  })

  it('closes while the server is away', async () => {
    const store = await postgres.open({ schema: postgres.schema() })
    await postgres.server.stop('immediate')
    const lost = codes([store.open(testOpening('r1'))])
    await store.close()
    expect(await lost).toEqual(['store_unavailable'])
    await postgres.server.start()
    expect(await codes([store.get('r1')])).toEqual(['closed'])
  })
})
