/**
 * Redis takes nothing back when a script fails in the middle. Here every verb that writes is made to fail at every key it
 * changes, by putting a value of a wrong kind there, and must then have changed nothing at all (P5, P10).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import { START } from '../../testing/store/drafts.ts'
import type { Store } from '../store.ts'
import { furnish, keeping, VERBS, type Verb } from './fixtures/every-write.ts'
import { codeOf, digestsOf, keysOf, openRaw, type Raw, type WatchedEntry } from './fixtures/redis-test.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('P5, P10: a script that fails leaves nothing half done', () => {
  let server: RedisServer
  let raw: Raw
  let store: Store
  let template: string[]

  beforeAll(async () => {
    server = await startRedis({ appendonly: 'no', 'enable-debug-command': 'yes' })
    raw = await openRaw(server.url)
    const options = { url: server.url, mayLose: true, now: () => START }
    const first = await openRedisStore({ ...options, prefix: 'template' })
    await furnish(first)
    await first.close()
    template = await keysOf(raw, 'template')
    await restore()
    store = await openRedisStore({ ...options, prefix: 'tried' })
  })

  afterAll(async () => {
    await store?.close()
    raw?.close()
    await server?.dispose()
  })

  for (const [name, verb] of Object.entries(VERBS)) {
    it(name, async () => {
      const changed = await changedKeys(verb)
      expect(changed.length).toBeGreaterThan(0)
      for (const key of changed) {
        const code = await tryOn(verb, key, ['SET', key, 'of another kind'])
        expect([key, code]).toEqual([key, expect.stringMatching(/^store_(corrupt|unavailable)$/)])
        // Without its fields a hash may be as good as new; what fails must still leave all as it was.
        if (!key.endsWith(':meta')) await tryOn(verb, key, ['HSET', key, 'nonsense', '1'])
      }
    })
  }

  /** The code with which the verb fails when the key was replaced, or `resolved`. */
  async function tryOn(verb: Verb, key: string, command: string[]): Promise<string> {
    await restore()
    if (command[0] !== 'SET') await raw.send('DEL', key)
    await raw.send(...command)
    const before = await digests()
    const entries: WatchedEntry[] = []
    const code = await codeOf(verb(store, keeping(entries)))
    if (code !== 'resolved') {
      expect([key, await digests()]).toEqual([key, before])
      expect(entries.flatMap((entry) => entry.numbers)).toEqual([])
    }
    return code
  }

  /** Those that a verb changes when all is well. */
  async function changedKeys(verb: Verb): Promise<string[]> {
    await restore()
    const before = new Map(await digests())
    await verb(store, keeping([]))
    const after = new Map(await digests())
    return [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    )
  }

  /** The key `meta` is never away: the store looks at it from time to time. */
  async function restore(): Promise<void> {
    const wanted = new Map(template.map((key) => [key.replace('{template:', '{tried:'), key]))
    for (const key of await keysOf(raw, 'tried')) if (!wanted.has(key)) await raw.send('DEL', key)
    await Promise.all([...wanted].map(([key, from]) => raw.send('COPY', from, key, 'REPLACE')))
  }

  const digests = () => digestsOf(raw, 'tried')
})
