import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openRequest, temporaryFile, testEntry } from '../../../test/fixtures/sqlite-files.ts'
import { openSqliteStore } from './store.ts'

afterEach(() => void vi.useRealTimers())

/** What becomes of a file under a running server. */
const LOSSES: [string, (path: string) => void][] = [
  ['removed', (path) => rmSync(path)],
  ['moved away', (path) => renameSync(path, `${path}.old`)],
  [
    'restored from a copy',
    (path) => {
      copyFileSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    },
  ],
]

describe.each(['', '-wal', '-lock'])('P5: a file of the store (%j)', (suffix) => {
  it.each(LOSSES)('that is %s: nothing is acknowledged any more, and it is told once', async (_, lose) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const path = temporaryFile()
    const lock = `${path}-lock`
    await openSqliteStore({ path: lock }).close()
    const faults: unknown[] = []
    const store = openSqliteStore({
      path,
      alsoWatched: [lock],
      report: (fault) => faults.push(fault),
    })
    await openRequest(store, 'r1')
    vi.advanceTimersByTime(1000)
    await openRequest(store, 'r2')
    lose(`${path}${suffix}`)
    vi.advanceTimersByTime(1000)
    const refused = {
      code: 'store_unavailable',
      message: expect.stringContaining('removed, moved or replaced'),
    }
    await expect(openRequest(store, 'r3')).rejects.toMatchObject(refused)
    await expect(store.journal.append(testEntry())).rejects.toMatchObject(refused)
    await expect(store.nextDeadline()).rejects.toMatchObject(refused)
    vi.advanceTimersByTime(5000)
    expect(faults).toHaveLength(1)
    const isThere = existsSync(`${path}-wal`)
    await store.close()
    expect(existsSync(`${path}-wal`)).toBe(isThere)
  })
})

it.each([
  ['emptied', (path: string) => truncateSync(path)],
  ['cut off', (path: string) => truncateSync(path, statSync(path).size - 4096)],
])('P5: a database that is %s in place acknowledges nothing any more', async (_, lose) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const path = temporaryFile()
  await openSqliteStore({ path }).close()
  const store = openSqliteStore({ path, report: () => {} })
  await openRequest(store, 'r1')
  vi.advanceTimersByTime(1000)
  lose(path)
  vi.advanceTimersByTime(1000)
  await expect(openRequest(store, 'r2')).rejects.toMatchObject({ code: 'store_unavailable' })
  await store.close()
})
