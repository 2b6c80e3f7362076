import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFile, testEntry, testOpening } from '../../../test/fixtures/sqlite-files.ts'
import type { Token } from '../store.ts'
import { openSqliteStore } from './store.ts'

const token = (id: string, more: Partial<Token> = {}): Token => ({
  id,
  secretHash: id,
  role: 'agent',
  subject: id,
  namespace: 'default',
  createdAt: 1,
  createdBy: 'ana',
  use: 'bearer',
  ...more,
})

/** As a version wrote it that took any number for a time. */
function spoil(path: string, statement: string): void {
  const raw = new DatabaseSync(path)
  raw.exec(statement)
  raw.close()
}

it.each([
  [
    'a time that JavaScript can not hold',
    `UPDATE tokens SET expires_at = 4611686018427387904 WHERE id = 'a'; PRAGMA user_version = USER_VERSION`,
  ],
  ['a torn body', `UPDATE tokens SET body = substr(body, 1, 20) WHERE id = 'a'`],
])('P5: %s in one row hides no other token, and that one is revoked by its id', async (_, statement) => {
  const path = temporaryFile()
  const first = openSqliteStore({ path })
  await first.tokens.create(token('a'), testEntry())
  await first.tokens.create(token('b', { expiresAt: 1e18 }), testEntry())
  await first.close()
  const raw = new DatabaseSync(path)
  const version = Number(raw.prepare('PRAGMA user_version').get()?.user_version)
  raw.close()
  spoil(path, statement.replace('USER_VERSION', String(version - 1)))
  const faults: string[] = []
  const store = openSqliteStore({ path, report: ({ doing }) => faults.push(doing) })
  onTestFinished(() => store.close())
  const listed = await store.tokens.list()
  expect(listed.map(({ id }) => id)).toContain('b')
  expect(faults.length + listed.length).toBe(2)
  expect(await store.tokens.revoke('a', testEntry())).toBe(true)
  expect(await store.tokens.revoke('b', testEntry())).toBe(true)
})

it('P5: a request that never ends hides no other', async () => {
  const path = temporaryFile()
  const store = openSqliteStore({ path })
  onTestFinished(() => store.close())
  await store.open(testOpening('r1', { expiresInMs: 1e18 }))
  const { items } = await store.list({ state: 'pending' })
  expect(items).toHaveLength(1)
})
