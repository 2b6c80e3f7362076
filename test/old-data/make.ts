/**
 * `node test/old-data/make.ts <version>`: writes `test/old-data/<version>/`, what this version's own code leaves behind in
 * each store. To be run once, in a checkout of the version that is released; see README.md beside it.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { openRaw } from '../../src/stores/redis/fixtures/redis-test.ts'
import { openRedisStore } from '../../src/stores/redis/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import type { Store } from '../../src/stores/store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { startPostgres } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import { live, START } from './life.ts'
import { readAll } from './read-all.ts'
import { dumpRedis, dumpSqlite } from './texts.ts'

const version = process.argv[2]
if (version === undefined) throw new Error('name the version: node test/old-data/make.ts 0.1.0')
const out = join(import.meta.dirname, version)
mkdirSync(out, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'banksman-old-data-'))
try {
  await makeSqlite()
  await makePostgres()
  await makeRedis()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function makeSqlite(): Promise<void> {
  const path = join(folder, 'old.db')
  await fill('sqlite', (now) => openSqliteStore({ path, now }))
  writeFileSync(join(out, 'sqlite.sql'), dumpSqlite(path))
}

async function makePostgres(): Promise<void> {
  const server = await startPostgres({ fsync: 'off' })
  try {
    await fill('postgres', (now) => openPostgresStore({ url: server.url, mayLose: true, now }))
    const dump = execFileSync(
      process.env.PG_DUMP ?? 'pg_dump',
      ['--no-owner', '--no-privileges', '--inserts', '--schema=banksman', server.url],
      { encoding: 'utf8', maxBuffer: 1e8 },
    )
    // What only psql understands, and what says which machine it was.
    const statements = dump
      .split('\n')
      .filter((line) => !/^\\|^--|^SET |^SELECT pg_catalog\.set_config|^$/.test(line))
    writeFileSync(join(out, 'postgres.sql'), `${statements.join('\n')}\n`)
  } finally {
    await server.dispose()
  }
}

async function makeRedis(): Promise<void> {
  const server = await startRedis()
  try {
    await fill('redis', (now) => openRedisStore({ url: server.url, mayLose: true, now }))
    const raw = await openRaw(server.url)
    const commands = await dumpRedis(raw)
    raw.close()
    writeFileSync(
      join(out, 'redis.json'),
      `[\n${commands.map((command) => JSON.stringify(command)).join(',\n')}\n]\n`,
    )
  } finally {
    await server.dispose()
  }
}

async function fill(name: string, open: (now: () => number) => Store | Promise<Store>): Promise<void> {
  const clock = createFakeClock(START)
  const store = await open(() => clock.now())
  await live(store, clock)
  const expected = { now: clock.now(), ...(await readAll(store)) }
  await store.close()
  writeFileSync(join(out, `${name}.expected.json`), `${JSON.stringify(expected, undefined, 1)}\n`)
}
