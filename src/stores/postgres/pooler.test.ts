/** Behind a real pgbouncer, in each of its modes. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { noPgbouncer, type Pgbouncer, startPgbouncer } from '../../../test/servers/pgbouncer.ts'
import { noPostgres } from '../../../test/servers/postgres.ts'
import type { Hint } from '../store.ts'
import { describePostgres } from './fixtures/contract.ts'
import { usePostgres } from './fixtures/postgres-test.ts'
import { inspectPostgres } from './inspect.ts'
import type { PostgresStoreOptions } from './store.ts'

const MODES = ['session', 'transaction', 'statement'] as const

describe.skipIf(noPostgres || noPgbouncer)('behind pgbouncer', () => {
  const postgres = usePostgres({ fsync: 'off' })
  const poolers = {} as Record<(typeof MODES)[number], Pgbouncer>

  beforeAll(async () => {
    for (const mode of MODES) poolers[mode] = await startPgbouncer(postgres.server, { mode })
  })
  afterAll(async () => {
    for (const pooler of Object.values(poolers)) await pooler.dispose()
  })

  const open = (options: Partial<PostgresStoreOptions>) =>
    postgres.open({ schema: postgres.schema(), poolSize: 1, ...options })

  it('in transaction mode it refuses to listen there, says why, and so does the doctor', async () => {
    const { url } = poolers.transaction
    await expect(open({ url })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringMatching(/pool_mode=transaction.*listenUrl/),
    })
    const findings = await inspectPostgres({ url })
    expect(findings.find(({ about }) => about === 'notifications')).toMatchObject({ kind: 'problem' })
  })

  it('in statement mode it makes no tables, and says why; where they are, it works', async () => {
    const options = { url: poolers.statement.url, listenUrl: postgres.server.url, schema: 'in_statements' }
    await expect(open(options)).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('pool_mode=statement takes no transaction'),
    })
    await open({ ...options, url: postgres.server.url })
    expect(await (await open(options)).count('pending')).toBe(0)
  })

  it('what the pooler refuses is not taken for a server that is not there', async () => {
    const { url } = poolers.session
    for (const wrong of [url.replace(/postgres$/, 'nowhere'), url.replace('banksman@', 'nobody@')]) {
      await expect(open({ url: wrong })).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining('the pooler or proxy at this address refused it'),
      })
    }
  })

  it.each(['session', 'transaction'] as const)(
    'P7: in %s mode, a pooler that is killed and comes back loses nothing, and the hints come again',
    async (mode) => {
      const own = await startPgbouncer(postgres.server, { mode })
      onTestFinished(() => own.dispose())
      const options = {
        url: own.url,
        schema: `killed_${mode}`,
        ...(mode === 'session' ? {} : { listenUrl: postgres.server.url }),
      }
      const [one, two] = [await open(options), await open(options)]
      const hints: Hint[] = []
      two.watch((hint) => void hints.push(hint))
      const isHeard = () => hints.some(({ local }) => !local)
      await one.settings.set('k', 'before')
      await until(isHeard, 'the other one hears of it')
      await own.stop()
      await expect(one.count('pending')).rejects.toMatchObject({ code: 'store_unavailable' })
      await own.start()
      await until(
        () =>
          one.count('pending').then(
            () => true,
            () => false,
          ),
        'it answers again',
      )
      hints.length = 0
      await until(async () => {
        await one.settings.set('other', hints.length)
        return isHeard()
      }, 'the other one hears again')
      expect(await two.settings.get('k')).toBe('before')
    },
  )

  // Each transaction may be on another connection than the last.
  describePostgres('postgres behind pgbouncer', postgres, () => ({
    url: poolers.transaction.url,
    listenUrl: postgres.server.url,
  }))
})
