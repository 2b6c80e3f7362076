/** The user that the guide makes for Banksman may do all that the store needs, and nothing outside of its prefix. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../../test/architecture/source-files.ts'
import { noRedis, startRedis } from '../../../test/servers/redis.ts'
import { START } from '../../testing/store/drafts.ts'
import { furnish, keeping, VERBS } from './fixtures/every-write.ts'
import { openRaw } from './fixtures/redis-test.ts'
import { inspectRedis } from './inspect.ts'
import { openRedisStore } from './store.ts'

it.skipIf(noRedis)('the user of the guide can do what the store needs', async () => {
  const guide = readFileSync(join(ROOT, 'docs/guide/cluster.md'), 'utf8')
  const [, rules = ''] = /`ACL SETUSER banksman ([^`]*)`/.exec(guide) ?? []
  const server = await startRedis()
  onTestFinished(() => server.dispose())
  const raw = await openRaw(server.url)
  await raw.send('ACL', 'SETUSER', 'banksman', ...rules.split(' '))
  const url = server.url.replace('//', '//banksman:secret@')
  const faults: unknown[] = []
  const store = await openRedisStore({ url, now: () => START, report: (fault) => void faults.push(fault) })
  await furnish(store)
  for (const verb of Object.values(VERBS)) await verb(store, keeping([]))
  await store.journal.feed(undefined, 100)
  expect((await store.list({ state: 'pending' })).items).toEqual(expect.any(Array))
  await store.close()
  expect(faults).toEqual([])
  expect((await inspectRedis({ url })).filter(({ kind }) => kind !== 'ok')).toEqual([])
  const restricted = await openRaw(url)
  await expect(restricted.send('SET', 'another', '1')).rejects.toThrow('NOPERM')
  await expect(restricted.send('FLUSHALL')).rejects.toThrow('NOPERM')
  restricted.close()
  raw.close()
})
