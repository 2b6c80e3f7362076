import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
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
