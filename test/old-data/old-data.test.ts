import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallHold } from '../../src/core/call-hold.ts'
import type { RequestState } from '../../src/core/request.ts'
import { createChainWriter, pageJournal, verifyJournal } from '../../src/journal/index.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { openRaw } from '../../src/stores/redis/fixtures/redis-test.ts'
import { openRedisStore } from '../../src/stores/redis/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import type { Store } from '../../src/stores/store.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { noPostgres, startPostgres } from '../servers/postgres.ts'
import { noRedis, startRedis } from '../servers/redis.ts'
import { agent, ana, ben, openOn } from './life.ts'
import { readAll } from './read-all.ts'

const ROOT = import.meta.dirname
const VERSIONS = readdirSync(ROOT, { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() ? [each.name] : [],
)

/** Opens what the version left behind. `schemas` are the number that it wrote, and the one that stands there now. */
type Open = (
  version: string,
  now: () => number,
) => Promise<{ store: Store; schemas(): Promise<[old: number, now: number]> }>

const read = (version: string, file: string) => readFileSync(join(ROOT, version, file), 'utf8')

const openSqlite: Open = async (version, now) => {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-old-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'old.db')
  const database = new DatabaseSync(path)
  database.exec(read(version, 'sqlite.sql'))
  const schema = (file: DatabaseSync) => Number(file.prepare('PRAGMA user_version').get()?.user_version)
  const old = schema(database)
  database.close()
  const store = openSqliteStore({ path, now })
  const schemas = async (): Promise<[number, number]> => {
    const file = new DatabaseSync(path, { readOnly: true })
    const found = schema(file)
    file.close()
    return [old, found]
  }
  return { store, schemas }
}

const openPostgres: Open = async (version, now) => {
  const server = await startPostgres({ fsync: 'off' })
  onTestFinished(() => server.dispose())
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  // The functions come before the tables that they speak of.
  await client.query(`SET check_function_bodies = false; ${read(version, 'postgres.sql')}`)
  onTestFinished(() => client.end())
  const schema = async () =>
    Number((await client.query('SELECT number FROM banksman.banksman_schema')).rows[0]?.number)
  const old = await schema()
  const store = await openPostgresStore({ url: server.url, mayLose: true, now })
  return { store, schemas: async () => [old, await schema()] }
}

const openRedis: Open = async (version, now) => {
  const server = await startRedis()
  onTestFinished(() => server.dispose())
  const raw = await openRaw(server.url)
  for (const command of JSON.parse(read(version, 'redis.json')) as string[][]) await raw.send(...command)
  onTestFinished(() => raw.close())
  const schema = async () => Number(await raw.send('HGET', '{banksman:default}:meta', 'schema'))
  const old = await schema()
  const store = await openRedisStore({ url: server.url, mayLose: true, now })
  return { store, schemas: async () => [old, await schema()] }
}

describe.each(VERSIONS)('data of %s', (version) => {
  describe.each<[string, Open, string | false]>([
    ['sqlite', openSqlite, false],
    ['postgres', openPostgres, noPostgres],
    ['redis', openRedis, noRedis],
  ])('in %s', (name, open, isMissing) => {
    it.skipIf(isMissing !== false)('P10: is all there, and work goes on with it', async () => {
      const expected = JSON.parse(read(version, `${name}.expected.json`)) as Record<string, unknown> & {
        now: number
      }
      const clock = createFakeClock(expected.now)
      const { store, schemas } = await open(version, () => clock.now())
      onTestFinished(() => store.close())
      // That version refuses a schema with a higher number than its own.
      const [old, found] = await schemas()
      expect(found).toBeGreaterThan(old)
      const { now: _, ...whole } = expected
      expect(await readAll(store)).toMatchObject(whole)
      expect(await verifyJournal(pageJournal(store.journal))).toMatchObject({ ok: true })
      await goOn(store, clock)
      await useNewVerbs(store)
      expect(await verifyJournal(pageJournal(store.journal))).toMatchObject({ ok: true })
    })
  })
})

/** What waits is decided, what was approved and what ran comes to its end, and what is over stays as it is. */
async function goOn(store: Store, clock: FakeClock): Promise<void> {
  const gateway = await openOn(store, clock, 'later')
  const inState = async (state: RequestState) => (await gateway.list({ state }, ana)).items
  const [voted] = (await inState('pending')).filter(({ progress }) => progress.votes?.length === 1)
  const { request } = await gateway.decide(voted!.id, { decision: 'approve', digest: voted!.digest }, ana)
  expect(request.state).toBe('approved')
  for (const { id, digest, callId } of await inState('approved')) {
    const { claimId } = await gateway.claim(id, { digest, key: `late-${callId}` }, agent)
    expect((await gateway.report(id, { claimId, outcome: 'ok' }, agent)).state).toBe('done')
  }
  for (const { id, progress } of await inState('running')) {
    const { id: claimId } = progress.claim!
    await gateway.renew(id, claimId, agent)
    expect((await gateway.report(id, { claimId, outcome: 'error' }, agent)).state).toBe('done')
  }
  const [lost] = await inState('unknown')
  expect((await gateway.settle(lost!.id, { outcome: 'ok' }, ana)).state).toBe('done')
  const [done] = (await inState('done')).filter(({ progress }) => progress.outcome?.summary === 'sent')
  const { claim, outcome } = done!.progress
  // The same report again is a success, another is refused: also of one that an older version wrote down.
  const again = { claimId: claim!.id, outcome: 'ok' as const, summary: outcome!.summary! }
  expect((await gateway.report(done!.id, again, agent)).version).toBe(done!.version)
  await expect(gateway.report(done!.id, { ...again, outcome: 'error' }, agent)).rejects.toMatchObject({
    code: 'already_reported',
  })
  // Of a tool that isn't known, "this argument and anything else" covers nothing any more.
  const mail = {
    tool: 'send_mail',
    arguments: { to: 'done@example.com', subject: 'Another' },
    session: 'new',
  }
  expect((await gateway.review({ ...mail, callId: 'n1' }, agent)).verdict.kind).toBe('ask')
  expect(
    (await gateway.review({ ...mail, arguments: { to: 'x@example.com' }, callId: 'n2' }, agent)).verdict.kind,
  ).toBe('ask')
  await expect(
    gateway.review({ tool: 'read_file', arguments: {}, callId: 'n3', session: 'over' }, agent),
  ).rejects.toMatchObject({ code: 'session_ended' })
  expect(await gateway.list({ state: 'rejected' }, ben)).toMatchObject({ items: [{ session: 'other' }] })
  await gateway.close()
}

/** What the version did not know: it works on what the version wrote. */
async function useNewVerbs(store: Store): Promise<void> {
  const chain = createChainWriter('newer')
  const nextEntry = () => chain.draft('calls.judged', 1, {})
  const [lapsed] = (await store.list({ state: 'lapsed' })).items
  const [expired] = (await store.list({ state: 'expired' })).items
  for (const before of [lapsed!, expired!]) {
    const {
      state: _state,
      version: _version,
      createdAt: _at,
      deadline: _deadline,
      progress: _progress,
      ...draft
    } = before
    const { owner, ownerRole } = (await store.sessions.get(before.session))!
    const request = { ...draft, id: `after-${before.id}` }
    const opened = await store.open({
      request,
      state: 'pending',
      session: { id: before.session, owner, ownerRole },
      deliveries: [],
      maxPending: 100,
      succeeds: before.id,
      entry: nextEntry(),
    })
    expect(opened).toMatchObject({ kind: 'opened', request: { callId: before.callId } })
    expect(await store.get(before.id)).toEqual(before)
    expect((await store.lookup(before.session, before.callId, '')).known?.request).toBe(request.id)
  }
  // Calls that this test has made, with ids of its own, are none of the old ones.
  const call = (await store.calls.list({})).items.find((one) => !/^n\d$/.test(one.callId))
  const { session, callId, digest } = call!
  const hold: CallHold = { version: 1, state: 'done', key: 'k', by: 'coder', at: 1 }
  const change = { session, callId, digest, version: 0, hold, result: '"kept"' }
  expect(await store.calls.changeHold({ ...change, entry: nextEntry() })).toEqual({ won: true })
  expect((await store.lookup(session, callId, '')).known?.hold).toEqual(hold)
  expect(await store.calls.result(session, callId)).toBe('"kept"')
  const record = { kind: 'card', key: 'one', version: 0, value: { at: 1 } }
  expect(await store.records.change([record], nextEntry())).toEqual({ won: true, versions: [1] })
  expect((await store.records.list({ kind: 'card', prefix: 'o' })).items).toEqual([{ ...record, version: 1 }])
}
