/**
 * The disk fails at every step, one after another: a scenario that uses every kind of write is run again and again,
 * each time with the next statement failing. Whatever was acknowledged must be in the file, whatever was refused must
 * be refused in our words, and the store must go on when the disk does.
 */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  type Fault,
  faultyConnect,
  type TestEntry,
  temporaryFile,
  testEntry,
  testOpening,
} from '../../../test/fixtures/sqlite-files.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Request, RequestState } from '../../core/request.ts'
import { callRecord, grantDraft, START, sessionDraft, tokenDraft } from '../../testing/store/drafts.ts'
import type { Change, Store } from '../store.ts'
import { openSqliteStore } from './store.ts'

/** Hundreds of runs, and the disk fails by itself: it need not be a slow one. */
const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Checks, on a store that was opened afresh, that what was acknowledged is there. */
type Proof = (store: Store) => Promise<void>

interface Run {
  proofs: Proof[]
  entries: TestEntry[]
  refused: string[]
  /** What failed in SQLite. */
  faults: string[]
}

describe('P5, P7: an I/O error at any single step', () => {
  it('that is not done is never a success, and leaves nothing behind', async () => {
    const steps = await countSteps()
    expect(steps).toBeGreaterThan(150)
    for (let k = 1; k <= steps; k++) {
      const { run, store } = await failAt((step) => (step === k ? 'before' : undefined))
      expect(run.refused, run.faults[0]).not.toEqual([])
      await allOnRecord(store, run)
      await store.close()
    }
  }, 120_000)

  it('that is done and not told is at worst a refusal of what is there', async () => {
    const steps = await countSteps()
    for (let k = 1; k <= steps; k++) {
      const { run, store } = await failAt((step) => (step === k ? 'after' : undefined))
      expect(run.refused, run.faults[0]).not.toEqual([])
      await store.close()
    }
  }, 120_000)

  it('and at all that follow: everything is refused until the disk is back', async () => {
    const steps = await countSteps()
    for (let k = 1; k <= steps; k += 3) {
      const { run, store } = await failAt((step) => (step >= k ? 'before' : undefined))
      await allOnRecord(store, run)
      await store.close()
    }
  }, 120_000)
})

async function countSteps(): Promise<number> {
  let steps = 0
  const connect = faultyConnect((sql) => {
    if (!sql.includes('wal_checkpoint')) steps++
    return undefined
  })
  const store = openSqliteStore({ path: temporaryFile(FAST), connect, now: () => START })
  const run = emptyRun()
  await scenario(store, run)
  expect(run.refused).toEqual([])
  const counted = steps
  await store.close()
  return counted
}

/** Runs the scenario with the fault, heals the disk, goes on with the same store, and proves it on a fresh one. */
async function failAt(faultAt: (step: number) => Fault): Promise<{ run: Run; store: Store }> {
  const path = temporaryFile(FAST)
  const run = emptyRun()
  let step = 0
  let healed = false
  const connect = faultyConnect((sql) => {
    // Folding the log after an erasure may fail: the erasure itself is committed.
    if (healed || sql.includes('wal_checkpoint')) return undefined
    const fault = faultAt(++step)
    if (fault !== undefined) run.faults.push(sql)
    return fault
  })
  let store: Store | undefined
  try {
    store = openSqliteStore({ path, connect, now: () => START })
  } catch (error) {
    expect(error).toMatchObject({ name: 'BanksmanError', code: 'store_unavailable' })
    run.refused.push('opening the store')
  }
  if (store !== undefined) await scenario(store, run)
  healed = true
  store ??= openSqliteStore({ path, now: () => START })
  const opening = testOpening('after')
  expect((await store.open(opening)).kind).toBe('opened')
  run.entries.push(opening.entry)
  run.proofs.push(async (fresh) => expect(await fresh.get('after')).toBeDefined())
  await store.close()

  const fresh = openSqliteStore({ path, now: () => START })
  for (const proof of run.proofs) await proof(fresh)
  const journal = await fresh.journal.read('c', 0, 1000)
  expect(journal.map((entry) => entry.n)).toEqual(journal.map((_, index) => index + 1))
  for (const { numbers, body } of run.entries) {
    expect(numbers.length).toBeLessThanOrEqual(1)
    for (const n of numbers) expect(journal[n - 1]?.body).toBe(body)
  }
  return { run, store: fresh }
}

/** Nothing is in the journal but what was told its number. */
async function allOnRecord(store: Store, run: Run): Promise<void> {
  const told = run.entries.filter((entry) => entry.numbers.length > 0)
  expect(await store.journal.read('c', 0, 1000)).toHaveLength(told.length)
}

function emptyRun(): Run {
  return { proofs: [], entries: [], refused: [], faults: [] }
}

async function scenario(store: Store, run: Run): Promise<void> {
  const entry = () => {
    const made = testEntry()
    run.entries.push(made)
    return made
  }
  /** Does it; what it gives back is proven later, what it throws must be ours. */
  async function attempt<T>(
    name: string,
    work: () => Promise<T>,
    proof: (result: T) => Proof,
  ): Promise<T | undefined> {
    try {
      const result = await work()
      run.proofs.push(proof(result))
      return result
    } catch (error) {
      if (!isBanksmanError(error)) throw error
      expect(error.code).toBe('store_unavailable')
      run.refused.push(name)
      return undefined
    }
  }
  const change = (request: Request, to: RequestState, over: Partial<Change> = {}): Change => {
    const { id, version, state: from } = request
    return { id, version, from, to, progress: {}, deadline: { inMs: 1000 }, entry: entry(), ...over }
  }
  const isIn =
    (id: string, state: RequestState): Proof =>
    async (fresh) =>
      expect((await fresh.get(id))?.state).toBe(state)

  const opened = await Promise.all(
    ['r1', 'r2', 'r3'].map((id) => {
      const opening = testOpening(id, { session: id === 'r3' ? 's2' : 's1' })
      run.entries.push(opening.entry)
      const work = () => store.open({ ...opening, deliveries: [{ channel: 'chat' }] })
      return attempt(`open ${id}`, work, () => async (fresh) => expect(await fresh.get(id)).toBeDefined())
    }),
  )
  const [one, two, three] = opened.map((result) => (result?.kind === 'opened' ? result.request : undefined))

  await Promise.all([
    one &&
      attempt(
        'approve',
        () => store.transition(change(one, 'approved', { grant: grantDraft('g1') })),
        () => isIn('r1', 'approved'),
      ),
    two &&
      attempt(
        'reject',
        () => store.transition(change(two, 'rejected')),
        () => isIn('r2', 'rejected'),
      ),
    attempt(
      'append',
      () => store.journal.append(entry()),
      () => async () => {},
    ),
    attempt(
      'turn',
      () =>
        store.turns.append({
          session: sessionDraft('s1'),
          at: 0,
          turn: 'hi',
          unfinished: false,
          entry: entry(),
        }),
      () => async (fresh) => {
        expect(await fresh.turns.read('s1', 0, 9)).toEqual(['hi'])
      },
    ),
  ])

  const call = { call: callRecord('c1'), session: sessionDraft('s1') }
  await attempt(
    'record',
    () => store.record({ ...call, entry: entry() }),
    () => async (fresh) => {
      expect((await fresh.lookup('s1', 'c1', 'deploy')).known?.digest).toBe('digest-c1')
    },
  )
  const use = { call: callRecord('c2'), session: sessionDraft('s1'), consume: ['g1'] }
  await attempt(
    'use a grant',
    () => store.record({ ...use, entry: entry() }),
    (result) => async (fresh) => {
      expect((await fresh.grants.get('g1'))?.uses ?? 0).toBe(result.kind === 'recorded' ? 1 : 0)
    },
  )
  await attempt(
    'create a token',
    () => store.tokens.create(tokenDraft('t1', { use: 'login' }), entry()),
    () => async (fresh) => {
      expect(await fresh.tokens.find('hash-t1')).toBeDefined()
    },
  )
  await attempt(
    'exchange',
    () => store.tokens.exchange('t1', tokenDraft('t2'), entry()),
    (won) => async (fresh) => {
      expect((await fresh.tokens.find('hash-t2')) !== undefined).toBe(won)
    },
  )
  await attempt(
    'take',
    () => store.deliveries.take(['chat'], 9, 50),
    () => async () => {},
  )
  await attempt(
    'shown',
    async () => {
      const [delivery] = await store.deliveries.list('r1')
      return store.deliveries.shown(delivery ?? { request: 'r1', channel: 'chat', ticket: 0 }, 1, 'm1')
    },
    (isOurs) => async (fresh) => {
      if (isOurs) expect((await fresh.deliveries.list('r1'))[0]?.reference).toBe('m1')
    },
  )
  await attempt(
    'lease',
    () => store.leases.take({ name: 'one', holder: 'a', leaseMs: 50 }),
    (lease) => async (fresh) => {
      expect(await fresh.leases.list('')).toEqual([lease])
    },
  )
  await attempt(
    'change records',
    () =>
      store.records.change(
        [
          { kind: 'card', key: 'a', version: 0, value: 1 },
          { kind: 'card', key: 'b', version: 0, value: 2, expiresInMs: 500 },
        ],
        entry(),
      ),
    (result) => async (fresh) => {
      const { items } = await fresh.records.list({ kind: 'card' })
      if (result.won) expect(items.map(({ version }) => version)).toEqual(result.versions)
    },
  )
  await attempt(
    'change a setting',
    () => store.settings.change('changed', undefined, 1),
    (won) => async (fresh) => {
      expect(await fresh.settings.get('changed')).toBe(won ? 1 : undefined)
    },
  )
  await attempt(
    'presence',
    () => store.presence.renew({ channel: 'pet', connection: 'k', subject: 'ana' }, 50),
    () => async (fresh) => {
      expect(await fresh.presence.list('pet')).toHaveLength(1)
    },
  )
  await attempt(
    'set',
    () => store.settings.set('key', 7, entry()),
    () => async (fresh) => {
      expect(await fresh.settings.get('key')).toBe(7)
    },
  )
  await attempt(
    'lose an ending',
    () => store.endSessions({ sessions: ['s2'], by: 'ana', changes: [], entry: entry() }),
    (result) => async (fresh) => {
      if (result.won) expect((await fresh.get('r3'))?.state).not.toBe('pending')
    },
  )
  if (three !== undefined) {
    const ending = () => ({
      sessions: ['s2'],
      by: 'ana',
      changes: [change(three, 'terminated')],
      entry: entry(),
    })
    await attempt(
      'end',
      () => store.endSessions(ending()),
      () => async (fresh) => {
        expect((await fresh.get('r3'))?.state).toBe('terminated')
        expect((await fresh.sessions.get('s2'))?.ended).toBeDefined()
      },
    )
  }
  await attempt(
    'erase',
    () => store.calls.erase(START + 5000, 9, entry),
    (count) => async (fresh) => {
      const left = (await fresh.calls.list({})).items.filter((each) => each.bytes !== '')
      if (count > 0) expect(left).toEqual([])
    },
  )
  await attempt(
    'list',
    () => store.list({ state: 'pending' }),
    () => async () => {},
  )
}
