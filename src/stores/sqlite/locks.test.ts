/** Several connections and processes on one file: nobody blocks, nobody is lost, and one of them wins. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRequest, temporaryFile, testEntry } from '../../../test/fixtures/sqlite-files.ts'
import type { GroupReport, Order, Report } from '../../../test/fixtures/sqlite-racer.ts'
import type { Request } from '../../core/request.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './store.ts'

describe("another process's lock", () => {
  it('holds up neither the event loop nor reads; what is written waits for it', async () => {
    const { store, other } = await openLocked()
    const outcomes: string[] = []
    const writes = ['r1', 'r2'].map((id) => openRequest(store, id).then(() => outcomes.push(id)))
    for (let turn = 0; turn < 200; turn++) {
      await nextTurn()
      expect(await store.get('r0')).toMatchObject({ state: 'pending' })
    }
    expect(outcomes).toEqual([])
    other.exec('COMMIT')
    await Promise.all(writes)
    expect(outcomes).toEqual(['r1', 'r2'])
    await store.close()
  })

  it('P5: that is never let go ends in store_locked, and nothing was written', async () => {
    const { store, other } = await openLocked({ lockTimeoutMs: 20 })
    const writes = ['r1', 'r2'].map((id) => openRequest(store, id))
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store_locked' } })
    }
    expect(await store.count('pending')).toBe(1)
    other.exec('ROLLBACK')
    await openRequest(store, 'r1')
    expect(await store.journal.chains()).toEqual([{ chain: 'c', last: 2 }])
    await store.close()
  })

  it('P7: closing waits for what is waiting', async () => {
    const { path, store, other } = await openLocked()
    const write = openRequest(store, 'r1')
    await nextTurn()
    const closing = store.close()
    await nextTurn()
    other.exec('COMMIT')
    await closing
    expect((await write).id).toBe('r1')
    const again = openSqliteStore({ path })
    expect(await again.count('pending')).toBe(2)
    await again.close()
  })

  it('does not keep a file from being opened and read', async () => {
    const { path, store } = await openLocked()
    const second = openSqliteStore({ path })
    expect(await second.get('r0')).toMatchObject({ state: 'pending' })
    await second.close()
    await store.close()
  })

  it('of a reader holds up nobody', async () => {
    const path = temporaryFile()
    const store = openSqliteStore({ path })
    await openRequest(store, 'r0')
    const reader = new DatabaseSync(path)
    reader.exec('BEGIN')
    expect(reader.prepare('SELECT count(*) AS count FROM requests').get()).toEqual({ count: 1 })
    await openRequest(store, 'r1')
    expect(await store.count('pending')).toBe(2)
    reader.close()
    await store.close()
  })
})

describe('several store objects in one process', () => {
  it('P2: give every request one winner, and tell every loser who it was', async () => {
    const path = temporaryFile()
    const stores = [openSqliteStore({ path }), openSqliteStore({ path }), openSqliteStore({ path })]
    const requests = await openMany(stores[0]!, 20)
    const reports = await Promise.all(
      stores.map((store, index) => decideAll(store, `store-${index}`, requests)),
    )
    checkWinners(reports)
    for (const store of stores) await store.close()
  })
})

describe('several processes', () => {
  it('P2: give every request one winner, and tell every loser who it was', async () => {
    const path = temporaryFile()
    const store = openSqliteStore({ path })
    const requests = await openMany(store, 60)
    const names = ['one', 'two', 'three']
    const children = await Promise.all(names.map((name) => startRacer(path, name)))
    const reports = await Promise.all(children.map((child) => ask<Report>(child, { do: 'decide', requests })))
    const winners = checkWinners(reports)
    expect(await store.count('rejected')).toBe(60)
    for (const [index, request] of requests.entries()) {
      expect((await store.get(request.id))?.progress.decision?.by).toBe(winners[index])
    }
    for (const [index, name] of names.entries()) {
      const won = reports[index]!.filter((each) => each.won).length
      const entries = await store.journal.read(name, 0, 1000)
      expect(entries.map((entry) => entry.n)).toEqual(Array.from({ length: won }, (_, n) => n + 1))
    }
    for (const child of children) await ask(child, { do: 'close' })
    await store.close()
  })

  it('P2: decide groups that overlap whole or not at all', async () => {
    const path = temporaryFile()
    const store = openSqliteStore({ path })
    const requests = await openMany(store, 60)
    const names = ['one', 'two', 'three']
    const children = await Promise.all(names.map((name) => startRacer(path, name)))
    // Windows that reach into their neighbours', each process going another way through them.
    const windows = Array.from({ length: 20 }, (_, index) => requests.slice(index * 3, index * 3 + 4))
    const orders = [windows, windows.toReversed(), [...windows.slice(7), ...windows.slice(0, 7)]]
    const reports = await Promise.all(
      children.map((child, index) => ask<GroupReport>(child, { do: 'decideGroups', groups: orders[index]! })),
    )
    const deciders = new Map<string, string>()
    for (const [index, name] of names.entries()) {
      for (const [at, { won, lostTo }] of reports[index]!.entries()) {
        const group = orders[index]![at]!
        if (won) for (const { id } of group) expect(deciders.has(id)).toBe(false)
        if (won) for (const { id } of group) deciders.set(id, name)
        else expect(lostTo.length).toBeGreaterThan(0)
        for (const by of lostTo) expect(names).toContain(by)
      }
    }
    expect(deciders.size).toBeGreaterThan(0)
    for (const { id } of requests) {
      expect((await store.get(id))?.progress.decision?.by).toBe(deciders.get(id))
    }
    for (const child of children) await ask(child, { do: 'close' })
    await store.close()
  })

  it('P7: hear of what another one has committed', async () => {
    const path = temporaryFile()
    const store = openSqliteStore({ path })
    const child = await startRacer(path, 'one')
    const heard = new Promise<{ local: boolean; request: Request | undefined }>((resolve, reject) => {
      const leave = store.watch(({ local }) => {
        leave()
        store.get('r1').then((request) => resolve({ local, request }), reject)
      })
    })
    await ask(child, { do: 'open', id: 'r1' })
    expect(await heard).toMatchObject({ local: false, request: { id: 'r1', state: 'pending' } })
    await ask(child, { do: 'close' })
    await store.close()
  })
})

/** A store with one pending request, r0, whose write lock another connection has just taken. */
async function openLocked(options: { lockTimeoutMs?: number } = {}) {
  const path = temporaryFile()
  const store = openSqliteStore({ path, ...options })
  await openRequest(store, 'r0')
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  onTestFinished(() => other.close())
  return { path, store, other }
}

async function openMany(store: Store, count: number): Promise<Request[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => openRequest(store, `r${index}`)))
}

async function decideAll(store: Store, by: string, requests: Request[]): Promise<Report> {
  return Promise.all(
    requests.map(async ({ id, version, state: from, digest }) => {
      const decision = { kind: 'reject', by, at: 0, via: 'test', digest } as const
      const entry = testEntry({ chain: by })
      const change = {
        id,
        version,
        from,
        to: 'rejected',
        progress: { decision },
        deadline: 'none',
        entry,
      } as const
      const result = await store.transition(change)
      return { won: result.won, decidedBy: result.won ? by : result.request?.progress.decision?.by }
    }),
  )
}

/** One winner for each request, and one answer for all. */
function checkWinners(reports: Report[]): (string | undefined)[] {
  return reports[0]!.map((_, index) => {
    const answers = reports.map((report) => report[index]!)
    expect(answers.filter((answer) => answer.won)).toHaveLength(1)
    const told = new Set(answers.map((answer) => answer.decidedBy))
    expect(told.size).toBe(1)
    return [...told][0]
  })
}

async function startRacer(path: string, name: string): Promise<ChildProcess> {
  const script = new URL('../../../test/fixtures/sqlite-racer.ts', import.meta.url)
  const child = fork(script, [path, name], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  onTestFinished(() => {
    child.kill()
  })
  await once(child, 'message')
  return child
}

/** Gives the order, and what the child answers; it answers to `close` by going away. */
async function ask<T>(child: ChildProcess, order: Order): Promise<T> {
  const answer = once(child, order.do === 'close' ? 'exit' : 'message')
  child.send(order)
  return (await answer)[0] as T
}
