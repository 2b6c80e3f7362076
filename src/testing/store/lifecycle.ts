/** Settings, hints, exact texts and the end of a store object. */
import type { JsonValue } from '../../core/json/json.ts'
import type { Store } from '../../stores/store.ts'
import { callRecord, grantDraft, requestDraft, START, sessionDraft, tokenDraft } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

/** What a careless layer would cut, escape, fold or mistake for the end. */
const TEXTS = [
  '',
  'a\u0000b\u0000',
  '\u0001\u001b[31m\r\n\t\\"\'%_?',
  'é \u00e9 e\u0301 ﬀ İ ß',
  '\u2028\u2029\ufeff\u202e\u200b\uffff',
  '😀👩‍👩‍👧𝒳',
  "'); DROP TABLE requests; --",
  '0012',
  '1e400',
  `${'x'.repeat(300_000)}😀`,
]

export function describeLifecycle({ describe, it }: Suite): void {
  describe('settings', () => {
    it('come back as they were set, and are replaced whole', async (t) => {
      t.expect(await t.store.settings.get('key')).toBe(undefined)
      const named: JsonValue = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
      const values: JsonValue[] = [{ a: [1, { b: null }] }, named, 'text', 0, false, null, [], 1.5e300]
      for (const value of values) {
        await t.store.settings.set('key', value)
        t.expect(await t.store.settings.get('key')).toEqual(value)
        t.expect(JSON.stringify(await t.store.settings.get('key'))).toBe(JSON.stringify(value))
      }
      const entry = t.entry({ type: 'policy.applied' })
      await t.store.settings.set('other', 1, entry)
      t.expect(entry.numbers).toEqual([1])
      t.expect(await t.store.settings.get('key')).toEqual(1.5e300)
    })

    it('P2: are changed by whoever knows what they are, and by nobody else', async (t) => {
      const refused = t.entry({ type: 'policy.applied' })
      t.expect(await t.store.settings.change('key', null, 1, refused)).toBe(false)
      t.expect(await t.store.settings.change('key', { a: 1 }, 1, refused)).toBe(false)
      t.expect(await t.store.settings.get('key')).toBe(undefined)
      const entry = t.entry({ type: 'policy.applied' })
      t.expect(await t.store.settings.change('key', undefined, null, entry)).toBe(true)
      t.expect(entry.numbers).toEqual([1])
      t.expect(await t.store.settings.change('key', undefined, 2, refused)).toBe(false)
      t.expect(await t.store.settings.get('key')).toBe(null)
      const named: JsonValue = JSON.parse('{"b":[1.5e300,{"z":"\\u0000"}],"a":"é","__proto__":{},"2":[]}')
      t.expect(await t.store.settings.change('key', null, named)).toBe(true)
      const read = await t.store.settings.get('key')
      t.expect(JSON.stringify(read)).toBe(JSON.stringify(named))
      t.expect(await t.store.settings.change('key', { ...(read as object), a: 'e\u0301' }, 3)).toBe(false)
      t.expect(await t.store.settings.change('key', read, [])).toBe(true)
      t.expect(await t.store.settings.change('key', [0], 4)).toBe(false)
      t.expect(await t.store.settings.get('key')).toEqual([])
      t.expect(refused.numbers).toEqual([])
    })

    it('P2: of many concurrent changes from one value one wins', async (t) => {
      await t.store.settings.set('key', 0)
      const won = await Promise.all(
        Array.from({ length: 10 }, (_, index) => t.store.settings.change('key', 0, index + 1)),
      )
      t.expect(won.filter(Boolean).length).toBe(1)
      t.expect(await t.store.settings.get('key')).toBe(won.indexOf(true) + 1)
    })
  })

  describe('texts', () => {
    for (const [index, text] of TEXTS.entries()) {
      it(`P3: come back exactly, whatever is in them (${index + 1} of ${TEXTS.length})`, async (t) => {
        const request = await t.opened('r1', {
          request: {
            bytes: text,
            context: text,
            because: text,
            tool: `t${text}`,
            session: `s${text}`,
            callId: `c${text}`,
          },
          session: { owner: `o${text}` },
        })
        const decision = {
          kind: 'reject',
          by: `o${text}`,
          at: START,
          via: text,
          digest: text,
          reason: text,
        } as const
        const rejected = await t.moved(request, 'rejected', { progress: { decision } })
        t.expect(await t.store.get('r1')).toEqual(rejected)
        t.expect(await t.store.list({ state: 'rejected', session: `s${text}` })).toEqual({
          items: [rejected],
        })
        t.expect(await t.store.lookup(`s${text}`, `c${text}`, 'deploy')).toMatchObject({
          session: { id: `s${text}`, owner: `o${text}` },
          known: { request: 'r1', because: text },
        })
        const call = { bytes: text, because: text, commitmentKey: text, session: 's2' }
        await t.record('c1', { call })
        t.expect((await t.store.calls.list({ session: 's2' })).items).toEqual([callRecord('c1', call)])
        await t.append(0, { [`k${text}`]: text }, { session: { id: 's2' } })
        t.expect(await t.store.turns.read('s2', 0, 1)).toEqual([{ [`k${text}`]: text }])
        await t.store.settings.set(`k${text}`, text)
        t.expect(await t.store.settings.get(`k${text}`)).toBe(text)
        await t.store.journal.append(t.entry({ chain: `chain${text}`, body: text }))
      })
    }
  })

  describe('watch', () => {
    it('P7: hints at a change once a read sees it', async (t) => {
      let heard = nextHint(t.store)
      const opening = t.opened('r1')
      t.expect(await heard).toEqual({ local: true, pending: 1 })
      const request = await opening
      heard = nextHint(t.store)
      await t.moved(request, 'rejected')
      t.expect(await heard).toEqual({ local: true, pending: 0 })
    })

    it('tells nobody who has left', async (t) => {
      let calls = 0
      const leave = t.store.watch(() => calls++)
      leave()
      leave()
      const heard = nextHint(t.store)
      await t.opened('r1')
      await heard
      t.expect(calls).toBe(0)
    })
  })

  describe('close', () => {
    it('P7: waits for what is under way', async (t) => {
      const opening = t.open('r1')
      const recording = t.record('c1')
      const losing = t.store.transition(t.change({ ...requestDraft('r9'), ...MISSING }, 'rejected'))
      await t.store.close()
      t.expect((await opening).kind).toBe('opened')
      t.expect(await recording).toEqual({ kind: 'recorded' })
      t.expect(await losing).toEqual({ won: false, request: undefined })
    })

    it('P5: every verb throws `closed` afterwards', async (t) => {
      const request = await t.opened('r1')
      await t.store.close()
      await t.store.close()
      const codes: Record<string, string> = {}
      for (const [name, call] of Object.entries(everyVerb(t, request))) codes[name] = await t.codeOf(call())
      t.expect(codes).toEqual(Object.fromEntries(Object.keys(codes).map((name) => [name, 'closed'])))
      t.expect(await t.codeOf((async () => t.store.watch(() => {}))())).toBe('closed')
      t.expect(t.store.now()).toBe(START)
    })
  })
}

const TAKEN = { request: 'r1', channel: 'chat', ticket: 1 }

const MISSING = { state: 'pending', version: 1, createdAt: START, deadline: null, progress: {} } as const

function nextHint(store: Store): Promise<{ local: boolean; pending: number }> {
  return new Promise((resolve, reject) => {
    const leave = store.watch(({ local }) => {
      leave()
      store.count('pending').then((pending) => resolve({ local, pending }), reject)
    })
  })
}

function everyVerb(
  t: StoreTest,
  request: Awaited<ReturnType<StoreTest['opened']>>,
): Record<string, () => Promise<unknown>> {
  const { store } = t
  const entry = t.entry()
  return {
    lookup: () => store.lookup('s1', 'c1', 'deploy'),
    open: () => t.open('r2'),
    record: () => store.record({ call: callRecord('c1'), session: sessionDraft('s1'), entry }),
    recordAll: () =>
      store.recordAll({ calls: [{ call: callRecord('c1'), session: sessionDraft('s1') }], entry }),
    transition: () => store.transition(t.change(request, 'rejected')),
    transitionAll: () => store.transitionAll([t.change(request, 'rejected')]),
    endSessions: () => store.endSessions({ sessions: ['s1'], by: 'ana', changes: [], entry }),
    get: () => store.get('r1'),
    list: () => store.list({ state: 'pending' }),
    count: () => store.count('pending'),
    due: () => store.due(1),
    nextDeadline: () => store.nextDeadline(),
    'calls.list': () => store.calls.list({}),
    'calls.history': () => store.calls.history({}),
    'list of any state': () => store.list({}),
    'calls.changeHold': () =>
      store.calls.changeHold({
        session: 's1',
        callId: 'c1',
        digest: 'd',
        version: 0,
        hold: { version: 1, state: 'running', by: 'agent-1', at: START },
        entry,
      }),
    'calls.result': () => store.calls.result('s1', 'c1'),
    'records.get': () => store.records.get('card', 'a'),
    'records.change': () => store.records.change([{ kind: 'card', key: 'a', version: 0, value: 1 }], entry),
    'records.list': () => store.records.list({ kind: 'card' }),
    'calls.erase': () => store.calls.erase(START, 1, () => entry),
    'grants.find': () => store.grants.find({ tool: grantDraft('g').tool, sessions: [] }),
    'grants.list': () => store.grants.list({}),
    'grants.get': () => store.grants.get('g1'),
    'grants.revoke': () => store.grants.revoke('g1', 'ana', entry),
    'sessions.get': () => store.sessions.get('s1'),
    'sessions.getAll': () => store.sessions.getAll(['s1', 's2']),
    'sessions.list': () => store.sessions.list({}),
    'sessions.family': () => store.sessions.family('s1'),
    'sessions.setMode': () => store.sessions.setMode('s1', 'default', entry),
    'turns.append': () =>
      store.turns.append({ session: sessionDraft('s1'), at: 0, turn: 1, unfinished: false, entry }),
    'turns.read': () => store.turns.read('s1', 0, 1),
    'turns.lastAt': () => store.turns.lastAt('s1'),
    'turns.unfinished': () => store.turns.unfinished({}),
    'turns.erase': () => store.turns.erase(START, 1, () => entry),
    'tokens.create': () => store.tokens.create(tokenDraft('t1'), entry),
    'tokens.find': () => store.tokens.find('hash'),
    'tokens.list': () => store.tokens.list(),
    'tokens.revoke': () => store.tokens.revoke('t1', entry),
    'tokens.exchange': () => store.tokens.exchange('t1', tokenDraft('t2'), entry),
    'presence.renew': () => store.presence.renew({ channel: 'pet', connection: 'k1', subject: 'ana' }, 1),
    'presence.leave': () => store.presence.leave('pet', 'k1'),
    'presence.list': () => store.presence.list('pet'),
    'deliveries.take': () => store.deliveries.take(['chat'], 1, 1),
    'deliveries.shown': () => store.deliveries.shown(TAKEN, 1, undefined),
    'deliveries.failed': () => store.deliveries.failed(TAKEN, 1),
    'deliveries.list': () => store.deliveries.list('r1'),
    'leases.take': () => store.leases.take({ name: 'one', holder: 'a', leaseMs: 1 }),
    'leases.release': () => store.leases.release('one', 'a'),
    'leases.list': () => store.leases.list(''),
    'journal.append': () => store.journal.append(entry),
    'journal.chains': () => store.journal.chains(),
    'journal.read': () => store.journal.read('chain-1', 0, 1),
    'journal.feed': () => store.journal.feed(undefined, 1),
    'journal.cursor': () => store.journal.cursor(),
    'settings.get': () => store.settings.get('key'),
    'settings.set': () => store.settings.set('key', 1),
    'settings.change': () => store.settings.change('key', undefined, 1),
  }
}
