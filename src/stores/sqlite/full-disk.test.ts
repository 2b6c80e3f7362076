/** A full disk: refused with its own word, nothing acknowledged is lost, and it goes on once there is room. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mountSmallDisk, NO_DISK } from '../../../test/fixtures/small-disk.ts'
import { openRequest, temporaryFile, testEntry, testOpening } from '../../../test/fixtures/sqlite-files.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Store } from '../store.ts'
import { openConnection } from './database/connection.ts'
import { openSqliteStore } from './store.ts'

describe('P5: a full disk', () => {
  it('that the database itself is kept from growing into', async () => {
    const path = temporaryFile()
    const raw = openConnection(path)
    const store = openSqliteStore({ path, connect: () => raw })
    const pages = Number(raw.prepare('PRAGMA page_count').get()?.page_count)
    raw.exec(`PRAGMA max_page_count = ${pages + 20}`)
    const acknowledged = await fill(store)
    await staysClosed(store, acknowledged)
    raw.exec('PRAGMA max_page_count = 100000')
    await goesOn(store, acknowledged)
    await holdsAfterReopening(path, acknowledged)
  })

  it('refuses only what needs the room, in a group too', async () => {
    const path = temporaryFile()
    const raw = openConnection(path)
    const store = openSqliteStore({ path, connect: () => raw })
    const request = await openRequest(store, 'r1')
    const pages = Number(raw.prepare('PRAGMA page_count').get()?.page_count)
    raw.exec(`PRAGMA max_page_count = ${pages}`)
    const decision = {
      id: 'r1',
      version: 1,
      from: request.state,
      to: 'rejected' as const,
      progress: {},
      deadline: 'none' as const,
      entry: testEntry(),
    }
    const [large, small] = await Promise.allSettled([
      store.open(testOpening('large', { bytes: 'x'.repeat(50_000) })),
      store.transition(decision),
    ])
    expect(large).toMatchObject({ status: 'rejected', reason: { code: 'store_full' } })
    // SQLite may drop the whole transaction when it is full; then both are refused, and told so.
    if (small.status === 'rejected') expect(small.reason).toMatchObject({ code: 'store_full' })
    expect((await store.get('r1'))?.state).toBe(small.status === 'fulfilled' ? 'rejected' : 'pending')
    expect(await store.get('large')).toBe(undefined)
    await store.close()
  })

  it('that is a real one', async ({ skip }) => {
    const disk = mountSmallDisk('1m') ?? skip(NO_DISK)
    try {
      const path = join(disk.folder, 'test.db')
      const store = openSqliteStore({ path })
      const acknowledged = await fill(store)
      await staysClosed(store, acknowledged)
      disk.grow()
      await goesOn(store, acknowledged)
      await holdsAfterReopening(path, acknowledged)
    } finally {
      disk.unmount()
    }
  })

  it('without room for a new database, until there is', async ({ skip }) => {
    const disk = mountSmallDisk('16k') ?? skip(NO_DISK)
    try {
      const path = join(disk.folder, 'test.db')
      expect(() => openSqliteStore({ path })).toThrowError(expect.objectContaining({ code: 'store_full' }))
      disk.grow()
      const store = openSqliteStore({ path })
      await goesOn(store, [])
    } finally {
      disk.unmount()
    }
  })
})

/** Opens requests until there is no room; gives the ids of those that were acknowledged. */
async function fill(store: Store): Promise<string[]> {
  const acknowledged: string[] = []
  for (let index = 0; index < 1000; index++) {
    try {
      await store.open(testOpening(`r${index}`, { bytes: 'x'.repeat(20_000) }))
      acknowledged.push(`r${index}`)
    } catch (error) {
      expect(isBanksmanError(error, 'store_full') && error.message).toContain('full')
      return acknowledged
    }
  }
  throw new Error('the disk was never full')
}

async function staysClosed(store: Store, acknowledged: string[]): Promise<void> {
  for (let index = 0; index < 3; index++) {
    const opening = testOpening(`more-${index}`, { bytes: 'x'.repeat(20_000) })
    await expect(store.open(opening)).rejects.toMatchObject({ code: 'store_full' })
    expect(opening.entry.numbers).toEqual([])
    expect(await store.get(`more-${index}`)).toBe(undefined)
  }
  expect(await store.count('pending')).toBe(acknowledged.length)
}

async function goesOn(store: Store, acknowledged: string[]): Promise<void> {
  await openRequest(store, 'after')
  acknowledged.push('after')
  await store.close()
}

async function holdsAfterReopening(path: string, acknowledged: string[]): Promise<void> {
  const store = openSqliteStore({ path })
  expect(await store.count('pending')).toBe(acknowledged.length)
  for (const id of acknowledged) expect((await store.get(id))?.id).toBe(id)
  const entries = await store.journal.read('c', 0, 10_000)
  expect(entries.map((entry) => entry.request)).toEqual(acknowledged)
  await store.close()
}
