/** Two whole servers on one store, each with a data folder of its own, on a real Postgres and a real Redis. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noPostgres, type PostgresServer, startPostgres } from '../../test/servers/postgres.ts'
import { noRedis, type RedisServer, startRedis } from '../../test/servers/redis.ts'
import { type Client, createClient, login } from '../client/index.ts'
import { openGateway } from './composition/open-gateway.ts'
import { trustFolder, writeTrusted } from './configuration/trust.ts'
import { type Server, type ServerOptions, startServer } from './start-server.ts'

interface SharedServer {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  dispose(): Promise<void>
}

const DRIVERS: [name: string, missing: string | false, open: () => Promise<SharedServer>][] = [
  ['Postgres', noPostgres, (): Promise<PostgresServer> => startPostgres()],
  ['Redis', noRedis, (): Promise<RedisServer> => startRedis()],
]

describe.each(DRIVERS)('two servers on one %s', (name, missing, open) => {
  describe.skipIf(missing)('', () => {
    let shared: SharedServer
    let home: string
    let round = 0
    let servers: Server[]
    let said: string[]
    let faults: { doing: string; error: unknown }[]
    beforeAll(async () => {
      shared = await open()
    })
    afterAll(() => shared?.dispose())
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'banksman-cluster-'))
      servers = []
      said = []
      faults = []
      round++
    })
    afterEach(async () => {
      for (const server of servers) await server.close()
      rmSync(home, { recursive: true, force: true })
    })

    /** Each test has a part of the store of its own. */
    const apart = () =>
      `owner: ana\npostgres: { schema: round_${round} }\nredis: { prefix: round-${round} }\n`

    async function start(
      node: string,
      options: Partial<ServerOptions> & { text?: string } = {},
    ): Promise<Server> {
      const { text = apart(), ...rest } = options
      const environment = { BANKSMAN_HOME: join(home, 'home'), HOME: home, BANKSMAN_STORE: shared.url }
      const file = join(home, `${node}.yaml`)
      writeFileSync(file, text)
      writeTrusted(trustFolder(environment), file, text, 'ana', 1)
      const server = await startServer({
        host: '127.0.0.1',
        port: 0,
        data: join(home, node),
        configuration: file,
        environment,
        report: (fault) => faults.push(fault),
        say: (line) => said.push(line),
        ...rest,
      })
      servers.push(server)
      return server
    }

    const agentOf = (server: Server, at = server): Client =>
      createClient({ url: at.url, token: readFileSync(server.folder.agentToken, 'utf8').trim() })

    async function anaOf(server: Server): Promise<(at: Server) => Client> {
      const code = (await server.loginLink()).split('#login=')[1]!
      const { key } = await login({ url: server.url, code })
      return (at) => createClient({ url: at.url, token: key })
    }

    const call = (callId: string) => ({ tool: 'send_mail', arguments: { to: 'ada' }, callId, session: 's' })

    it('P6, P8: whoever was given a token on one node is asked and decides on another at once', async () => {
      const text = `${apart()}policy: { rules: [{ name: all, when: { tool: '*' }, then: ask, approvers: ['group:approvers'] }] }\n`
      const one = await start('one', { text })
      const two = await start('two', { text })
      const ana = await anaOf(one)
      const { secret } = await ana(one).tokens.create({ role: 'approver', subject: 'ben' })
      const call = { tool: 'deploy', arguments: {}, callId: 'c1', session: 's1' }
      // Asked where nobody has heard of ben yet: somebody can be asked all the same (P8).
      const { request } = await agentOf(one, two).submit(call)
      expect(request?.state).toBe('pending')
      const ben = createClient({ url: two.url, token: secret })
      const { request: decided } = await ben.decide(request!.id, {
        decision: 'approve',
        digest: request!.digest,
      })
      expect(decided.decision).toMatchObject({ by: 'ben', kind: 'approve' })
    })

    it('P2, P7: asked at one, decided at the other; whoever waits wakes, and it runs once', async () => {
      const [one, two] = await Promise.all([start('one'), start('two')])
      const ana = await anaOf(one)
      const { request } = await agentOf(one).submit(call('c1'))
      const waiting = agentOf(one).get(request!.id, { holdMs: 20_000 })
      const decided = await Promise.allSettled([
        ana(one).decide(request!.id, { decision: 'approve', digest: request!.digest }),
        ana(two).decide(request!.id, { decision: 'reject', digest: request!.digest }),
      ])
      expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const state = decided[0].status === 'fulfilled' ? 'approved' : 'rejected'
      expect((await waiting).state).toBe(state)
      const claims = await Promise.allSettled(
        [one, two].map((at, index) =>
          agentOf(one, at).claim(request!.id, { digest: request!.digest, key: `k${index}` }),
        ),
      )
      expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(state === 'approved' ? 1 : 0)
      expect(faults).toEqual([])
    })

    it('two first starts at once leave a token each, and both hold at both', async () => {
      const [one, two] = await Promise.all([start('one'), start('two')])
      for (const owner of [one, two])
        for (const at of [one, two]) expect(await agentOf(owner, at).me()).toMatchObject({ role: 'agent' })
      // Whoever was revoked at one is out at the other.
      const ana = await anaOf(one)
      const { items } = await ana(two).tokens.list()
      for (const { id, role } of items) if (role === 'agent') await ana(two).tokens.revoke(id)
      await expect(agentOf(one, one).me()).rejects.toMatchObject({ code: 'unauthenticated' })
    })

    it('know of each other, say where they differ, and are gone when they are closed', async () => {
      const one = await start('one')
      const two = await start('two', { text: `${apart()}policy: { allow: [look] }\n` })
      const ana = await anaOf(one)
      const { items } = await ana(one).nodes()
      expect(items.map(({ url, self, owner }) => [url, self, owner]).sort()).toEqual(
        [
          [one.url, true, 'ana'],
          [two.url, false, 'ana'],
        ].sort(),
      )
      expect(said.some((line) => /different policies.*what one asks, another may allow/.test(line))).toBe(
        true,
      )
      await expect(agentOf(one).nodes()).rejects.toMatchObject({ code: 'forbidden' })
      await servers.pop()?.close()
      expect((await ana(one).nodes()).items.map(({ url }) => url)).toEqual([one.url])
    })

    it('a copied data folder is refused, and has a name of its own once it is adopted', async () => {
      const one = await start('one')
      mkdirSync(join(home, 'copy'))
      copyFileSync(one.folder.nodeFile, join(home, 'copy', 'node'))
      await expect(start('copy')).rejects.toMatchObject({ code: 'data_folder_refused' })
      const copy = await start('copy', { adoptData: true })
      const { items } = await (await anaOf(copy))(copy).nodes()
      expect(items.map(({ url, self }) => [url, self]).sort()).toEqual(
        [
          [one.url, false],
          [copy.url, true],
        ].sort(),
      )
      expect(new Set(items.map(({ id }) => id)).size).toBe(2)
    })

    it.runIf(name === 'Redis')('P7: where the store may lose, the start says what', async () => {
      await start('one')
      expect(said.join()).not.toContain('mayLose')
      await start('two', { text: apart().replace('redis: {', 'redis: { mayLose: true,') })
      expect(said).toContainEqual(expect.stringMatching(/redis\.mayLose is true.*decisions and claims/))
    })

    it('P11: a policy is not put into force at one of several', async () => {
      const one = await start('one')
      const two = await start('two')
      const ana = await anaOf(one)
      writeFileSync(join(home, 'one.yaml'), `${apart()}policy: { allow: ["*"] }\n`)
      const { changed } = await ana(one).policy()
      await expect(ana(one).applyPolicy({ digest: changed!.digest })).rejects.toMatchObject({
        code: 'untrusted_configuration',
        detail: expect.stringContaining(two.url),
      })
      expect((await ana(one).policy()).status).toBe('untrusted')
      await servers.pop()?.close()
      expect((await ana(one).applyPolicy({ digest: changed!.digest })).status).toBe('trusted')
    })

    it('P11: no call may name the store’s address, and nothing is kept in the data folder', async () => {
      const one = await start('one')
      const ana = await anaOf(one)
      const { host, port } = new URL(shared.url)
      for (const command of [
        `nc 127.0.0.1 ${port}`,
        `psql postgres://x@localhost:${port}/postgres`,
        `redis-cli -u redis://${host}`,
      ]) {
        const { verdict } = await ana(one).explain({ tool: 'Bash', arguments: { command } })
        expect([command, verdict.kind]).toEqual([command, 'deny'])
      }
      expect(one.store).toContain(host)
      expect(existsSync(one.folder.database)).toBe(false)
    })

    it('P5: the health is that of the store, and what waited is there when it comes back', async () => {
      const one = await start('one')
      const { request } = await agentOf(one).submit(call('c1'))
      const health = async () => (await fetch(`${one.url}/healthz`)).status
      expect(await health()).toBe(200)
      await shared.stop()
      await expect.poll(health).toBe(503)
      await expect(agentOf(one).submit(call('c2'))).rejects.toMatchObject({ code: 'store_unavailable' })
      await expect.poll(() => faults.map(({ doing }) => doing)).toContain('reading the tokens')
      await shared.start()
      await expect.poll(health).toBe(200)
      await expect
        .poll(() =>
          agentOf(one)
            .get(request!.id)
            .then(
              ({ state }) => state,
              () => 'away',
            ),
        )
        .toBe('pending')
      await expect.poll(() => said).toContain('the store answers again')
      const metrics = await fetch(`${one.url}/metrics`, {
        headers: {
          authorization: `Bearer ${(await one.gateway.tokens.create({ role: 'admin', subject: 'ana' }, one.self)).secret}`,
        },
      })
      expect(await metrics.text()).toMatch(/^banksman_store_round_trip_seconds [\d.e-]+$/m)
    })

    it('a gateway in a program is on the same store', async () => {
      const gateway = await openGateway({ store: shared.url, policy: { allow: ['look'] } })
      const result = await gateway.guard(
        { tool: 'look', arguments: {}, callId: `${name}-1`, session: name },
        () => 'seen',
      )
      expect(result).toMatchObject({ kind: 'ran' })
      await gateway.close()
    })
  })
})
