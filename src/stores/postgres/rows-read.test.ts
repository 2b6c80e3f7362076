/**
 * No verb walks over a namespace: with 100,000 requests that wait it reads as few rows as with a hundred. What counts is not
 * the plan but what the server says it has read. The statements of its functions are planned when the tables are still
 * empty and kept, which is when a wrong index looks as good as the right one; so every verb is called first, the tables
 * are filled behind its back, and the same connection is used on.
 */
import { describe, expect, it } from 'vitest'
import { openRequest, testEntry } from '../../../test/fixtures/sqlite-files.ts'
import { until } from '../../../test/fixtures/until.ts'
import { noPostgres } from '../../../test/servers/postgres.ts'
import { callRecord, grantDraft, START, sessionDraft, tokenDraft } from '../../testing/store/drafts.ts'
import type { Store } from '../store.ts'
import { usePostgres } from './fixtures/postgres-test.ts'

const MANY = 100_000
/** Of all verbs together, from one index or one table: a page has 200 rows, and some verbs read several. */
const FEW = 3000

describe.skipIf(noPostgres)('rows read', () => {
  const postgres = usePostgres({ fsync: 'off', autovacuum: 'off' })

  it('are as few with 100,000 waiting requests as with none', async () => {
    const schema = postgres.schema()
    let store = await postgres.open({ schema, poolSize: 1, now: () => START })
    /** What is read until the store is closed: a connection tells when it ends, at the latest. */
    const readBy = async (work: () => Promise<void>): Promise<string[]> => {
      const before = await rowsRead(schema)
      await work()
      await store.close()
      await until(async () => (await connections()) === 0, 'its connections have ended')
      const after = await rowsRead(schema)
      return Object.entries(after)
        .map(([name, n]) => ({ name, more: n - (before[name] ?? 0) }))
        .filter(({ more }) => more > FEW)
        .map(({ name, more }) => `${more} rows of ${name}`)
    }
    for (let round = 0; round < 12; round++) await everyWrite(store, `small-${round}`)
    await fill(schema)
    expect(await readBy(() => everyWrite(store, 'filled'))).toEqual([])
    // As the server does by itself, within a minute, once a tenth of a table has changed.
    await postgres.sql('ANALYZE')
    store = await postgres.open({ schema, poolSize: 1, now: () => START })
    expect(await readBy(() => everyRead(store, 'filled'))).toEqual([])
    store = await postgres.open({ schema, poolSize: 1, now: () => START })
    expect(await readBy(() => everyWrite(store, 'analyzed'))).toEqual([])
  }, 120_000)

  async function connections(): Promise<number> {
    const rows = await postgres.sql("SELECT 1 FROM pg_stat_activity WHERE application_name = 'banksman'")
    return rows.length
  }

  async function rowsRead(schema: string): Promise<Record<string, number>> {
    const rows = await postgres.sql(
      `SELECT relname AS name, seq_tup_read::float8 AS n FROM pg_stat_user_tables WHERE schemaname = $1
       UNION ALL SELECT indexrelname, idx_tup_read::float8 FROM pg_stat_user_indexes WHERE schemaname = $1`,
      [schema],
    )
    return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n ?? 0)]))
  }

  async function fill(schema: string): Promise<void> {
    const key = (name: string) => `${schema}.key_v1('default', ${name})`
    const each = `FROM generate_series(1, ${MANY}) n`
    await postgres.sql(
      `INSERT INTO ${schema}.calls (ns, key, session, session_key, call_id, verdict, tool, digest, because,
         policy_version, submitted_by, created_at, request, draft, bytes, commitment_key)
       SELECT 'default', ${schema}.inner_key_v1('default', 'many', n::text), 'many', ${key("'many'")}, n::text, 'ask', 't',
         'd', 'b', 'p', 'agent', ${START}, 'm' || n, '{}', 'x', 'k' ${each}`,
    )
    await postgres.sql(
      `INSERT INTO ${schema}.requests (ns, id, seq, session_key, submitter_key, state, version, deadline, sort_at,
         created_at, delivered, progress)
       SELECT 'default', 'm' || n, c.seq, ${key("'many'")}, ${key("'agent'")}, 'pending', 1, ${START} + 60000 + n,
         ${START} + 60000 + n, ${START}, true, '{}' ${each} JOIN ${schema}.calls c ON c.call_id = n::text AND c.session = 'many'`,
    )
    await postgres.sql(
      `INSERT INTO ${schema}.deliveries (ns, request, channel, version, shown_version, due_at, attempts, ticket)
       SELECT 'default', 'm' || n, 'later', 1, 0, ${START} + 1, 0, 0 ${each}`,
    )
    await postgres.sql(
      `INSERT INTO ${schema}.sessions (ns, key, id, owner, owner_key, owner_role, created_at)
       SELECT 'default', ${key("'x' || n")}, 'x' || n, 'o', ${key("'o'")}, 'agent', ${START} - n ${each}`,
    )
    await postgres.sql(
      `INSERT INTO ${schema}.turns (ns, session_key, at, body, created_at)
       SELECT 'default', ${key("'x' || n")}, 0, '1', ${START} ${each}`,
    )
    await postgres.sql(
      `INSERT INTO ${schema}.grants (ns, id, tool_key, session_key, uses, body)
       SELECT 'default', 'x' || n, ${key("'other'")}, ${key("'x' || n")}, 0, '{}' ${each}`,
    )
    for (const table of ['holds', 'results']) {
      const version = table === 'holds' ? ', version' : ''
      await postgres.sql(
        `INSERT INTO ${schema}.${table} (seq, ns, body${version})
         SELECT c.seq, 'default', '1'${version && ', 1'} FROM ${schema}.calls c WHERE c.session = 'many'`,
      )
    }
    await postgres.sql(
      `INSERT INTO ${schema}.records (ns, kind, key, value, version, expires_at)
       SELECT 'default', 'card', 'x' || n, '1', n, ${START} + n ${each}`,
    )
    await postgres.sql(
      `INSERT INTO ${schema}.journal (ns, chain_id, n, type, body)
       SELECT 'default', (SELECT min(id) FROM ${schema}.chains), 1000000 + n, 'checkpoint', '{}' ${each}`,
    )
  }
})

async function everyWrite(store: Store, name: string): Promise<void> {
  const request = await openRequest(store, `r-${name}`, { session: name, callId: 'c' })
  const { id, version, state: from } = request
  const change = { id, version, from, to: 'done', progress: {}, deadline: 'none' } as const
  await store.transition({ ...change, grant: grantDraft(`g-${name}`), result: '1', entry: testEntry() })
  const session = sessionDraft(name)
  const consume = [`g-${name}`]
  await store.record({ call: callRecord('c1', { session: name }), session, entry: testEntry(), consume })
  await store.recordAll({
    calls: [{ call: callRecord('c2', { session: name }), session }],
    entry: testEntry(),
  })
  await store.transitionAll([{ ...change, entry: testEntry() }])
  const { callId, digest } = request
  const hold = { version: 1, state: 'reviewed', by: 'agent-1', at: START } as const
  const following = callRecord(callId, { session: name, digest, hold })
  await store.record({ call: following, session, entry: testEntry(), succeeds: id })
  const taken = { session: name, callId, digest, version: 1, hold, result: '1', entry: testEntry() }
  await store.calls.changeHold(taken)
  const record = { kind: 'card', key: name, version: 0, value: 1, expiresInMs: 9 }
  await store.records.change([record], testEntry())
  await store.records.change([record, { ...record, key: `${name}-2`, version: 7 }])
  await store.grants.revoke(`g-${name}`, 'ana', testEntry())
  await store.sessions.setMode(name, 'default', testEntry())
  await store.turns.append({ session, at: 0, turn: 1, unfinished: true, entry: testEntry() })
  await store.tokens.create(tokenDraft(`t1-${name}`, { use: 'login' }), testEntry())
  await store.tokens.exchange(`t1-${name}`, tokenDraft(`t2-${name}`), testEntry())
  await store.tokens.revoke(`t2-${name}`, testEntry())
  await store.presence.renew({ channel: 'pet', connection: name, subject: 'ana' }, 9)
  await store.presence.leave('pet', name)
  await store.deliveries.take(['chat', 'mail', 'later'], 9, 9)
  await store.deliveries.shown({ request: id, channel: 'chat', ticket: 1 }, 1, undefined)
  await store.deliveries.failed({ request: id, channel: 'chat', ticket: 1 }, 9)
  await store.leases.take({ name, holder: 'a', leaseMs: 9 })
  await store.leases.release(name, 'a')
  await store.journal.append(testEntry())
  await store.settings.set(name, 1)
  await store.settings.change(name, 1, 2)
  await store.endSessions({ sessions: [name], by: 'ana', changes: [], entry: testEntry() })
}

async function everyRead(store: Store, name: string): Promise<void> {
  await store.get(`r-${name}`)
  for (const state of ['pending', 'done'] as const) {
    await store.list({ state })
    await store.list({ state, session: name })
    await store.list({ state, submittedBy: 'agent-1' })
    await store.count(state)
  }
  await store.list({ limit: 20 })
  await store.calls.result(name, 'c')
  await store.records.get('card', name)
  await store.records.list({ kind: 'card' })
  await store.records.list({ kind: 'card', prefix: 'x1', limit: 20 })
  await store.due(200)
  await store.nextDeadline()
  await store.lookup(name, 'c', 'deploy')
  await store.calls.list({})
  await store.calls.list({ session: name })
  await store.calls.history({})
  await store.calls.erase(START, 9, () => testEntry())
  await store.grants.find({ tool: 'deploy', sessions: [name] })
  await store.grants.list({})
  await store.grants.get(`g-${name}`)
  await store.sessions.get(name)
  await store.sessions.getAll([name, 'none'])
  await store.sessions.list({})
  await store.sessions.list({ owner: 'agent-1' })
  await store.sessions.family(name)
  await store.turns.read(name, 0, 1)
  await store.turns.lastAt(name)
  await store.turns.unfinished({})
  await store.turns.erase(START, 9, () => testEntry())
  await store.tokens.find(`hash-t1-${name}`)
  await store.presence.list('pet')
  await store.deliveries.list(`r-${name}`)
  await store.leases.list(name)
  await store.journal.chains()
  await store.journal.read('c', 0, 9)
  await store.journal.feed(await store.journal.cursor(), 9)
  await store.settings.get(name)
}
