/** What a store asks of a server and of a schema before it keeps anything there, and what it says when that is missing. */

import { readFileSync, writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openRequest, testEntry } from '../../../test/fixtures/sqlite-files.ts'
import { until } from '../../../test/fixtures/until.ts'
import { noPostgres } from '../../../test/servers/postgres.ts'
import { type BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { createStoreProbe } from '../../server/stores/store-probe.ts'
import { callRecord, START } from '../../testing/store/drafts.ts'
import { usePostgres } from './fixtures/postgres-test.ts'
import { inspectPostgres } from './inspect.ts'
import { openPostgresStore } from './store.ts'

describe.skipIf(noPostgres)('opening', () => {
  const postgres = usePostgres({ fsync: 'off' })

  async function refusal(options: Parameters<typeof postgres.open>[0]): Promise<BanksmanError> {
    try {
      await postgres.open(options)
    } catch (error) {
      if (isBanksmanError(error)) return error
      throw error
    }
    throw new Error('it was opened')
  }

  /** A URL of a role that may only connect. */
  async function roleUrl(role: string, password = 'pass/w:rd'): Promise<string> {
    await postgres.sql(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
    const url = new URL(postgres.server.url)
    url.username = role
    url.password = encodeURIComponent(password)
    return url.href
  }

  it('several at once on an empty database all succeed', async () => {
    const schema = postgres.schema()
    const stores = await Promise.all(Array.from({ length: 4 }, () => postgres.open({ schema, poolSize: 1 })))
    await openRequest(stores[0]!, 'r1')
    for (const store of stores) expect((await store.get('r1'))?.state).toBe('pending')
    expect(await postgres.sql(`SELECT number FROM ${schema}.banksman_schema`)).toEqual([{ number: 2 }])
  })

  it('refuses a schema that a newer version has migrated, and changes nothing in it', async () => {
    const schema = postgres.schema()
    await postgres.open({ schema })
    await postgres.sql(`UPDATE ${schema}.banksman_schema SET number = 99`)
    const error = await refusal({ schema })
    expect([error.code, error.details]).toEqual(['schema_newer', { found: 99, known: 2 }])
    expect(await postgres.sql(`SELECT number FROM ${schema}.banksman_schema`)).toEqual([{ number: 99 }])
  })

  it('a node that is open goes on after a newer one has migrated the schema, and says so', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema })
    await postgres.sql(`UPDATE ${schema}.banksman_schema SET number = 99`)
    await postgres.sql(`ALTER TABLE ${schema}.requests ADD COLUMN later text NOT NULL DEFAULT ''`)
    await expect(store.checkSchema?.()).rejects.toMatchObject({ code: 'schema_newer' })
    const probe = createStoreProbe(store)
    await expect(probe.check()).rejects.toMatchObject({ code: 'schema_newer' })
    expect(probe.figures().schemaNewer).toBe(1)
    expect((await openRequest(store, 'r1')).version).toBe(1)
    expect((await store.list({ state: 'pending' })).items.length).toBe(1)
  })

  it("refuses another program's schema, and leaves it alone", async () => {
    const schema = postgres.schema()
    await postgres.sql(`CREATE SCHEMA ${schema}`)
    await postgres.sql(`CREATE TABLE ${schema}.requests (id int)`)
    const error = await refusal({ schema })
    expect([error.code, error.message]).toEqual(['store_corrupt', expect.stringContaining('another program')])
    const tables = `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = '${schema}'`
    expect(await postgres.sql(tables)).toEqual([{ n: 1 }])
  })

  it('says which right is missing, and a schema made for the role is enough', async () => {
    const schema = postgres.schema()
    const url = await roleUrl('poor')
    const error = await refusal({ schema, url })
    expect(error.code).toBe('store_unavailable')
    expect(error.message).toContain('GRANT CREATE ON DATABASE')
    expect(error.message).toContain(`CREATE SCHEMA "${schema}" AUTHORIZATION`)
    await postgres.sql(`CREATE SCHEMA ${schema} AUTHORIZATION poor`)
    const store = await postgres.open({ schema, url })
    await openRequest(store, 'r1')
    expect(await store.count('pending')).toBe(1)
  })

  it('P9: no message holds a password', async () => {
    const secret = 'tops3cret/😀'
    const url = new URL(postgres.server.url)
    url.password = encodeURIComponent(secret)
    const wrong: Record<string, string> = {}
    for (const change of ['database', 'role', 'port', 'host', 'protocol'] as const) {
      const other = new URL(url)
      if (change === 'database') {
        other.password = 'tops3cret'
        other.pathname = '/tops3cret'
      }
      if (change === 'role') other.username = 'nobody-of-this-name'
      if (change === 'port') other.port = '1'
      if (change === 'host') other.host = 'no-such-host.invalid'
      wrong[change] = change === 'protocol' ? `mysql${other.href.slice(8)}` : other.href
    }
    for (const bad of [...Object.values(wrong), `postgres://a:${secret}@[/x`, secret]) {
      const error = await refusal({ url: bad })
      const findings = await inspectPostgres({ url: bad })
      const shown = inspect([error, findings], { depth: 9 })
      expect(shown).not.toContain('tops3cret')
      expect(findings.some(({ kind, advice }) => kind === 'problem' && advice !== undefined)).toBe(true)
    }
  })

  it('what is not there is not said to be tried again, neither on opening nor by the doctor', async () => {
    const url = 'postgres://ana@127.0.0.1:1/x'
    const told = [(await refusal({ url })).message, (await inspectPostgres({ url }))[0]!.detail]
    for (const text of told) {
      expect(text).toMatch(/is it running, and are host and port right\? \(127\.0\.0\.1:1\/x: /)
      expect(text).not.toContain('by itself')
    }
  })

  it('says that a password is missing, and leaves no connection open', async () => {
    await postgres.sql("CREATE ROLE wanting LOGIN SUPERUSER PASSWORD 'some-password'")
    const [row] = await postgres.sql("SELECT current_setting('hba_file') AS file")
    const file = String(row?.file)
    const before = readFileSync(file, 'utf8')
    const reload = () => postgres.sql('SELECT pg_reload_conf()')
    writeFileSync(file, `host all wanting 127.0.0.1/32 scram-sha-256\n${before}`)
    try {
      await reload()
      const rules = "SELECT 1 FROM pg_hba_file_rules WHERE auth_method = 'scram-sha-256'"
      expect(await postgres.sql(rules)).toHaveLength(1)
      const url = postgres.server.url.replace('banksman@', 'wanting@')
      await until(async () => /password/.test((await refusal({ url })).message), 'the rule counts')
      const said = /the server wants a password, and the address has none/
      expect((await refusal({ url })).message).toMatch(said)
      expect((await inspectPostgres({ url }))[0]?.detail).toMatch(said)
      // As a listener that is given another address than the pool.
      expect((await refusal({ schema: postgres.schema(), listenUrl: url })).message).toMatch(said)
      const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
      await until(() => sockets().length === 0, 'no socket is left')
      const wrong = url.replace('wanting@', 'wanting:another@')
      expect((await refusal({ url: wrong })).message).toMatch(/check user and password/)
    } finally {
      writeFileSync(file, before)
      await reload()
    }
  })

  it('says what a name of a schema or namespace is, before it connects', async () => {
    for (const schema of ['', 'pg_mine', '1st', 'a b', 'a"; DROP SCHEMA public; --', 'x'.repeat(64)]) {
      expect((await refusal({ schema, url: 'postgres://127.0.0.1:1/x' })).code).toBe('invalid_configuration')
    }
    for (const namespace of ['', 'x'.repeat(201)]) {
      const error = await refusal({ namespace, url: 'postgres://127.0.0.1:1/x' })
      expect(error.message).toContain('1 to 200')
    }
  })

  it('P7: refuses a server that does not sync, unless it is told that it may lose', async () => {
    const schema = postgres.schema()
    const { url } = postgres.server
    await expect(openPostgresStore({ url, schema })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('fsync is off'),
    })
    expect(await postgres.sql(`SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`)).toEqual([])
  })

  it('refuses a role whose transactions are read-only, or see less than was committed', async () => {
    const url = await roleUrl('strange')
    await postgres.sql('ALTER ROLE strange SET default_transaction_read_only = on')
    expect((await refusal({ url })).message).toContain('it takes no writes')
    await postgres.sql('ALTER ROLE strange RESET ALL')
    await postgres.sql("ALTER ROLE strange SET default_transaction_isolation = 'repeatable read'")
    expect((await refusal({ url })).message).toContain('read committed')
  })

  it('P2: a write that could not see what was committed before is refused by the server itself', async () => {
    const schema = postgres.schema()
    await postgres.open({ schema })
    const client = await postgres.connection()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await expect(client.query(`SELECT ${schema}.apply_v1('default', 'o', 'c', '[]', NULL)`)).rejects.toThrow(
      'a write has to see',
    )
  })

  it('P6: a node of the version before goes on after a newer one has migrated, and erases results too', async () => {
    const schema = postgres.schema()
    const store = await postgres.open({ schema, now: () => START })
    const { id, version, state: from } = await openRequest(store, 'r1')
    const change = { id, version, from, to: 'done', progress: {}, deadline: 'none' } as const
    await store.transition({ ...change, result: '"secret"', entry: testEntry() })
    const client = await postgres.connection()
    const before = (operation: object) =>
      client.query(`SELECT ${schema}.apply_v1('default', 'o', 'c', $1, NULL) AS answer`, [
        JSON.stringify([{ ...operation, entry: { chain: 'old', type: 'arguments.erased', body: '{}' } }]),
      ])
    const { rows } = await client.query(`SELECT seq FROM ${schema}.calls WHERE request = 'r1'`)
    const row = { seq: Number(rows[0].seq), request: 'r1', version: 2, draft: '{}', progress: '{}' }
    const erased = await before({ do: 'eraseCalls', rows: [row] })
    expect(erased.rows[0].answer.results).toMatchObject([{ won: true }])
    expect(await store.calls.result('s1', 'call-r1')).toBe(undefined)
    expect((await client.query(`SELECT 1 FROM ${schema}.results`)).rows).toEqual([])
    const session = { id: 's2', owner: 'agent-1', ownerRole: 'agent' }
    const call = { ...callRecord('c1', { session: 's2' }) }
    expect((await before({ do: 'record', call, session })).rows[0].answer.results).toMatchObject([
      { kind: 'recorded' },
    ])
    expect((await store.lookup('s2', 'c1', 'deploy')).known?.verdict).toBe('allow')
  })

  it('P7: a write waits for the disk even where the role would not', async () => {
    const schema = postgres.schema()
    await postgres.open({ schema })
    const client = await postgres.connection()
    for (const [before, after] of [
      ['off', 'on'],
      ['local', 'on'],
      ['remote_write', 'remote_write'],
      ['remote_apply', 'remote_apply'],
    ]) {
      await client.query(`SET synchronous_commit = ${before}`)
      await client.query('BEGIN')
      await client.query(`SELECT ${schema}.apply_v1('default', 'o', 'c', '[]', NULL)`)
      expect((await client.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: after }])
      await client.query('COMMIT')
    }
  })

  it('refuses where a notification does not arrive, and explains poolers', async () => {
    // Another database of the same server: what is sent in one is not heard in the other, as behind a pooler.
    await postgres.sql('CREATE DATABASE elsewhere')
    const listenUrl = new URL(postgres.server.url)
    listenUrl.pathname = '/elsewhere'
    const schema = postgres.schema()
    // Both wait for the notification as long as they would for a slow one.
    const [error, findings] = await Promise.all([
      refusal({ schema, listenUrl: listenUrl.href }),
      inspectPostgres({ url: postgres.server.url, listenUrl: listenUrl.href, schema }),
    ])
    expect(error.code).toBe('invalid_configuration')
    expect(error.message).toContain('pool_mode=transaction')
    expect(error.message).toContain('listenUrl')
    expect(findings.find(({ about }) => about === 'notifications')).toMatchObject({ kind: 'problem' })
  })

  it('the doctor says what there is', async () => {
    const schema = postgres.schema()
    const { url } = postgres.server
    const kinds = async () =>
      Object.fromEntries((await inspectPostgres({ url, schema })).map(({ about, kind }) => [about, kind]))
    const all = {
      version: 'ok',
      server: 'problem',
      schema: 'ok',
      clock: 'ok',
      connections: 'ok',
      notifications: 'ok',
    }
    expect(await kinds()).toEqual(all)
    await postgres.open({ schema })
    expect(await kinds()).toEqual(all)
    await postgres.sql(`UPDATE ${schema}.banksman_schema SET number = 99`)
    expect(await kinds()).toEqual({ ...all, schema: 'problem' })
  })
})
