/** The file itself: who may read it, how it is written, and what is refused. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { mountSmallDisk, NO_DISK } from '../../../test/fixtures/small-disk.ts'
import { openRequest, temporaryFile, testEntry, testOpening } from '../../../test/fixtures/sqlite-files.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { openConnection } from './database/connection.ts'
import { MIGRATIONS } from './database/migrations.ts'
import { openSqliteStore } from './store.ts'

describe('a new file', () => {
  it('is readable by its owner alone, with its folder and its side files', async () => {
    const path = join(dirname(temporaryFile()), 'data', 'banksman.db')
    const store = openSqliteStore({ path })
    await openRequest(store, 'r1')
    for (const side of ['', '-wal', '-shm']) expect(statSync(path + side).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    await store.close()
  })

  it('P7: is written through a log that is synced at every commit', async () => {
    const path = temporaryFile()
    const raw = openConnection(path)
    const store = openSqliteStore({ path, connect: () => raw })
    expect(raw.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
    expect(raw.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 2 })
    expect(raw.prepare('PRAGMA busy_timeout').get()).toMatchObject({ timeout: 0 })
    await store.close()
    const again = new DatabaseSync(path)
    expect(again.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: MIGRATIONS.length })
    again.close()
  })

  it('takes an empty file as new', async () => {
    const path = temporaryFile()
    writeFileSync(path, '')
    const store = openSqliteStore({ path })
    await openRequest(store, 'r1')
    await store.close()
  })
})

describe('P5: a file that can not be trusted is refused, and left as it is', () => {
  it('when a newer version wrote it', async () => {
    const path = temporaryFile()
    await openSqliteStore({ path }).close()
    const raw = new DatabaseSync(path)
    raw.exec('PRAGMA user_version = 99')
    raw.close()
    expect(refusal(path)).toMatchObject({
      code: 'schema_newer',
      details: { found: 99, known: MIGRATIONS.length },
    })
    expect(refusal(path).message).toContain(path)
  })

  it.each([
    ['without a version of its own', 'CREATE TABLE songs (title TEXT)'],
    [
      'with the version that ours has',
      `CREATE TABLE songs (title TEXT); PRAGMA user_version = ${MIGRATIONS.length}`,
    ],
    ['with a higher version than ours', 'CREATE TABLE songs (title TEXT); PRAGMA user_version = 77'],
    ['with a mark of its own and nothing else', 'PRAGMA application_id = 7; PRAGMA user_version = 1'],
  ])("when it is another program's database %s", (_, sql) => {
    const path = temporaryFile()
    const raw = new DatabaseSync(path)
    raw.exec(sql)
    raw.close()
    const before = readFileSync(path)
    const error = refusal(path)
    expect(error.code).toBe('store_corrupt')
    expect(error.message).toContain('another program')
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it.each([
    ['a text', 'this is not a database, it is a text that is long enough to be taken for one. '.repeat(20)],
    ['a short text', 'hello'],
    ['zeros', '\0'.repeat(8192)],
  ])('when it is %s', (_, content) => {
    const path = temporaryFile()
    writeFileSync(path, content)
    expect(refusal(path).code).toBe('store_corrupt')
    expect(readFileSync(path, 'utf8')).toBe(content)
  })

  it('when half of it is missing', async () => {
    const path = temporaryFile()
    await openSqliteStore({ path }).close()
    truncateSync(path, statSync(path).size / 2)
    expect(refusal(path).code).toBe('store_corrupt')
  })

  it('when it is a folder', () => {
    const path = temporaryFile()
    mkdirSync(path)
    expect(refusal(path).code).toBe('store_unavailable')
  })

  it('when a file stands where its folder should be', () => {
    const path = temporaryFile()
    writeFileSync(path, '')
    expect(refusal(join(path, 'banksman.db')).code).toBe('store_unavailable')
  })

  it('when it may not be written', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('nothing is read-only for root')
    const path = temporaryFile()
    await openSqliteStore({ path }).close()
    chmodSync(path, 0o400)
    expect(refusal(path)).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('mode'),
    })
    chmodSync(path, 0o600)
    chmodSync(dirname(path), 0o500)
    const error = refusal(path)
    chmodSync(dirname(path), 0o700)
    expect(error).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('mode') })
  })

  it('when its disk is mounted read-only', async ({ skip }) => {
    const disk = mountSmallDisk('1m') ?? skip(NO_DISK)
    try {
      const path = join(disk.folder, 'test.db')
      await openSqliteStore({ path }).close()
      disk.makeReadOnly()
      expect(refusal(path)).toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining('read-only'),
      })
      expect(refusal(join(disk.folder, 'new.db')).code).toBe('store_unavailable')
    } finally {
      disk.unmount()
    }
  })
})

describe('P5: damage that shows later', () => {
  it('fails the verb that meets it, and says what it is', async () => {
    const path = temporaryFile()
    const store = openSqliteStore({ path })
    for (let index = 0; index < 50; index++)
      await store.open(testOpening(`r${index}`, { bytes: 'x'.repeat(2000) }))
    await store.close()
    const bytes = readFileSync(path)
    // All but the header and the schema: the file opens, and nothing in it makes sense.
    bytes.fill(0xa5, 4096 * 30)
    writeFileSync(path, bytes)
    const again = openSqliteStore({ path })
    const codes = new Set<string>()
    for (let index = 0; index < 50; index++) {
      await again.get(`r${index}`).catch((error: { code: string }) => codes.add(error.code))
    }
    expect([...codes]).toEqual(['store_corrupt'])
    await again.close()
  })
})

describe('erasure', () => {
  it('leaves no trace of the arguments in the file or its log', async () => {
    const path = temporaryFile()
    const store = openSqliteStore({ path, now: () => 1000 })
    const secret = 'correct-horse-battery-staple'
    const request = await openRequest(store, 'r1', {
      bytes: secret.repeat(400),
      context: secret,
      preview: secret,
    })
    const edit = { digest: 'd', bytes: secret.repeat(400), by: 'ana', terms: request.terms }
    await store.transition({
      id: 'r1',
      version: 1,
      from: 'pending',
      to: 'done',
      progress: { edit, approved: { digest: 'd', bytes: secret } },
      deadline: 'none',
      result: secret.repeat(400),
      entry: testEntry(),
    })
    // What takes the place of a longer result, and a progress that is written anew, leave nothing of the one before either.
    const again = { id: 'r1', version: 2, from: 'done', to: 'done', deadline: 'none' } as const
    await store.transition({ ...again, progress: { edit }, result: 'short', entry: testEntry() })
    expect(holds(path, secret)).toBe(true)
    expect(await store.calls.erase(2000, 10, () => testEntry())).toBe(1)
    expect(holds(path, secret)).toBe(false)
    await openRequest(store, 'r2')
    await store.close()
  })
})

function holds(path: string, text: string): boolean {
  return ['', '-wal'].some((side) => existsSync(path + side) && readFileSync(path + side).includes(text))
}

function refusal(path: string) {
  try {
    openSqliteStore({ path })
  } catch (error) {
    if (isBanksmanError(error)) return error
    throw error
  }
  throw new Error(`${path} was opened`)
}
