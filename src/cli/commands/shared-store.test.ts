/** The commands that work on a data folder whose store is elsewhere. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noPostgres, type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import type { Finding } from '../../core/support/finding.ts'
import { type CliFolder, makeCliFolder } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

describe.skipIf(noPostgres)('commands on a store in Postgres', () => {
  let postgres: PostgresServer
  let place: CliFolder
  let environment: Record<string, string>
  beforeAll(async () => {
    postgres = await startPostgres()
    place = makeCliFolder()
    // This Postgres asks for no password and takes any.
    environment = { BANKSMAN_STORE: postgres.url.replace('banksman@', 'banksman:hunter2@') }
    await place.start([], { environment })
  })
  afterAll(async () => {
    await place?.remove()
    await postgres?.dispose()
  })

  const run = async (args: string[], more: Record<string, string> = environment) => {
    const ran = await runInProcess(args, place.folder, { ...place.environment, ...more })
    expect(ran.stdout + ran.stderr).not.toContain('hunter2')
    return ran
  }
  const jsonOf = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).stdout)

  it('logs in through the store, and what talks to the server needs no token', async () => {
    expect(existsSync(join(place.folder, '.banksman', 'banksman.db'))).toBe(false)
    expect((await jsonOf('login')).link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=bml_/)
    expect((await jsonOf('tokens', 'list')).items.length).toBeGreaterThan(1)
    const { code, stdout } = await run(['nodes'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^\* {2}nod_\w+ {2}http:.* {2}version .*owner ana/),
    ])
  })

  it('verifies and exports the journal of the store, with the checkpoints of this folder', async () => {
    const { code, stdout } = await run(['journal', 'verify'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('chain')])
    expect(
      (await place.run(['journal', 'export'], { environment })).stdout.split('\n').length,
    ).toBeGreaterThan(3)
  })

  it('P11: without the address, or with another one, they open nothing', async () => {
    for (const args of [['journal', 'verify'], ['login']]) {
      const without = await run(args, {})
      expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('set that here too')])
      const other = await run(args, { BANKSMAN_STORE: 'postgres://banksman:hunter2@127.0.0.1:1/other' })
      expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('as the server has it')])
    }
  })

  it('backup says how Postgres is copied', async () => {
    const { code, stderr } = await run(['backup', 'copy.db'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/pg_dump --format=custom --schema=banksman/)])
    expect(existsSync(join(place.folder, 'copy.db'))).toBe(false)
  })

  it('doctor looks at the store and at the nodes', async () => {
    const { findings } = (await jsonOf('doctor')) as { findings: Finding[] }
    expect(findings.filter(({ kind }) => kind === 'problem')).toEqual([])
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: 'ok',
        about: 'nodes',
        detail: expect.stringContaining('1 on this store'),
      }),
    )
    const abouts = findings.map(({ about }) => about).filter((about) => about !== 'nodes')
    expect(abouts.filter((about) => about.endsWith('clock'))).toEqual(['clock', 'machine’s clock'])
    // In a shell that does not know where the store is.
    const { code, stdout } = await run(['doctor', '--json'], {})
    expect(code).toBe(1)
    expect((JSON.parse(stdout) as { findings: Finding[] }).findings).toContainEqual(
      expect.objectContaining({
        kind: 'problem',
        about: 'store',
        detail: expect.stringContaining('the next one here would open sqlite:'),
        advice: expect.stringContaining('set BANKSMAN_STORE here'),
      }),
    )
  })

  it('doctor finds a store that does not answer, before the first start too', async () => {
    const { code, stdout } = await run(['doctor', '--json', '--data', 'other'], {
      BANKSMAN_STORE: 'postgres://banksman:hunter2@127.0.0.1:1/other',
    })
    expect(code).toBe(1)
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    expect(findings.filter(({ kind }) => kind === 'problem')).toHaveLength(1)
    expect(existsSync(join(place.folder, 'other'))).toBe(false)
  })
})

describe.skipIf(noRedis)('commands on a store in Redis', () => {
  let redis: RedisServer
  let place: CliFolder
  beforeAll(async () => {
    redis = await startRedis()
    place = makeCliFolder()
    await place.start([], { environment: { BANKSMAN_STORE: redis.url } })
  })
  afterAll(async () => {
    await place?.remove()
    await redis?.dispose()
  })

  it('log in, verify and look; a backup says how Redis is copied', async () => {
    const run = (...args: string[]) =>
      runInProcess(args, place.folder, { ...place.environment, BANKSMAN_STORE: redis.url })
    expect((await run('login')).code).toBe(0)
    expect((await run('journal', 'verify')).code).toBe(0)
    const { stdout } = await run('doctor', '--json')
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    expect(findings.filter(({ kind }) => kind === 'problem')).toEqual([])
    expect(findings.map(({ about }) => about)).toContain('nodes')
    expect((await run('backup', 'copy.db')).stderr).toMatch(/redis-cli -u <address> --rdb/)
  })
})

describe('commands on a store in another file', () => {
  const place = makeCliFolder()
  afterAll(() => place.remove())

  it('work on it without being told, and a second server on it is refused', async () => {
    await place.start(['--store', 'sqlite:elsewhere.db'])
    expect(existsSync(join(place.folder, '.banksman', 'banksman.db'))).toBe(false)
    const run = (...args: string[]) => runInProcess(args, place.folder, place.environment)
    expect((await run('login')).code).toBe(0)
    expect((await run('journal', 'verify')).code).toBe(0)
    expect((await run('backup', 'copy.db')).stdout).toContain('verifies')
    const second = await place.run([
      'start',
      '--port',
      '0',
      '--data',
      'second',
      '--store',
      'sqlite:elsewhere.db',
    ])
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('SQLite serves one server')])
  })

  it('P11: a start on an untrusted file that names a store is refused; nothing is opened', async () => {
    writeFileSync(join(place.folder, 'named.yaml'), 'store: sqlite:evil.db\n')
    const ran = await place.run(['start', '--port', '0', '--data', 'third', '--config', 'named.yaml'])
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('banksman trust')])
    for (const name of ['evil.db', 'third/banksman.db'])
      expect(existsSync(join(place.folder, name))).toBe(false)
  })

  it('P9: a password on the command line is refused and not repeated', async () => {
    const ran = await place.run([
      'start',
      '--port',
      '0',
      '--data',
      'third',
      '--store',
      'postgres://me:hunter2@db/x',
    ])
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('BANKSMAN_STORE')])
    expect(ran.stderr).not.toContain('hunter2')
  })
})
