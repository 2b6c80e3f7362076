/** The Banksman server is away, slow, restarts or answers something else: calls are refused with the true reason, or go on. */
import { afterEach, describe, expect, it } from 'vitest'
import { type CliFolder, makeCliFolder, type StartedServer } from '../../src/cli/fixtures/program.ts'
import { until } from '../fixtures/until.ts'
import { type FaultyServer, startFaultyServer } from '../guard/faulty-server.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type Any, type McpProxy, startProxy, textOf } from './proxy-driver.ts'

describe('a server of the data folder', () => {
  let cli: CliFolder
  let proxy: McpProxy
  afterEach(async () => {
    await proxy.stop()
    await cli.remove()
  })

  const start = () => startProxy({ environment: cli.environment, cwd: cli.folder })
  const requests = async (): Promise<Any[]> => {
    const { stdout } = await cli.run(['requests', 'list', '--json'])
    return stdout.trim() === '' ? [] : JSON.parse(stdout).items
  }
  async function pending(): Promise<Any> {
    let found: Any
    await until(async () => {
      found = (await requests()).find(({ state }) => state === 'pending')
      return found !== undefined
    }, 'a request that waits')
    return found
  }

  it('P5: none is running: tools are listed, calls are refused with the command that starts one', async () => {
    cli = makeCliFolder()
    proxy = start()
    expect((await proxy.request('tools/list', {})).result.tools.length).toBeGreaterThan(5)
    const answer = await proxy.call('read', {}).answer
    expect(answer.result.isError).toBe(true)
    expect(textOf(answer)).toMatch(/banksman start/)
    expect(proxy.folder.effects()).toEqual([])
    // It is started later: the same proxy goes on.
    await cli.start()
    const again = proxy.call('append', { line: 'a' })
    const { id } = await pending()
    expect((await cli.run(['requests', 'approve', id, '--yes'])).code).toBe(0)
    expect(textOf(await again.answer)).toBe('append done')
  })

  it('P1 P4: it restarts while a call waits: the wait goes on, and the approval runs the call once', async () => {
    cli = makeCliFolder()
    let server: StartedServer = await cli.start()
    proxy = start()
    const call = proxy.call('append', { line: 'a' })
    const { id } = await pending()
    await server.stop('SIGKILL')
    server = await cli.start()
    expect((await cli.run(['requests', 'approve', id, '--yes'])).code).toBe(0)
    expect(textOf(await call.answer)).toBe('append done')
    expect(proxy.folder.effects()).toEqual(['append {"line":"a"}'])
  })
})

describe('a server that fails', () => {
  let gated: GatedProxies
  let faulty: FaultyServer
  afterEach(async () => {
    await gated.close()
    await faulty?.close()
  })

  async function open(): Promise<McpProxy> {
    gated = await openGatedProxies()
    faulty = await startFaultyServer(gated.http.server.address.url)
    return gated.start({ environment: { BANKSMAN_URL: faulty.url } })
  }

  it.each(['refused', 'answer lost', '500', 'html'] as const)(
    'P4: %s at the first step: an allowed call and an approved one run once all the same',
    async (fault) => {
      const proxy = await open()
      faulty.fail(/holds$/, fault)
      expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
      faulty.fail(/holds$/, fault)
      const call = proxy.call('append', { line: 'a' })
      const [request] = await gated.pending()
      faulty.fail(/holds$/, fault)
      await gated.approve(request!.id)
      expect(textOf(await call.answer)).toBe('append done')
      expect(proxy.folder.effects()).toEqual(['read {}', 'append {"line":"a"}'])
      expect(await gated.pending(0)).toEqual([])
    },
  )

  it('P5: an answer that is no hold runs nothing', async () => {
    const proxy = await open()
    faulty.fail(/holds$/, 'garbage')
    const answer = await proxy.call('read', {}).answer
    expect(answer.result.isError).toBe(true)
    expect(proxy.folder.effects()).toEqual([])
  })

  it('P5: 500 for good: refused with that', async () => {
    const proxy = await open()
    faulty.fail(/holds$/, ...Array.from({ length: 500 }, () => '500' as const))
    const answer = await proxy.call('read', {}).answer
    expect(answer.result.isError).toBe(true)
    expect(textOf(answer)).toMatch(/something broke/)
    expect(proxy.folder.effects()).toEqual([])
  })

  it('P6: a token that is revoked while a call waits ends the wait, and lets nothing through', async () => {
    const proxy = await open()
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    const { tokens } = gated.http.setup.gateway
    const actor = { subject: 'ana', role: 'admin' as const, via: 'test' }
    const { id } = (await tokens.list(actor)).find(({ scope }) => scope === 'mcp:t')!
    await tokens.revoke(id, actor)
    const answer = await call.answer
    expect(answer.result.isError).toBe(true)
    expect(textOf(answer)).toMatch(/token|credential/)
    await gated.approve(request!.id).catch(() => {})
    expect((await proxy.call('read', {}).answer).result.isError).toBe(true)
    expect(proxy.folder.effects()).toEqual([])
  })

  it('tools are listed where nobody can say what is hidden, and what is denied is refused all the same', async () => {
    const proxy = await open()
    faulty.fail(/tools$/, 'refused')
    const { result } = await proxy.request('tools/list', {})
    expect(result.tools.map(({ name }: Any) => name)).toContain('secret')
    expect(JSON.parse(textOf(await proxy.call('secret', {}).answer)).state).toBe('denied')
  })

  it('P4: an outcome that could not be told at once is told later', async () => {
    const proxy = await open()
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    faulty.fail(/outcome$/, '500', 'refused')
    await gated.approve(request!.id)
    await call.answer
    await until(async () => (await gated.request(request!.id)).state === 'done')
  })
})

describe('many calls', () => {
  const MANY_MS = 300_000

  it(
    '1,000 in flight, 100 of them waiting for people: the others go through meanwhile',
    async () => {
      const gated = await openGatedProxies()
      try {
        // Nothing here depends on how fast the machine is: nobody's patience ends before the test's.
        const proxy = gated.start({ words: ['--hold', '10m'] })
        const waiting = Array.from({ length: 100 }, (_, index) => `waiting-${index}`)
        for (const [index, id] of waiting.entries()) {
          const params = { name: 'append', arguments: { line: String(index) } }
          proxy.send({ id, method: 'tools/call', params })
          // Some at a time: the server must not be too late for any of them.
          if (index % 10 === 9) await gated.pending(index + 1)
        }
        /** Whether it has run. On a machine that is busy with something else the server may be too late: then it has not, and is told so. */
        const reads = async (index: number): Promise<boolean> => {
          const text = textOf(await proxy.call('read', { index }).answer)
          if (text !== 'read done') expect(text).toMatch(/did not answer within/)
          return text === 'read done'
        }
        const all = Array.from({ length: 900 }, (_, index) => index)
        const ran = await Promise.all(all.map(reads))
        // As a model would, one after the other.
        for (const index of all.filter((each) => ran[each] === false)) {
          let tries = 1
          while (!(await reads(index))) expect(++tries).toBeLessThan(20)
        }
        // Each has run, and once: none that was refused has run behind its refusal.
        const effects = all.map((index) => `read {"index":${index}}`)
        expect(proxy.folder.effects().toSorted()).toEqual(effects.toSorted())
        const requests = await gated.pending(100)
        expect(requests).toHaveLength(100)
        for (const [index, { id }] of requests.entries())
          await gated.decide(id, { decision: index % 2 === 0 ? 'approve' : 'reject' })
        const texts = await Promise.all(waiting.map(async (id) => textOf(await proxy.answer(id))))
        expect(texts.filter((text) => text === 'append done')).toHaveLength(50)
        expect(proxy.folder.effects().filter((line) => line.startsWith('append'))).toHaveLength(50)
      } finally {
        await gated.close()
      }
    },
    MANY_MS,
  )
})
