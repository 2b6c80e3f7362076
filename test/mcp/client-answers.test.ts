/** What the client answers to requests of the server: each one once, through the policy where it answers a question, and nothing that nobody has asked. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies, POLICY } from './gated-proxy.ts'
import { type McpProxy, makeServerFolder, textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

const QUESTIONS = ['elicitation/create', 'sampling/createMessage', 'roots/list']
const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

/** The server asks with the id of the call. */
async function ask(proxy: McpProxy, method: string) {
  const call = proxy.call('ask', { method })
  await until(() => proxy.messages().some((one) => one.id === call.id && one.method === method), method)
  return call
}

/** A line of the server's own, once the client has it. */
async function serverSays(proxy: McpProxy, message: object): Promise<void> {
  const seen = proxy.messages().length
  proxy.notify('test/print', { text: `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n` })
  await until(() => proxy.messages().length > seen, 'the line of the server')
}

/** All lines that the client has sent so far have been looked at. */
const settled = (proxy: McpProxy) => proxy.request('ping', {})
const got = (proxy: McpProxy) => proxy.folder.got().toString()

describe('a question of the server', () => {
  it.each(QUESTIONS)('P5: %s: the answer is kept back where a rule denies it', async (method) => {
    gated = await openGatedProxies({ policy: { ...POLICY, deny: [`mcp__t__${method}`] } })
    const proxy = gated.start()
    const { id, answer } = await ask(proxy, method)
    proxy.send({ id, result: { pin: '1234' } })
    await answer
    expect(got(proxy)).toContain('keeps the answer back')
    expect(got(proxy)).not.toContain('1234')
  })

  it.each(QUESTIONS)(
    'P5: %s: a second answer reaches nobody, whatever became of the first',
    async (method) => {
      gated = await openGatedProxies({ policy: { ...POLICY, ask: [`mcp__t__${method}`] } })
      const proxy = gated.start()
      const { id, answer } = await ask(proxy, method)
      proxy.send({ id, result: { pin: 'first' } })
      proxy.send({ id, result: { pin: 'second' } })
      const [request] = await gated.pending()
      await settled(proxy)
      expect(got(proxy)).not.toContain('"pin"')
      await gated.approve(request!.id)
      expect(textOf(await answer)).toBe('{"pin":"first"}')
      proxy.send({ id, result: { pin: 'third' } })
      await settled(proxy)
      expect(got(proxy)).not.toMatch(/second|third/)
      expect(proxy.errors()).toMatch(/answer of the client was left out/)
    },
  )

  it('P5: an id that is only nearly the one of the question answers nothing', async () => {
    gated = await openGatedProxies({ policy: { ...POLICY, deny: ['mcp__t__elicitation/create'] } })
    const proxy = gated.start()
    const { id } = await ask(proxy, 'elicitation/create')
    for (const written of [`"${id}"`, `" ${id}"`, `"0x${id.toString(16)}"`, `-${id}`, `${id}.5`])
      proxy.send(`{"jsonrpc":"2.0","id":${written},"result":{"pin":"1234"}}\n`)
    await settled(proxy)
    expect(got(proxy)).not.toContain('1234')
    // The same number in other digits is that id.
    proxy.send(`{"jsonrpc":"2.0","id":${id}.0,"result":{"pin":"1234"}}\n`)
    await until(() => got(proxy).includes('keeps the answer back'))
    expect(got(proxy)).not.toContain('1234')
  })

  it('P5: a request with the id of a question that is open does not reach the client: its answer would pass as another’s', async () => {
    gated = await openGatedProxies({ policy: { ...POLICY, deny: ['mcp__t__elicitation/create'] } })
    const proxy = gated.start()
    const { id } = await ask(proxy, 'elicitation/create')
    proxy.notify('test/print', { text: `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n` })
    // Nor where the server has taken the question back: the client may have answered already.
    await serverSays(proxy, { method: 'notifications/cancelled', params: { requestId: id } })
    proxy.notify('test/print', { text: `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n` })
    await settled(proxy)
    proxy.send({ id, result: { pin: '1234' } })
    await settled(proxy)
    expect(proxy.messages().filter((one) => one.id === id && one.method === 'ping')).toEqual([])
    expect(got(proxy)).not.toContain('1234')
    expect(proxy.errors()).toMatch(/id is in use/)
  })
})

it.each(['an answer', 'an answer to a task'])(
  'P4: %s that waits for approval is withdrawn when its client goes',
  async (which) => {
    gated = await openGatedProxies({ policy: { ...POLICY, ask: ['mcp__t__elicitation/create'] } })
    const folder = makeServerFolder()
    const proxy = gated.start({ folder })
    if (which === 'an answer') {
      const { id } = await ask(proxy, 'elicitation/create')
      proxy.send({ id, result: { pin: '1234' } })
    } else {
      const params = { taskId: 'x', inputResponses: { ok: { pin: '1234' } } }
      proxy.send({ id: 'task', method: 'tasks/update', params })
    }
    const [request] = await gated.pending()
    proxy.closeInput()
    await proxy.ended
    expect(await gated.request(request!.id)).toMatchObject({ state: 'cancelled' })
    expect(folder.got().toString()).not.toContain('1234')
    folder.remove()
  },
)

it('answers to other requests of the server pass as they are, once', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  const requests = [
    [7, 'ping'],
    ['s1', 'vendor/unknown'],
    [12345, 'tasks/get'],
  ] as const
  for (const [id, method] of requests) await serverSays(proxy, { id, method })
  const lines = [
    '{"jsonrpc":"2.0","id":7,"result":{"n":1.0},"extra":1}\n',
    '{"jsonrpc":"2.0","id":"s1","error":{"code":-1,"message":"no"}}\n',
    '{"jsonrpc":"2.0", "id":12345,"result":{}}\n',
  ]
  for (const line of [...lines, ...lines]) proxy.send(line)
  await settled(proxy)
  for (const line of lines) expect(got(proxy).split(line), line).toHaveLength(2)
})

it('P5: answers to what nobody has asked reach nobody', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  proxy.send('{"jsonrpc":"2.0","id":"s1","result":{"action":"accept"},"_meta":{}}\n')
  proxy.send('{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"no"}}\n')
  await settled(proxy)
  expect(got(proxy)).not.toMatch(/accept|"no"/)
  await until(() => proxy.errors().split('answer of the client was left out').length === 3)
})

describe('answers that come with a call', () => {
  const SPELLINGS = ['InputResponses', 'inputresponses', 'INPUTRESPONSES', 'inputResponse\u017f']

  it.each(SPELLINGS)('P5: are refused as %s, on a call that comes back and on a task', async (name) => {
    gated = await openGatedProxies({
      policy: { allow: [...POLICY.allow, 'mcp__t__input'], deny: ['mcp__t__elicitation/create'] },
    })
    const proxy = gated.start()
    const { requestState } = (await proxy.call('input', { a: 1 }, MODERN).answer).result
    const given = { [name]: { ok: { pin: '1234' } } }
    const back = await proxy.call('input', { a: 1 }, { ...MODERN, requestState, ...given }).answer
    expect(textOf(back)).toMatch(/other letters/)
    const update = await proxy.request('tasks/update', { taskId: 'x', ...given })
    expect(update.error.message).toMatch(/other letters/)
    expect(got(proxy)).not.toContain('1234')
  })

  it.each(['RequestState', 'TaskID', 'RequestId', 'Cursor'])('P5: %s is refused, too', async (name) => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const { error } = await proxy.request('vendor/unknown', { [name]: 'x' })
    expect(error.message).toMatch(/other letters/)
    expect(got(proxy)).not.toContain(name)
  })
})
