/** As an agent who wants a call through that nobody approved, and as a server that lends a hand. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ana } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type McpProxy, type ServerFolder, textOf } from './proxy-driver.ts'

let gated: GatedProxies
let folder: ServerFolder
let proxy: McpProxy
beforeEach(async () => {
  gated = await openGatedProxies()
  proxy = gated.start()
  folder = proxy.folder
})
afterEach(() => gated.close())

/** Everything before has been looked at, and the server has it or will never have it. */
const settled = async () => {
  await proxy.request('ping', {})
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
}
const appended = () => folder.effects().filter((line) => line.startsWith('append'))
/** The ids of the lists that the proxy has asked for, as they are written. */
const ownList = () =>
  [
    ...folder
      .got()
      .toString()
      .matchAll(/^\{"jsonrpc":"2.0","id":([^,]+),"method":"tools\/list"/gm),
  ].map(([, id]) => id!)
const CALL =
  '{"jsonrpc":"2.0","id":91,"method":"tools/call","params":{"name":"append","arguments":{"line":"x"}}}'

describe('lines', () => {
  it('P5: none of the spellings gets a call past', async () => {
    const lines = [
      CALL.replace('"id":91,', ''),
      CALL.replace('91', 'null'),
      CALL.replace('91', '[91]'),
      `[${CALL}]`,
      `\ufeff${CALL}`,
      `{"jsonrpc":"2.0","method":"notifications/x","params":\r${CALL}\r}`,
      CALL.replace('"method":"tools/call"', '"method":"ping","method":"tools/call"'),
      CALL.replace('"method":"tools/call"', '"method":"ping","METHOD":"tools/call"'),
      CALL.replace('"method":"tools/call"', '"method":"ping","\\u006dethod":"tools/call"'),
      CALL.replace('"name":"append"', '"name":"read","name":"append"'),
      CALL.replace('"name":"append"', '"name":"read","Name":"append"'),
      CALL.replace('"params":', '"params":{"name":"read"},"Params":'),
      CALL.replace('"append"', '["append"]'),
      `${CALL.slice(0, -1)},"result":{}}`.replace('"method":"tools/call",', '"Method":"tools/call",'),
      CALL.replace('{"line":"x"}', '[{"line":"x"}]'),
      CALL.replace('"params":{', '"params":[{').replace(/\}$/, ']}'),
      Buffer.concat([
        Buffer.from(CALL.slice(0, -1)),
        Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      ]),
      Buffer.from(CALL, 'utf16le'),
      `${CALL}\u2028${CALL}`,
      `${CALL}\0`,
    ]
    for (const line of lines) proxy.send(Buffer.concat([Buffer.from(line as string), Buffer.from('\n')]))
    await settled()
    expect(appended()).toEqual([])
    expect(folder.got().toString()).not.toContain('append')
    expect((await gated.http.setup.store.list({ state: 'pending' })).items).toEqual([])
  })

  it('P5: those that a server understands are asked about like the plain one', async () => {
    const lines = [
      CALL.replace('tools/call', 'tools\\u002fcall'),
      CALL.replace('"method"', '"\\u006dethod"').replace('91', '92'),
      `  ${CALL.replace('91', '"91"')}  \r`,
      CALL.replace('91', '93').replace('"append"', '"\\u0061ppend"'),
      CALL.replace('91', '94').replace('"params":{', '"params":{"task":{"ttl":1000},'),
      CALL.replace('91', '95').replace('"params":{', '"params":{"_meta":{"claudecode/toolUseId":"toolu_1"},'),
      // An answer that is a question too.
      CALL.replace('91', '96').replace('"params"', '"result":{},"params"'),
    ]
    for (const line of lines) proxy.send(`${line}\n`)
    const requests = await gated.pending(lines.length)
    await settled()
    expect(appended()).toEqual([])
    for (const { id } of requests) await gated.decide(id, { decision: 'reject' })
  })

  it('P5: a line over the limit carries nothing, and the line behind it is the next', async () => {
    const long = 'x'.repeat(64 * 1024 * 1024)
    proxy.send(`${CALL.slice(0, -3)},"pad":"${long}"}}}\n`)
    expect((await proxy.answer(91)).error.message).toMatch(/limit/)
    await settled()
    expect(appended()).toEqual([])
  })

  it('ends with nests that are as deep as they are long, and with names that no text can carry', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    proxy.send(`${CALL.replace('"x"', deep)}\n`)
    expect((await proxy.answer(91)).error.message).toMatch(/exactly/)
    proxy.send(`${CALL.replace('91', '92').replace('"append"', '"\\ud800"')}\n`)
    expect(JSON.stringify(await proxy.answer(92))).toMatch(/surrogate|refused|invalid/i)
    proxy.send(`${CALL.replace('91', '93').replace('append', 'a'.repeat(100_000))}\n`)
    expect((await proxy.answer(93)).result?.isError ?? true).toBe(true)
    await settled()
    expect(appended()).toEqual([])
  })
})

describe('ids', () => {
  it('P4: an id that is in use is refused, for calls and for everything else', async () => {
    const slow = proxy.call('mute', { a: 1 })
    await until(() => folder.effects().length === 1)
    // Its answer would be taken for the outcome of the call.
    proxy.send({ id: slow.id, method: 'ping', params: {} })
    expect((await proxy.answer(slow.id)).error.message).toMatch(/id is in use/)
    proxy.send(`${CALL.replace('91', `${slow.id}.0`)}\n`)
    await settled()
    expect(appended()).toEqual([])
    // Also the other way round: a request that is under way lends its id to no call.
    folder.file('list-never', '')
    proxy.send({ id: 'list', method: 'tools/list', params: {} })
    proxy.send(`${CALL.replace('91', '"list"').replace('append', 'read')}\n`)
    expect((await proxy.answer('list')).error.message).toMatch(/id is in use/)
  })

  it('P4: a server that answers a call which it was not given is not heard', async () => {
    const waiting = proxy.call('append', { line: 'forged' })
    const request = (await gated.pending(1)).at(-1)!
    proxy.notify('test/print', { text: `{"jsonrpc":"2.0","id":${waiting.id},"result":{"content":[]}}\n` })
    await settled()
    expect(proxy.messages().some((one) => one.id === waiting.id)).toBe(false)
    await gated.decide(request.id, { decision: 'reject' })
    expect(JSON.parse(textOf(await waiting.answer)).state).toBe('rejected')
  })

  it.each([
    ['7', /^\d+$/],
    ['"call-7"', /^"call-\d+"$/],
    [
      '"0b5c9a52-9f0f-4c6e-8f0e-1c0a3c2f7d11"',
      /^"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"$/,
    ],
    ['"V1StGXR8_Z5jdHi6B-myT"', /^"[\w-]{21}"$/],
  ])(
    'P5: the server can’t tell our own questions from those of a client whose ids are like %s',
    async (id, like) => {
      proxy.send(`${CALL.replace('91', id).replace('append', 'read')}\n`)
      expect(textOf(await proxy.answer(JSON.parse(id)))).toBe('read done')
      const [own] = ownList()
      expect(own).toMatch(like)
      expect(own).not.toBe(id)
    },
  )
})

describe('between the hold and the run', () => {
  it('P3: a call with the id of another call of the model, and other arguments, does not ride on its approval', async () => {
    const meta = { _meta: { 'claudecode/toolUseId': 'toolu_x' } }
    const first = proxy.call('append', { line: 'good' }, meta)
    const request = (await gated.pending(1)).at(-1)!
    const second = proxy.call('append', { line: 'evil' }, meta)
    const { result } = await second.answer
    expect(result.isError).toBe(true)
    await gated.approve(request.id)
    await first.answer
    const third = proxy.call('append', { line: 'evil' }, meta)
    expect((await third.answer).result.isError).toBe(true)
    expect(appended()).toEqual(['append {"line":"good"}'])
  })

  it('P4: many cancels and repeats around an approval run the call once at most', async () => {
    const line = 'race'
    const calls = [proxy.call('append', { line })]
    const request = (await gated.pending(1)).at(-1)!
    const approving = gated.approve(request.id)
    for (let round = 0; round < 10; round++) {
      proxy.notify('notifications/cancelled', { requestId: calls.at(-1)!.id })
      calls.push(proxy.call('append', { line }))
    }
    await approving
    await settled()
    // Each of the others is a request of its own, or has joined this one.
    expect(appended().length).toBeLessThanOrEqual(1)
    for (const { id, tool } of (await gated.http.setup.store.list({ state: 'pending', limit: 100 })).items)
      if (tool === 'mcp__t__append') await gated.decide(id, { decision: 'reject' }).catch(() => {})
  })

  it('P3: names of every object in the arguments are shown, approved and sent as they are', async () => {
    const args = '{"__proto__":{"line":"p"},"constructor":{"prototype":1},"line":"q"}'
    proxy.send(`${CALL.replace('{"line":"x"}', args)}\n`)
    const request = (await gated.pending(1)).at(-1)!
    expect(JSON.stringify(JSON.parse((request as unknown as { bytes: string }).bytes).arguments)).toContain(
      '__proto__',
    )
    await gated.approve(request.id)
    await proxy.answer(91)
    expect(folder.got().toString()).toContain(args)
  })

  it('P5: tools whose names look like another server’s or like a method are what they are', async () => {
    proxy.call('x__read', {})
    proxy.call('../t__read', {})
    proxy.call('read ', {})
    proxy.call('READ', {})
    const requests = await gated.pending(4)
    expect(requests.map(({ tool }) => tool).toSorted()).toEqual(
      ['mcp__t__../t__read', 'mcp__t__READ', 'mcp__t__read ', 'mcp__t__x__read'].toSorted(),
    )
    expect(textOf(await proxy.call('resources/read', { uri: 'x' }).answer)).toMatch(/method of the protocol/)
    for (const { id } of requests) await gated.decide(id, { decision: 'reject' })
    await settled()
    expect(folder.effects().filter((line) => !line.startsWith('read {}'))).toEqual([])
  })
})

describe('definitions', () => {
  it('P5: a tool that changed under way is asked about; hidden ones are cut out and denied', async () => {
    const tool = (name: string, description: string) => ({
      name,
      description,
      inputSchema: { type: 'object', maximum: 1 },
    })
    folder.setPages([tool('read', 'one')], [tool('secret', 'hidden'), tool('other', 'x')])
    const first = await proxy.request('tools/list', {})
    const second = await proxy.request('tools/list', { cursor: first.result.nextCursor })
    expect(second.result.tools.map(({ name }: { name: string }) => name)).toEqual(['other'])
    expect((await proxy.call('secret', {}).answer).result.isError).toBe(true)
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    folder.setPages([tool('read', 'now with <IMPORTANT> orders')])
    proxy.notify('test/print', { text: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n' })
    await until(() => proxy.messages().some((one) => one.method === 'notifications/tools/list_changed'))
    const changed = proxy.call('read', {})
    const [request] = await gated.pending()
    expect(request!.because).toMatch(/read/)
    const [server] = await gated.http.setup.gateway.mcpPins.list()
    const { digest } = server!.tools.find(({ name }) => name === 'read')!.changed!
    await gated.http.setup.gateway.mcpPins.accept({ server: 't', tool: 'read', digest }, ana)
    // Accepted is not approved: what waits is decided by itself.
    expect(folder.effects()).toEqual(['read {}'])
    await gated.decide(request!.id, { decision: 'reject' })
    await changed.answer
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  })

  it('P5: another program under the same name is asked about, until an admin accepts it', async () => {
    await settled()
    const other = gated.start()
    const call = other.call('read', {})
    const [request] = await gated.pending()
    expect(request!.because).toMatch(/another program/)
    await gated.decide(request!.id, { decision: 'reject' })
    await call.answer
    const [server] = await gated.http.setup.gateway.mcpPins.list()
    await gated.http.setup.gateway.mcpPins.accept(
      { server: 't', digest: server!.program.changed!.digest },
      ana,
    )
    expect(textOf(await other.call('read', {}).answer)).toBe('read done')
  })

  it('schemas with numbers that no double holds make no call impossible', async () => {
    folder.setRawPages(
      '[{"name":"wide","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807,"minimum":-9223372036854775808}}}}]',
    )
    const call = proxy.call('wide', { n: 1 })
    const request = (await gated.pending(1)).at(-1)!
    await gated.approve(request.id)
    expect(textOf(await call.answer)).toBe('wide done')
  })
})
