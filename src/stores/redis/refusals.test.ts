/** On which servers and names the store refuses to work, and what it says (P5). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRedis, type RedisServer, startRedis } from '../../../test/servers/redis.ts'
import { codeOf, keysOf, messageOf, opened, openRaw, type Raw } from './fixtures/redis-test.ts'
import { inspectRedis } from './inspect.ts'
import { SCHEMA } from './scripts/pieces/script.ts'
import { openRedisStore } from './store.ts'

describe.skipIf(noRedis)('P5: the store refuses', () => {
  let server: RedisServer
  let raw: Raw
  let tests = 0
  const prefix = () => `refused-${++tests}`

  beforeAll(async () => {
    server = await startRedis()
    raw = await openRaw(server.url)
  })
  afterAll(async () => {
    raw?.close()
    await server?.dispose()
  })

  /** With settings of the server that are taken back afterwards. */
  async function withSettings(settings: Record<string, string>, work: () => Promise<void>): Promise<void> {
    const before: string[] = []
    for (const [name, value] of Object.entries(settings)) {
      before.push(...((await raw.send('CONFIG', 'GET', name)) as string[]))
      await raw.send('CONFIG', 'SET', name, value)
    }
    try {
      await work()
    } finally {
      if (before.length > 0) await raw.send('CONFIG', 'SET', ...before)
    }
  }

  async function opens(options: { url?: string; mayLose?: boolean } = {}): Promise<string> {
    const store = await openRedisStore({ url: server.url, prefix: prefix(), ...options })
    await opened(store, 'r1')
    await store.close()
    return 'resolved'
  }

  for (const [settings, words] of [
    [{ appendfsync: 'everysec' }, /appendfsync everysec.*appendfsync always.*mayLose/s],
    [{ appendfsync: 'no' }, /appendfsync no\).*appendfsync always.*mayLose/s],
    [{ appendonly: 'no' }, /appendonly no\).*appendonly yes.*mayLose/s],
    [{ 'no-appendfsync-on-rewrite': 'yes' }, /no-appendfsync-on-rewrite yes.*mayLose/s],
  ] as const) {
    it(`a server with ${Object.entries(settings)[0]?.join(' ')}, unless it may lose`, async () => {
      await withSettings(settings, async () => {
        expect(await codeOf(opens())).toBe('invalid_configuration')
        expect(await messageOf(opens())).toMatch(words)
        expect(await opens({ mayLose: true })).toBe('resolved')
        const found = (mayLose: boolean) => inspectRedis({ url: server.url, mayLose })
        expect((await found(false)).find(({ about }) => about === 'durability')?.kind).toBe('problem')
        expect((await found(false)).find(({ about }) => about === 'durability')?.advice).toContain(
          '`redis: { mayLose: true }` in banksman.yaml',
        )
        const accepted = (await found(true)).find(({ about }) => about === 'durability')
        expect(accepted?.kind).toBe('warning')
        expect(accepted?.advice).not.toContain('mayLose')
      })
    })
  }

  it('a server that does not say whether it keeps what it acknowledges, unless it may lose', async () => {
    await raw.send('ACL', 'SETUSER', 'app', 'on', '>s3cret!', '~*', '&*', '+@all', '-config')
    const url = server.url.replace('//', '//app:s3cret%21@')
    expect(await codeOf(opens({ url }))).toBe('invalid_configuration')
    expect(await messageOf(opens({ url }))).toMatch(/can't be read.*mayLose/s)
    expect(await opens({ url, mayLose: true })).toBe('resolved')
  })

  it('a server that could evict a request, whatever it may lose', async () => {
    await withSettings({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' }, async () => {
      expect(await codeOf(opens({ mayLose: true }))).toBe('invalid_configuration')
      expect(await messageOf(opens({ mayLose: true }))).toMatch(/allkeys-lru.*noeviction/s)
    })
    await withSettings({ maxmemory: '100mb', 'maxmemory-policy': 'noeviction' }, async () => {
      expect(await opens()).toBe('resolved')
    })
    await withSettings({ 'maxmemory-policy': 'allkeys-lru' }, async () => {
      expect(await opens()).toBe('resolved')
    })
  })

  it('a replica', async () => {
    const replica = await startRedis({ replicaof: `127.0.0.1 ${server.port}` })
    try {
      expect(await codeOf(opens({ url: replica.url, mayLose: true }))).toBe('invalid_configuration')
      expect(await messageOf(opens({ url: replica.url }))).toMatch(/replica.*primary/s)
      expect((await inspectRedis({ url: replica.url })).find(({ about }) => about === 'role')?.kind).toBe(
        'problem',
      )
    } finally {
      await replica.dispose()
    }
  })

  it('names that would not stay in one slot, or could be mistaken for others', async () => {
    const open = (options: { prefix?: string; namespace?: string }) =>
      codeOf(openRedisStore({ url: server.url, ...options }))
    for (const name of ['', 'a{b', 'a}b', '{}']) {
      expect(await open({ prefix: name })).toBe('invalid_configuration')
      expect(await open({ namespace: name })).toBe('invalid_configuration')
    }
    expect(await open({ namespace: 'a:b' })).toBe('invalid_configuration')
    expect(await keysOf(raw, 'a')).toEqual([])
  })

  it('a namespace of a newer Banksman, at the door and while it is open', async () => {
    const options = { url: server.url, prefix: prefix() }
    const meta = `{${options.prefix}:default}:meta`
    const store = await openRedisStore(options)
    await raw.send('HSET', meta, 'schema', String(SCHEMA + 1))
    expect(await codeOf(opened(store, 'r1'))).toBe('schema_newer')
    await store.close()
    expect(await codeOf(openRedisStore(options))).toBe('schema_newer')
    expect(await keysOf(raw, options.prefix)).toEqual([meta])
  })

  it("another program's keys, and leaves them as they are", async () => {
    const options = { url: server.url, prefix: prefix() }
    const meta = `{${options.prefix}:default}:meta`
    for (const command of [
      ['SET', meta, 'mine'],
      ['HSET', meta, 'name', 'mine'],
    ]) {
      await raw.send('DEL', meta)
      await raw.send(...command)
      expect(await codeOf(openRedisStore(options))).toBe('store_corrupt')
    }
    expect(await raw.send('HGETALL', meta)).toEqual(['name', 'mine'])
  })

  it('and says what to check', async () => {
    const { url } = server
    for (const [wrong, says] of [
      ['redis://127.0.0.1:1', /is it running, and are host and port right\?/],
      ['redis://no-such-host.invalid', /is it running/],
      [`${url}/9999`, /name one that exists/],
      [url.replace('redis:', 'rediss:'), /does this port speak TLS \(else write redis:/],
      ['redis://:p@ss/w:rd@127.0.0.1:1', /percent-encoded/],
      ['redis://:1234/w:rd@127.0.0.1:1', /percent-encoded/],
    ] as const) {
      const [findings, message] = await Promise.all([
        inspectRedis({ url: wrong }),
        messageOf(openRedisStore({ url: wrong })),
      ])
      for (const told of [message, findings[0]!.detail]) {
        expect(told).toMatch(says)
        expect(told).not.toMatch(/by itself|w:rd/)
      }
    }
  })

  it('a server that is not there, a wrong password and what is no URL, and never says the password', async () => {
    const wrong = [
      ['redis://ana:hunter2@127.0.0.1:1', 'store_unavailable'],
      [server.url.replace('//', '//ana:hunter2@'), 'invalid_configuration'],
      [server.url.replace('//', '//:hunter2@'), 'invalid_configuration'],
      ['redis://ana:hunter2@127.0.0.1:notaport', 'invalid_configuration'],
      ['http://ana:hunter2@127.0.0.1', 'invalid_configuration'],
      ['ana:hunter2@127.0.0.1', 'invalid_configuration'],
      ['redis://ana:hunter2@[', 'invalid_configuration'],
      ['redis://', 'invalid_configuration'],
      ['', 'invalid_configuration'],
    ]
    for (const [url, code] of wrong) {
      const refused = await openRedisStore({ url: url! }).then(
        () => new Error('it was opened'),
        (error: Error) => error,
      )
      expect([url, await codeOf(Promise.reject(refused))]).toEqual([url, code])
      expect(everythingIn(refused)).not.toContain('hunter2')
      const findings = await inspectRedis({ url: url! })
      expect(findings).toEqual([expect.objectContaining({ kind: 'problem', about: 'connection' })])
      expect(JSON.stringify(findings)).not.toContain('hunter2')
    }
  })
})

describe.skipIf(noRedis)('inspectRedis', () => {
  it('finds nothing to say against a server that keeps everything', async () => {
    const server = await startRedis()
    try {
      const findings = await inspectRedis({ url: server.url })
      expect(findings.map(({ kind, about }) => `${about}: ${kind}`)).toEqual([
        'connection: ok',
        'version: ok',
        'role: ok',
        'durability: ok',
        'memory: ok',
        'clock: ok',
        'messages: ok',
      ])
    } finally {
      await server.dispose()
    }
  })
})

/** All texts of an error and of what caused it. */
function everythingIn(error: unknown): string {
  const texts: string[] = []
  for (let each = error; each instanceof Error; each = each.cause) {
    texts.push(each.message, each.stack ?? '', JSON.stringify(Object.entries(each)))
  }
  return texts.join('\n')
}
