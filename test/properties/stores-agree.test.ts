/** Stores that are given the same steps say and keep the same: the memory store is the model of the others. */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallHold } from '../../src/core/call-hold.ts'
import { defined } from '../../src/core/defined.ts'
import { isBanksmanError } from '../../src/core/errors.ts'
import type { RequestState } from '../../src/core/request.ts'
import type { EntryDraft } from '../../src/journal/entry.ts'
import { openMemoryStore } from '../../src/stores/memory/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { openRedisStore } from '../../src/stores/redis/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import type { Change, RecordChange, Store, TakenDelivery } from '../../src/stores/store.ts'
import {
  callRecord,
  grantDraft,
  requestDraft,
  sessionDraft,
  tokenDraft,
} from '../../src/testing/store/drafts.ts'
import { noPostgres, type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { noRedis, type RedisServer, startRedis } from '../servers/redis.ts'

const STATES: RequestState[] = ['pending', 'approved', 'running', 'unknown', 'done', 'rejected']
const REQUESTS = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6']
const CALLS = ['c1', 'c2', 'c3', 'c4', 'c5']
const request = fc.constantFrom(...REQUESTS)
const session = fc.constantFrom('s1', 's2', 's3')
const owner = fc.constantFrom('ana', 'ana', 'ana', 'ben')
const call = fc.constantFrom(...CALLS)
const channel = fc.constantFrom('chat', 'mail')
const grant = fc.constantFrom('g1', 'g2', 'g3')
const token = fc.constantFrom('t1', 't2', 't3')
/** How many takes lie between the one that is named and the last one. */
const late = fc.constantFrom(0, 0, 0, 1)
const span = fc.constantFrom(0, 1, 5, 10, 50)
/** Which request it follows: the newest of its call id, where there is one, or another. */
const succeeds = fc.constantFrom(undefined, undefined, 'newest' as const, 'other' as const)
const result = fc.option(fc.constantFrom('1', '"two"'), { nil: undefined })
/** How far the version that is named lies behind the true one. */
const behind = fc.constantFrom(0, 0, 0, 0, 1)
const recordChange = fc.record({
  kind: fc.constantFrom('card', 'card', 'link'),
  key: fc.constantFrom('a', 'a/%', 'a/_', 'b'),
  behind,
  value: fc.option(fc.constantFrom(null, 1, { a: [1] }), { nil: undefined }),
  span: fc.option(span, { nil: undefined }),
})

const change = fc.record({
  request,
  behind,
  result,
  to: fc.constantFrom(...STATES),
  deadline: fc.oneof(
    fc.constantFrom('keep' as const, 'none' as const),
    fc.record({ inMs: span }),
    fc.record({ at: fc.constantFrom(1, 1000, 1020, 2000) }),
  ),
  guard: fc.constantFrom(undefined, undefined, 'before_deadline' as const, 'after_deadline' as const),
  grant: fc.option(fc.record({ id: grant, usesLeft: fc.constantFrom(0, 1, 2) }), { nil: undefined }),
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      request,
      call,
      session,
      owner,
      parent: fc.option(session, { nil: undefined }),
      span,
      max: fc.constantFrom(1, 2, 9),
      channels: fc.uniqueArray(channel),
      reachable: fc.constantFrom(true, true, false),
      succeeds,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      call,
      session,
      owner,
      digest: fc.constantFrom('d1', 'd2', undefined),
      hold: fc.boolean(),
      succeeds,
      consume: fc.option(fc.array(grant, { maxLength: 3 }), { nil: undefined }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('transition' as const), change }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('changeHold' as const), call, session, behind, result }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('records' as const),
      changes: fc.array(recordChange, { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('transitionAll' as const),
      changes: fc.array(change, { maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      sessions: fc.uniqueArray(session, { minLength: 1 }),
      changes: fc.uniqueArray(change, { selector: (each) => each.request }),
    }),
  },
  fc.record({
    do: fc.constant('take' as const),
    channels: fc.uniqueArray(channel),
    limit: fc.constantFrom(1, 9),
    span,
  }),
  fc.record({
    do: fc.constant('shown' as const),
    request,
    channel,
    late,
    version: fc.constantFrom(1, 2, 3),
    reference: fc.option(fc.string(), { nil: undefined }),
  }),
  fc.record({ do: fc.constant('failed' as const), request, channel, late, span }),
  fc.record({ do: fc.constant('wait' as const), span }),
  fc.record({ do: fc.constant('erase' as const), limit: fc.constantFrom(1, 9) }),
  fc.record({ do: fc.constant('revoke' as const), grant }),
  fc.record({
    do: fc.constant('create' as const),
    token,
    use: fc.constantFrom('bearer' as const, 'login' as const),
    expires: fc.option(span, { nil: undefined }),
  }),
  fc.record({ do: fc.constant('exchange' as const), token, key: token }),
  fc.record({ do: fc.constant('revokeToken' as const), token }),
  fc.record({ do: fc.constant('turn' as const), session, at: fc.constantFrom(0, 1, 2) }),
  fc.record({ do: fc.constant('mode' as const), session }),
  fc.record({
    do: fc.constant('lease' as const),
    name: fc.constantFrom('a', 'a/b', 'c'),
    holder: fc.constantFrom('h1', 'h2'),
    span,
    note: fc.option(fc.string(), { nil: undefined }),
  }),
  fc.record({
    do: fc.constant('release' as const),
    name: fc.constantFrom('a', 'a/b', 'c'),
    holder: fc.constantFrom('h1', 'h2'),
  }),
  fc.record({
    do: fc.constant('setting' as const),
    before: fc.constantFrom(undefined, null, 1, { a: [1] }),
    value: fc.constantFrom(null, 1, { a: [1] }),
  }),
  fc.record({ do: fc.constant('present' as const), channel, connection: fc.constantFrom('k1', 'k2'), span }),
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type WantedRecord = typeof recordChange extends fc.Arbitrary<infer T> ? T : never
type WantedChange = typeof change extends fc.Arbitrary<infer T> ? T : never

type Open = (now: () => number) => Store | Promise<Store>

const openMemory: Open = (now) => openMemoryStore({ now })
const openSqlite: Open = (now) => openSqliteStore({ path: ':memory:', now })
const TITLE = 'P2, P4, P10: on the result of every step, and on all that is there at the end'

async function agree(open: Open, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const [model, real] = await Promise.all([run(steps, openMemory), run(steps, open)])
      expect(real).toEqual(model)
    }),
    { numRuns },
  )
}

describe('SQLite agrees with the model', () => {
  it(TITLE, () => agree(openSqlite, 300), 120_000)
})

describe.skipIf(noPostgres)('Postgres agrees with the model', () => {
  let server: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server?.dispose())
  const open: Open = (now) =>
    openPostgresStore({ url: server.url, schema: `run_${++schemas}`, poolSize: 2, mayLose: true, now })
  it(TITLE, () => agree(open, 25), 120_000)
})

describe.skipIf(noRedis)('Redis agrees with the model', () => {
  let server: RedisServer
  let prefixes = 0
  beforeAll(async () => {
    server = await startRedis({ appendfsync: 'no' })
  })
  afterAll(() => server?.dispose())
  const open: Open = (now) =>
    openRedisStore({ url: server.url, prefix: `run-${++prefixes}`, mayLose: true, now })
  it(TITLE, () => agree(open, 150), 120_000)
})

async function run(steps: Step[], open: Open): Promise<unknown[]> {
  let at = 1000
  const store = await open(() => at)
  const results: unknown[] = []
  try {
    for (const [index, each] of steps.entries()) {
      if (each.do === 'wait') at += each.span
      else results.push(await outcome(take(store, each, index)))
    }
    results.push(await everything(store))
  } finally {
    await store.close()
  }
  return results
}

async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    if (isBanksmanError(error)) return { failed: error.code }
    throw error
  }
}

async function take(store: Store, step: Exclude<Step, { do: 'wait' }>, index: number): Promise<unknown> {
  const told: number[] = []
  const entry: EntryDraft = {
    chain: 'c',
    type: 'request.opened',
    body: `${index}`,
    committed: (n) => void told.push(n),
  }
  const result = await perform(store, step, entry)
  return { result, told }
}

async function perform(
  store: Store,
  step: Exclude<Step, { do: 'wait' }>,
  entry: EntryDraft,
): Promise<unknown> {
  switch (step.do) {
    case 'open': {
      const { request: id, call: callId, session: inSession, span: expiresInMs } = step
      const draft = requestDraft(id, {
        callId,
        session: inSession,
        digest: callId,
        expiresInMs,
        context: 'why',
      })
      const parent = step.parent === undefined || step.parent === inSession ? {} : { parent: step.parent }
      return store.open({
        request: draft,
        state: step.reachable ? 'pending' : 'unreachable',
        session: sessionDraft(inSession, { owner: step.owner, ...parent }),
        deliveries: step.channels.map((each) => ({ channel: each })),
        maxPending: step.max,
        ...(await followed(store, step)),
        entry,
      })
    }
    case 'record': {
      const { call: callId, session: inSession, digest = callId, consume } = step
      const hold = step.hold ? { hold: holdAt(store.now(), 1) } : {}
      return store.record({
        call: callRecord(callId, { session: inSession, digest, createdAt: store.now(), ...hold }),
        session: sessionDraft(inSession, { owner: step.owner }),
        entry,
        ...defined({ consume }),
        ...(await followed(store, step)),
      })
    }
    case 'changeHold': {
      const { call: callId, session: inSession } = step
      const { known } = await store.lookup(inSession, callId, '')
      const version = (known?.hold?.version ?? 0) - step.behind
      return store.calls.changeHold({
        session: inSession,
        callId,
        digest: known?.digest ?? 'none',
        version,
        hold: holdAt(store.now(), version + 1),
        ...defined({ result: step.result }),
        entry,
      })
    }
    case 'records':
      return store.records.change(await toRecordChanges(store, step.changes), entry)
    case 'transition':
      return store.transition(await toChange(store, step.change, entry))
    case 'transitionAll':
      return store.transitionAll(await toChanges(store, step.changes, entry))
    case 'end': {
      const changes = await toChanges(store, step.changes, entry)
      return store.endSessions({ sessions: step.sessions, by: 'ana', changes, entry })
    }
    case 'take':
      // Which ones is promised, not their order.
      return (await store.deliveries.take(step.channels, step.limit, step.span)).sort(
        (one, other) => one.request.localeCompare(other.request) || one.channel.localeCompare(other.channel),
      )
    case 'shown':
      return store.deliveries.shown(await takenOf(store, step), step.version, step.reference)
    case 'failed':
      return store.deliveries.failed(await takenOf(store, step), step.span)
    case 'erase':
      return store.calls.erase(store.now(), step.limit, () => entry)
    case 'revoke':
      return store.grants.revoke(step.grant, 'ana', entry)
    case 'create': {
      const expiresAt = step.expires === undefined ? {} : { expiresAt: store.now() + step.expires }
      return store.tokens.create(tokenDraft(step.token, { use: step.use, ...expiresAt }), entry)
    }
    case 'exchange':
      return store.tokens.exchange(step.token, tokenDraft(step.key), entry)
    case 'revokeToken':
      return store.tokens.revoke(step.token, entry)
    case 'turn':
      return store.turns.append({
        session: sessionDraft(step.session),
        at: step.at,
        turn: { said: step.at },
        unfinished: step.at % 2 === 0,
        entry,
      })
    case 'mode':
      return store.sessions.setMode(step.session, 'dontAsk', entry)
    case 'lease': {
      const { name, holder, span: leaseMs, note } = step
      return store.leases.take({ name, holder, leaseMs, ...defined({ note }) })
    }
    case 'release':
      return store.leases.release(step.name, step.holder)
    case 'setting':
      return store.settings.change('key', step.before, step.value, entry)
    case 'present':
      return store.presence.renew(
        { channel: step.channel, connection: step.connection, subject: 'ana' },
        step.span,
      )
  }
}

/** Who has it, for whoever asks by the same steps. */
function holdAt(at: number, version: number): CallHold {
  return { version, state: 'running', key: 'k', by: 'ana', at }
}

async function followed(
  store: Store,
  {
    session: id,
    call: callId,
    succeeds: which,
  }: { session: string; call: string; succeeds?: string | undefined },
): Promise<{ succeeds?: string }> {
  if (which === undefined) return {}
  const newest = which === 'newest' ? (await store.lookup(id, callId, '')).known?.request : undefined
  return { succeeds: newest ?? 'r1' }
}

function toRecordChanges(store: Store, wanted: readonly WantedRecord[]): Promise<RecordChange[]> {
  return Promise.all(
    wanted.map(async ({ kind, key, behind: older, value, span: expiresInMs }) => ({
      kind,
      key,
      version: Math.max(0, ((await store.records.get(kind, key))?.version ?? 0) - older),
      ...defined({ value, expiresInMs }),
    })),
  )
}

async function takenOf(
  store: Store,
  { request: id, channel: where, late: behind }: { request: string; channel: string; late: number },
): Promise<TakenDelivery> {
  const found = (await store.deliveries.list(id)).find((each) => each.channel === where)
  return { request: id, channel: where, ticket: (found?.ticket ?? 1) - behind }
}

/** Without grants: where one change would lose and another fail, either answer is right. */
function toChanges(store: Store, wanted: readonly WantedChange[], entry: EntryDraft): Promise<Change[]> {
  return Promise.all(
    wanted.map((each) => toChange(store, { ...each, grant: undefined }, { ...entry, body: 'change' })),
  )
}

async function toChange(store: Store, wanted: WantedChange, entry: EntryDraft): Promise<Change> {
  const found = await store.get(wanted.request)
  const edit = { digest: 'e', bytes: 'secret', by: 'ana', terms: requestDraft('r').terms }
  return {
    id: wanted.request,
    version: (found?.version ?? 1) - wanted.behind,
    from: found?.state ?? 'pending',
    to: wanted.to,
    progress: { edit, approved: { digest: 'e', bytes: 'secret' } },
    deadline: wanted.deadline,
    ...defined({ guard: wanted.guard, result: wanted.result }),
    ...(wanted.grant === undefined
      ? {}
      : { grant: grantDraft(wanted.grant.id, { usesLeft: wanted.grant.usesLeft }) }),
    entry,
  }
}

async function everything(store: Store): Promise<unknown> {
  const ids = REQUESTS
  const sessions = ['s1', 's2', 's3']
  const inSessions = sessions.flatMap((each) => CALLS.map((callId) => [each, callId] as const))
  return {
    known: await Promise.all(inSessions.map(([each, callId]) => store.lookup(each, callId, 'deploy'))),
    results: await Promise.all(inSessions.map(([each, callId]) => store.calls.result(each, callId))),
    records: await Promise.all(['card', 'link'].map((kind) => store.records.list({ kind }))),
    recordPages: await Promise.all(
      ['a', 'a/'].map((prefix) => store.records.list({ kind: 'card', prefix, limit: 1 })),
    ),
    anyState: await store.list({ limit: 4 }),
    anyStateInSession: await store.list({ session: 's1' }),
    requests: await Promise.all(ids.map((id) => store.get(id))),
    deliveries: await Promise.all(ids.map((id) => store.deliveries.list(id))),
    lists: await Promise.all(
      [...STATES, 'unreachable' as const].map((state) => store.list({ state, limit: 2 })),
    ),
    inSessions: await Promise.all(
      sessions.flatMap((each) => STATES.map((state) => store.list({ state, session: each }))),
    ),
    counts: await Promise.all(STATES.map((state) => store.count(state))),
    due: await store.due(3),
    nextDeadline: await store.nextDeadline(),
    sessions: await store.sessions.list({}),
    someSessions: byId(await store.sessions.getAll(['s2', 's9', 's1', 's2'])),
    ownSessions: await store.sessions.list({ owner: 'agent-1', limit: 2 }),
    families: await Promise.all(sessions.map(async (id) => byId(await store.sessions.family(id)))),
    turns: await Promise.all(sessions.map((id) => store.turns.read(id, 0, 9))),
    lastTurns: await Promise.all(sessions.map((id) => store.turns.lastAt(id))),
    unfinished: await store.turns.unfinished({}),
    calls: (await store.calls.list({})).items,
    history: (await store.calls.history({})).items,
    grants: await store.grants.list({}),
    found: byId(await store.grants.find({ tool: 'deploy', sessions: ['s1'] })),
    tokens: byId(await store.tokens.list()),
    presence: await Promise.all(['chat', 'mail'].map(async (each) => byKey(await store.presence.list(each)))),
    leases: await Promise.all(['', 'a', 'c'].map((prefix) => store.leases.list(prefix))),
    setting: await store.settings.get('key'),
    journal: await store.journal.read('c', 0, 1000),
    feed: (await store.journal.feed(undefined, 1000)).events.map((event) => event.entry),
  }
}

function byId<T extends { id: string }>(items: T[]): T[] {
  return items.sort((a, b) => (a.id < b.id ? -1 : 1))
}

function byKey<T extends { connection: string }>(items: T[]): T[] {
  return items.sort((a, b) => (a.connection < b.connection ? -1 : 1))
}
