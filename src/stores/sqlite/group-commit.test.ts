/** Group commit: one sync for all that comes in the same turn, a savepoint for each, and no word before COMMIT. */
import { describe, expect, it } from 'vitest'
import {
  faultyConnect,
  openRequest,
  temporaryFile,
  testEntry,
  testOpening,
} from '../../../test/fixtures/sqlite-files.ts'
import { until } from '../../../test/fixtures/until.ts'
import { callRecord, grantDraft, sessionDraft, tokenDraft } from '../../testing/store/drafts.ts'
import { openSqliteStore } from './store.ts'

describe('group commit', () => {
  it('commits all that comes in one turn together', async () => {
    const { store, commits } = openCounting()
    await Promise.all(Array.from({ length: 40 }, (_, index) => store.open(testOpening(`r${index}`))))
    expect(commits()).toBe(1)
    await openRequest(store, 'last')
    expect(commits()).toBe(2)
    await store.close()
  })

  it('lets records that nobody waits for share the commit of what comes next', async () => {
    const { store, commits } = openCounting()
    const records = [1, 2, 3].map((index) => store.recordAll(batch(`c${index}`)))
    await openRequest(store, 'r1')
    expect((await Promise.all(records)).flat()).toEqual([
      { kind: 'recorded' },
      { kind: 'recorded' },
      { kind: 'recorded' },
    ])
    expect(commits()).toBe(1)
    await store.close()
  })

  it('commits records by themselves when nothing comes, and at once when there are many', async () => {
    const { store, commits } = openCounting()
    expect(await store.recordAll(batch('c'))).toEqual([{ kind: 'recorded' }])
    expect(commits()).toBe(1)
    const many = Array.from({ length: 1500 }, (_, index) => store.recordAll(batch(`c${index}`)))
    // Before any timer could have run: what is held back is bounded.
    expect(commits()).toBeGreaterThan(1)
    await Promise.all(many)
    expect((await store.journal.chains())[0]?.last).toBe(1501)
    await store.close()
  })

  it('P2: one that fails takes nothing of its neighbours with it, and leaves nothing itself', async () => {
    const { store, commits } = openCounting()
    await store.tokens.create(tokenDraft('t0'), testEntry())
    const before = commits()
    const entries = Array.from({ length: 9 }, () => testEntry())
    const outcomes = await Promise.allSettled(
      entries.map((entry, index) =>
        store.tokens.create(tokenDraft(index % 3 === 1 ? 't0' : `t${index + 1}`), entry),
      ),
    )
    expect(commits()).toBe(before + 1)
    expect(outcomes.map((outcome) => outcome.status)).toEqual(
      entries.map((_, index) => (index % 3 === 1 ? 'rejected' : 'fulfilled')),
    )
    expect(entries.map((entry) => entry.numbers)).toEqual([[2], [], [3], [4], [], [5], [6], [], [7]])
    expect((await store.tokens.list()).length).toBe(7)
    await store.close()
  })

  it('P5: an ending that loses takes back all it did, and nothing of its neighbours', async () => {
    const { store, commits } = openCounting()
    const [one, two] = [await openRequest(store, 'r1'), await openRequest(store, 'r2')]
    const before = commits()
    const toRejected = (request: typeof one, entry = testEntry()) => ({
      id: request.id,
      version: request.version,
      from: request.state,
      to: 'rejected' as const,
      progress: {},
      deadline: 'none' as const,
      entry,
    })
    const taken = testEntry()
    const lasting = testEntry()
    const [, ended, kept] = await Promise.all([
      openRequest(store, 'r3'),
      store.endSessions({
        sessions: ['s1'],
        by: 'ana',
        changes: [{ ...toRejected(one, taken), grant: grantDraft('g1') }],
        entry: testEntry(),
      }),
      store.transition(toRejected(two, lasting)),
    ])
    expect([ended, kept]).toEqual([{ won: false }, { won: true, deadline: null }])
    expect(commits()).toBe(before + 1)
    expect([taken.numbers, lasting.numbers]).toEqual([[], [4]])
    expect((await store.get('r1'))?.state).toBe('pending')
    expect(await store.grants.get('g1')).toBe(undefined)
    await store.close()
  })

  it('P7: tells nobody before it is committed', async () => {
    const events: string[] = []
    const connect = faultyConnect((sql) => {
      if (sql === 'COMMIT') events.push('commit')
      return undefined
    })
    const store = openSqliteStore({ path: temporaryFile(), connect })
    events.length = 0
    store.watch(() => events.push('hint'))
    const opening = testOpening('r1')
    const { committed } = opening.entry
    opening.entry.committed = (n) => {
      events.push('number')
      committed(n)
    }
    await store.open(opening)
    events.push('resolved')
    await until(() => events.includes('hint'))
    expect(events).toEqual(['commit', 'number', 'resolved', 'hint'])
    await store.close()
  })

  it('P5: a group whose COMMIT fails is wholly refused, and whoever listens is told to look', async () => {
    let failing = false
    const connect = faultyConnect((sql) => (failing && sql === 'COMMIT' ? 'before' : undefined))
    const store = openSqliteStore({ path: temporaryFile(), connect })
    const hints: boolean[] = []
    store.watch(({ local }) => hints.push(local))
    failing = true
    const openings = ['r1', 'r2'].map((id) => testOpening(id))
    const outcomes = await Promise.allSettled(openings.map((opening) => store.open(opening)))
    failing = false
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable' } })
    }
    expect(openings.map((opening) => opening.entry.numbers)).toEqual([[], []])
    expect(hints).toEqual([false])
    expect(await store.count('pending')).toBe(0)
    expect((await openRequest(store, 'r1')).id).toBe('r1')
    expect(await store.journal.chains()).toEqual([{ chain: 'c', last: 1 }])
    await store.close()
  })

  it('P7: while a failed write can not be taken back, nothing of it is read', async () => {
    let broken = false
    const connect = faultyConnect((sql) => (broken && /^(COMMIT|ROLLBACK)/.test(sql) ? 'before' : undefined))
    const store = openSqliteStore({ path: temporaryFile(), connect })
    broken = true
    await expect(openRequest(store, 'r1')).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(store.get('r1')).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(openRequest(store, 'r2')).rejects.toMatchObject({ code: 'store_unavailable' })
    broken = false
    expect(await store.get('r1')).toBe(undefined)
    await openRequest(store, 'r2')
    expect(await store.count('pending')).toBe(1)
    await store.close()
  })
})

function openCounting() {
  let commits = 0
  const connect = faultyConnect((sql) => {
    if (sql === 'COMMIT') commits++
    return undefined
  })
  const store = openSqliteStore({ path: temporaryFile(), connect })
  // Making the schema is a commit, too.
  commits = 0
  return { store, commits: () => commits }
}

function batch(callId: string) {
  const calls = [{ call: callRecord(callId), session: sessionDraft('s1') }]
  return { calls, entry: testEntry({ type: 'calls.judged' }) }
}
