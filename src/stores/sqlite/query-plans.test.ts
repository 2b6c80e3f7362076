/**
 * No query walks over a whole table or a whole namespace. SQLite expects few rows behind a namespace and would often
 * choose to walk; in a test with a hundred rows that looks fast.
 */
import { describe, expect, it } from 'vitest'
import { openRequest, temporaryFile, testEntry } from '../../../test/fixtures/sqlite-files.ts'
import { callRecord, grantDraft, START, sessionDraft, tokenDraft } from '../../testing/store/drafts.ts'
import type { Store } from '../store.ts'
import { openConnection } from './database/connection.ts'
import { openSqliteStore } from './store.ts'

/** What may be walked over: short by nature, or asked for as a whole. By plan and query. */
const SHORT: [plan: RegExp, query: RegExp][] = [
  [/^SCAN (CONSTANT ROW|\(subquery-\d+\)|f)$/, /./],
  [/^SCAN sqlite_master$/, /sqlite_schema/],
  [/^SCAN tokens$/, /^SELECT \* FROM tokens ORDER BY id$/],
  // One for each run of a process, and `journal.chains` gives them all.
  [/chains.*\(ns=\?\)$/, /FROM chains c WHERE c\.ns = \? ORDER BY c\.id$/],
  // One row a namespace.
  [/^SEARCH fences USING PRIMARY KEY \(ns=\?\)$/, /FROM fences WHERE ns = \?$/],
  [/^SEARCH record_versions USING PRIMARY KEY \(ns=\?\)$/, /FROM record_versions WHERE ns = \?$/],
  // Who is connected now.
  [/^SEARCH presence USING PRIMARY KEY \(ns=\?\)$/, /^DELETE FROM presence/],
  // The first of its deadlines, and counting.
  [
    /requests_by_state \(ns=\? AND state=\?\)$/,
    /ORDER BY sort_at LIMIT 1$|^SELECT count\(\*\) AS count FROM requests /,
  ],
]

describe('query plans', () => {
  it('search by more than the namespace', async () => {
    const seen = new Set<string>()
    const path = temporaryFile()
    const store = openSqliteStore({
      path,
      now: () => START,
      connect(file) {
        const inner = openConnection(file)
        return {
          exec: (sql) => inner.exec(sql),
          close: () => inner.close(),
          prepare(sql) {
            if (/^\s*(SELECT|UPDATE|DELETE|WITH)/.test(sql)) seen.add(sql)
            return inner.prepare(sql)
          },
        }
      },
    })
    await everyQuery(store)
    await store.close()
    const connection = openConnection(path)
    const walks = [...seen].flatMap((text) => {
      const sql = text.replace(/\s+/g, ' ').trim()
      return connection
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row.detail))
        .filter((detail) => /\bSCAN\b|\(ns=\?\)|\(ns=\? AND state=\?\)/.test(detail))
        .filter((detail) => !SHORT.some(([plan, query]) => plan.test(detail) && query.test(sql)))
        .map((detail) => `${detail} in ${sql}`)
    })
    connection.close()
    expect(seen.size).toBeGreaterThan(35)
    expect(walks).toEqual([])
  })
})

async function everyQuery(store: Store): Promise<void> {
  const request = await openRequest(store, 'r1')
  const { id, version, state: from } = request
  const grant = grantDraft('g1')
  const hold = { version: 1, state: 'reviewed', by: 'agent-1', at: START } as const
  await store.transition({
    id,
    version,
    from,
    to: 'done',
    progress: {},
    deadline: 'none',
    grant,
    result: '1',
    entry: testEntry(),
  })
  await store.record({
    call: callRecord('c1'),
    session: sessionDraft('s1'),
    entry: testEntry(),
    consume: ['g1'],
  })
  await store.record({
    call: callRecord(request.callId, { digest: request.digest, hold }),
    session: sessionDraft('s1'),
    entry: testEntry(),
    succeeds: id,
  })
  await store.calls.changeHold({
    session: 's1',
    callId: request.callId,
    digest: request.digest,
    version: 1,
    hold,
    result: '1',
    entry: testEntry(),
  })
  await store.calls.result('s1', request.callId)
  await store.list({})
  await store.list({ session: 's1', submittedBy: 'agent-1' })
  const record = { kind: 'card', version: 0, value: 1, expiresInMs: 9 }
  await store.records.change(
    [
      { ...record, key: 'a' },
      { ...record, key: 'a/b' },
    ],
    testEntry(),
  )
  await store.records.get('card', 'a')
  await store.records.list({ kind: 'card' })
  const { cursor } = await store.records.list({ kind: 'card', prefix: 'a', limit: 1 })
  await store.records.list({ kind: 'card', prefix: 'a', cursor: cursor! })
  await store.records.change([{ kind: 'card', key: 'a', version: 1 }])
  for (const state of ['pending', 'done'] as const) {
    await store.list({ state })
    await store.list({ state, session: 's1' })
    await store.count(state)
  }
  await store.due(1)
  await store.nextDeadline()
  await store.calls.list({})
  await store.calls.list({ session: 's1' })
  await store.calls.history({})
  await store.calls.erase(START + 1, 9, () => testEntry())
  await store.grants.find({ tool: 'deploy', sessions: ['s1'] })
  await store.grants.list({})
  await store.grants.get('g1')
  await store.grants.revoke('g1', 'ana', testEntry())
  await store.sessions.list({})
  await store.sessions.list({ owner: 'agent-1' })
  await store.sessions.family('s1')
  await store.sessions.setMode('s1', 'default', testEntry())
  await store.turns.append({
    session: sessionDraft('s1'),
    at: 0,
    turn: 1,
    unfinished: true,
    entry: testEntry(),
  })
  await store.turns.read('s1', 0, 1)
  await store.turns.lastAt('s1')
  await store.turns.unfinished({})
  await store.turns.erase(START + 1, 9, () => testEntry())
  await store.tokens.create(tokenDraft('t1', { use: 'login' }), testEntry())
  await store.tokens.find('hash-t1')
  await store.tokens.list()
  await store.tokens.exchange('t1', tokenDraft('t2'), testEntry())
  await store.tokens.revoke('t2', testEntry())
  await store.presence.renew({ channel: 'pet', connection: 'k', subject: 'ana' }, 9)
  await store.presence.list('pet')
  await store.presence.leave('pet', 'k')
  await store.deliveries.take(['chat', 'mail'], 9, 9)
  await store.deliveries.shown({ request: 'r1', channel: 'chat', ticket: 1 }, 1, undefined)
  await store.deliveries.failed({ request: 'r1', channel: 'chat', ticket: 1 }, 9)
  await store.leases.take({ name: 'one', holder: 'a', leaseMs: 9 })
  await store.leases.list('o')
  await store.leases.release('one', 'a')
  await store.deliveries.list('r1')
  await store.journal.chains()
  await store.journal.read('c', 0, 9)
  await store.journal.feed(undefined, 9)
  await store.journal.cursor()
  await store.settings.set('key', 1)
  await store.settings.get('key')
  await store.settings.change('key', 1, 2)
  await store.lookup('s1', 'c1', 'deploy')
  await store.endSessions({ sessions: ['s1'], by: 'ana', changes: [], entry: testEntry() })
}
