/**
 * Redis takes nothing back when a script fails in the middle. Here every verb that writes is made to fail at every key it
 * changes, by putting a value of a wrong kind there, and must then have changed nothing at all (P5, P10).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import type { Request } from '../../core/request.ts'
import {
  callRecord,
  grantDraft,
  requestDraft,
  START,
  sessionDraft,
  tokenDraft,
} from '../../testing/store/drafts.ts'
import type { Change, Store } from '../store.ts'
import {
  codeOf,
  keysOf,
  opening,
  openRaw,
  type Raw,
  type WatchedEntry,
  watchedEntry,
} from './fixtures/redis-test.ts'
import { openRedisStore } from './store.ts'

const CHILD = sessionDraft('s2', { parent: 's1' })
const BOTH = [{ channel: 'chat' }, { channel: 'mail' }]
const NEW_SESSION = sessionDraft('s9', { parent: 's1' })

type Entry = () => WatchedEntry

const VERBS: Record<string, (store: Store, entry: Entry) => Promise<unknown>> = {
  open: (store, entry) =>
    store.open({
      ...opening('r9', entry()),
      request: requestDraft('r9', { session: 's9' }),
      session: NEW_SESSION,
      deliveries: BOTH,
    }),
  record: (store, entry) =>
    store.record({
      call: callRecord('c9', { session: 's9' }),
      session: NEW_SESSION,
      entry: entry(),
      consume: ['g1', 'g2'],
    }),
  recordAll: (store, entry) =>
    store.recordAll({
      calls: [
        { call: callRecord('c9'), session: sessionDraft('s1') },
        { call: callRecord('c9', { session: 's9' }), session: NEW_SESSION },
      ],
      entry: entry(),
    }),
  transition: (store, entry) =>
    store.transition({ ...change('r1', 'approved', entry()), grant: grantDraft('g9', { tool: 'other' }) }),
  transitionAll: (store, entry) =>
    store.transitionAll([
      change('r1', 'rejected', entry()),
      { ...change('r2', 'approved', entry()), grant: grantDraft('g9') },
    ]),
  endSessions: (store, entry) =>
    store.endSessions({
      sessions: ['s1', 's2'],
      by: 'ana',
      reason: 'enough',
      changes: [change('r1', 'terminated', entry()), change('r2', 'cancelled', entry())],
      entry: entry(),
    }),
  'calls.erase': (store, entry) => store.calls.erase(START + 1, 10, () => entry()),
  'turns.append': (store, entry) =>
    store.turns.append({ session: NEW_SESSION, at: 0, turn: 'hi', unfinished: true, entry: entry() }),
  'turns.erase': (store, entry) => store.turns.erase(START + 1, 10, () => entry()),
  'grants.revoke': (store, entry) => store.grants.revoke('g1', 'ana', entry()),
  'sessions.setMode': (store, entry) => store.sessions.setMode('s1', 'plan', entry()),
  'tokens.create': (store, entry) => store.tokens.create(tokenDraft('t9', { expiresAt: START + 9 }), entry()),
  'tokens.revoke': (store, entry) => store.tokens.revoke('code', entry()),
  'tokens.exchange': (store, entry) => store.tokens.exchange('code', tokenDraft('t9'), entry()),
  'presence.renew': (store) =>
    store.presence.renew({ channel: 'pet', connection: 'k9', subject: 'ben' }, 1000),
  'presence.leave': (store) => store.presence.leave('pet', 'k1'),
  'deliveries.take': (store) => store.deliveries.take(['chat', 'mail'], 10, 1000),
  'deliveries.shown': (store) =>
    store.deliveries.shown({ request: 'r1', channel: 'chat', ticket: 1 }, 1, { message: 1 }),
  'deliveries.failed': (store) => store.deliveries.failed({ request: 'r1', channel: 'chat', ticket: 1 }, 50),
  'leases.take': (store) => store.leases.take({ name: 'free', holder: 'b', leaseMs: 9, note: 1 }),
  'leases.release': (store) => store.leases.release('held', 'a'),
  'journal.append': (store, entry) => store.journal.append(entry()),
  'settings.set': (store, entry) => store.settings.set('key', 2, entry()),
  'settings.change': (store, entry) => store.settings.change('key', 1, 2, entry()),
}

describe.skipIf(noRedis)('P5, P10: a script that fails leaves nothing half done', () => {
  let server: RedisServer
  let raw: Raw
  let store: Store
  let template: string[]

  beforeAll(async () => {
    server = await startRedis({ appendonly: 'no', 'enable-debug-command': 'yes' })
    raw = await openRaw(server.url)
    const options = { url: server.url, mayLose: true, now: () => START }
    const first = await openRedisStore({ ...options, prefix: 'template' })
    await furnish(first)
    await first.close()
    template = await keysOf(raw, 'template')
    await restore()
    store = await openRedisStore({ ...options, prefix: 'tried' })
  })

  afterAll(async () => {
    await store?.close()
    raw?.close()
    await server?.dispose()
  })

  for (const [name, verb] of Object.entries(VERBS)) {
    it(name, async () => {
      const changed = await changedKeys(verb)
      expect(changed.length).toBeGreaterThan(0)
      for (const key of changed) {
        const code = await tryOn(verb, key, ['SET', key, 'of another kind'])
        expect([key, code]).toEqual([key, expect.stringMatching(/^store_(corrupt|unavailable)$/)])
        // Without its fields a hash may be as good as new; what fails must still leave all as it was.
        if (!key.endsWith(':meta')) await tryOn(verb, key, ['HSET', key, 'nonsense', '1'])
      }
    })
  }

  /** The code with which the verb fails when the key was replaced, or `resolved`. */
  async function tryOn(verb: (typeof VERBS)[string], key: string, command: string[]): Promise<string> {
    await restore()
    if (command[0] !== 'SET') await raw.send('DEL', key)
    await raw.send(...command)
    const before = await digests()
    const entries: WatchedEntry[] = []
    const code = await codeOf(verb(store, keeping(entries)))
    if (code !== 'resolved') {
      expect([key, await digests()]).toEqual([key, before])
      expect(entries.flatMap((entry) => entry.numbers)).toEqual([])
    }
    return code
  }

  /** Those that a verb changes when all is well. */
  async function changedKeys(verb: (typeof VERBS)[string]): Promise<string[]> {
    await restore()
    const before = new Map(await digests())
    await verb(store, keeping([]))
    const after = new Map(await digests())
    return [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    )
  }

  /** The key `meta` is never away: the store looks at it from time to time. */
  async function restore(): Promise<void> {
    const wanted = new Map(template.map((key) => [key.replace('{template:', '{tried:'), key]))
    for (const key of await keysOf(raw, 'tried')) if (!wanted.has(key)) await raw.send('DEL', key)
    await Promise.all([...wanted].map(([key, from]) => raw.send('COPY', from, key, 'REPLACE')))
  }

  async function digests(): Promise<[string, string][]> {
    const keys = await keysOf(raw, 'tried')
    const found = await Promise.all(keys.map((key) => raw.send('DEBUG', 'DIGEST-VALUE', key)))
    return keys.map((key, index) => [key, String(found[index])])
  }
})

function keeping(entries: WatchedEntry[]): Entry {
  return () => {
    const entry = watchedEntry()
    entries.push(entry)
    return entry
  }
}

function change(id: string, to: Request['state'], entry: WatchedEntry): Change {
  return { id, version: 1, from: 'pending', to, progress: {}, deadline: { inMs: 1000 }, entry }
}

/** A namespace in which every verb finds something to change. */
async function furnish(store: Store): Promise<void> {
  await store.open({ ...opening('r1'), deliveries: BOTH })
  await store.open({ ...opening('r2'), request: requestDraft('r2', { session: 's2' }), session: CHILD })
  for (const [id, over] of [
    ['g1', { usesLeft: 1 }],
    ['g2', {}],
  ] as const) {
    await store.open(opening(`for-${id}`))
    const approved = change(`for-${id}`, 'done', watchedEntry())
    await store.transition({ ...approved, deadline: 'none', grant: grantDraft(id, over) })
  }
  await store.record({ call: callRecord('c1'), session: sessionDraft('s1'), entry: watchedEntry() })
  for (const at of [0, 1]) {
    const turn = { session: sessionDraft('s1'), at, turn: 'hello', unfinished: false, entry: watchedEntry() }
    await store.turns.append(turn)
  }
  await store.tokens.create(tokenDraft('code', { use: 'login' }), watchedEntry())
  await store.presence.renew({ channel: 'pet', connection: 'k1', subject: 'ana' }, 1000)
  await store.presence.renew({ channel: 'pet', connection: 'ended', subject: 'ana' }, 0)
  // One is taken and over, so that it can be taken again and still be ended with its ticket.
  await store.deliveries.take(['chat'], 1, 0)
  await store.leases.take({ name: 'held', holder: 'a', leaseMs: 1000 })
  await store.leases.take({ name: 'ended', holder: 'a', leaseMs: 0 })
  await store.settings.set('key', 1)
}
