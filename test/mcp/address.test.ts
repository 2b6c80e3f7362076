/** `banksman mcp --url`: decisions, sessions and streams with an MCP server at an address, in both eras. Failures are in `address-failures.test.ts`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type Any, type McpProxy, textOf } from './proxy-driver.ts'
import {
  eventOf,
  questions,
  resumable,
  type ScriptedAddress,
  startScriptedAddress,
} from './scripted-address.ts'

let gated: GatedProxies
let address: ScriptedAddress
beforeEach(async () => {
  gated = await openGatedProxies()
  address = await startScriptedAddress()
})
afterEach(async () => {
  await gated.close()
  await address.close()
  expect(address.violations).toEqual([])
})

async function connected(words: string[] = []): Promise<McpProxy> {
  const proxy = gated.start({ url: address.url, words })
  const { result } = await proxy.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  })
  expect(result.protocolVersion).toBe('2025-11-25')
  proxy.notify('notifications/initialized', {})
  return proxy
}

const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}
const heard = (method: string) => address.heard.filter((one) => one.body?.method === method)

describe.each([false, true])('decisions (answers on a stream: %s)', (isStreaming) => {
  it('P3 P4 P5: allowed, denied, approved, edited and rejected calls', async () => {
    address.isStreaming = isStreaming
    const proxy = await connected()
    expect(textOf(await proxy.call('read', { a: 'é' }).answer)).toBe('read done')
    expect(JSON.parse(textOf(await proxy.call('secret', {}).answer)).state).toBe('denied')
    const approved = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    expect(address.effects).toEqual(['read {"a":"é"}'])
    await gated.approve(request!.id)
    expect(textOf(await approved.answer)).toBe('append done')
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
    const edited = proxy.call('append', { line: 'b' })
    await gated.decide((await gated.pending())[0]!.id, { decision: 'edit', arguments: { line: 'c' } })
    expect(textOf(await edited.answer)).toMatch(/changed the arguments[\s\S]*append done/)
    const rejected = proxy.call('append', { line: 'd' })
    await gated.decide((await gated.pending())[0]!.id, { decision: 'reject', reason: 'no' })
    expect(JSON.parse(textOf(await rejected.answer)).state).toBe('rejected')
    expect(address.effects).toEqual(['read {"a":"é"}', 'append {"line":"a"}', 'append {"line":"c"}'])
  })

  it('P4: a ticket, and the repeat that takes the approval up', async () => {
    address.isStreaming = isStreaming
    const proxy = await connected(['--hold', '200ms'])
    const ticket = await gated.waited(proxy.call('append', { line: 'a' }).answer)
    expect(textOf(ticket)).toMatch(/Not refused/)
    await gated.approve((await gated.pending())[0]!.id)
    expect(address.effects).toEqual([])
    expect(textOf(await proxy.call('append', { line: 'a' }).answer)).toBe('append done')
    expect(address.effects).toEqual(['append {"line":"a"}'])
  })
})

describe('the older era', () => {
  it('keeps the session and the revision in every message, hears the stream, and ends the session at the end', async () => {
    const proxy = await connected()
    await address.say({ jsonrpc: '2.0', method: 'notifications/message', params: { n: 1 } })
    await until(() => proxy.messages().some(({ method }: Any) => method === 'notifications/message'))
    // A question on that stream, with its answer.
    const answered = new Promise<Any>((resolve) => questions.set('"q1"', resolve))
    await address.say({ jsonrpc: '2.0', id: 'q1', method: 'roots/list' })
    await until(() => proxy.messages().some(({ id }: Any) => id === 'q1'))
    proxy.send({ id: 'q1', result: { roots: [] } })
    expect((await answered).result).toEqual({ roots: [] })
    proxy.closeInput()
    expect(await proxy.ended).toEqual({ code: 0, signal: null })
    expect(address.heard.at(-1)).toMatchObject({
      method: 'DELETE',
      headers: { 'mcp-session-id': 'session-1' },
    })
  })

  it('takes the stream of what the server says up where it broke off', async () => {
    const proxy = await connected()
    await address.say({ jsonrpc: '2.0', method: 'notifications/message', params: { n: 1 } }, 'first-é')
    await until(() => proxy.messages().some(({ method }: Any) => method === 'notifications/message'))
    address.cutStreams()
    await address.say({ jsonrpc: '2.0', method: 'notifications/message', params: { n: 2 } })
    await until(() => proxy.messages().some(({ params }: Any) => params?.n === 2))
    const last = address.heard.findLast(({ method }) => method === 'GET')!.headers['last-event-id']
    expect(Buffer.from(String(last), 'latin1').toString()).toBe('first-é')
  })

  it('P4: an answer’s stream that breaks off is taken up by its event, and the call is sent once', async () => {
    address.tools.append = ({ stream, to, message, result }) => {
      resumable.set(`e-${message.id}`, eventOf(result('late'), 'e2'))
      stream()({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }, `e-${message.id}`)
      setImmediate(() => to.destroy())
    }
    const proxy = await connected()
    const call = proxy.call('append', { line: 'a' })
    await gated.approve((await gated.pending())[0]!.id)
    expect(textOf(await call.answer)).toBe('late')
    expect(address.effects).toEqual(['append {"line":"a"}'])
  })

  it('asks the client on the stream of an answer, and goes on with what it says', async () => {
    address.tools.read = ({ stream, to, result }) => {
      const send = stream()
      questions.set('7', (answer) => {
        send(result(JSON.stringify(answer.result)))
        to.end()
      })
      send({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: { message: 'sure?' } })
    }
    const proxy = await connected()
    const { answer } = proxy.call('read', {})
    await until(() => proxy.messages().some(({ id, method }: Any) => id === 7 && method !== undefined))
    proxy.send({ id: 7, result: { action: 'accept' } })
    expect(textOf(await answer)).toBe('{"action":"accept"}')
  })

  it('P4: a session that is over: the call did not run and says so, and the next one goes to a new session', async () => {
    const proxy = await connected()
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    address.expire()
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    const answer = await call.answer
    expect(answer.result.isError).toBe(true)
    expect(textOf(answer)).toMatch(/session is over.*make the call again.*did not run/)
    expect(address.effects).toEqual(['read {}'])
    expect((await gated.request(request!.id)).state).toBe('done')
    // Its tools may be others now.
    await until(() =>
      proxy.messages().some(({ method }: Any) => method === 'notifications/tools/list_changed'),
    )
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    expect(heard('initialize')).toHaveLength(2)
    expect(heard('notifications/initialized')).toHaveLength(2)
    expect(heard('tools/call').filter(({ body }) => body.params.name === 'append')).toHaveLength(1)
  })

  it('a cancellation goes to the server as a message', async () => {
    address.tools.read = ({ stream }) => void stream()
    const proxy = await connected()
    const { id } = proxy.call('read', {})
    await until(() => address.effects.length === 1)
    proxy.notify('notifications/cancelled', { requestId: id })
    await until(() => heard('notifications/cancelled').length === 1)
  })
})

describe('the newer era', () => {
  const NAME = 'résumé ☃'
  const SCHEMA = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      deep: { type: 'object', properties: { yes: { type: 'boolean', 'x-mcp-header': 'Yes' } } },
      plain: { type: 'string' },
    },
  }

  it('repeats method, name and the arguments that the tool names in headers, after an edit too', async () => {
    address.listed = { [NAME]: { inputSchema: SCHEMA } }
    const proxy = gated.start({ url: address.url })
    const call = proxy.call(NAME, { region: 'a' }, MODERN)
    await gated.decide((await gated.pending())[0]!.id, {
      decision: 'edit',
      arguments: { region: ' Zürich', count: 7, deep: { yes: false }, plain: 'x' },
    })
    expect(textOf(await call.answer)).toContain('done')
    const { headers } = heard('tools/call')[0]!
    expect(headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from(NAME).toString('base64')}?=`,
      'mcp-param-region': `=?base64?${Buffer.from(' Zürich').toString('base64')}?=`,
      'mcp-param-count': '7',
      'mcp-param-yes': 'false',
    })
    expect(headers['mcp-param-plain']).toBeUndefined()
    // What is null or missing has no header.
    const other = proxy.call(NAME, { region: null }, MODERN)
    await gated.approve((await gated.pending())[0]!.id)
    expect(textOf(await other.answer)).toContain('done')
  })

  it('P5: what a schema wants as a header can be no other header, and a broken one makes none', async () => {
    const declare = (name: unknown, more: object = {}) => ({
      inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': name, ...more } } },
    })
    address.listed = { read: declare('Authorization') }
    const proxy = gated.start({ url: address.url })
    expect(textOf(await proxy.call('read', { a: 'Bearer x' }, MODERN).answer)).toBe('read done')
    const { headers } = heard('tools/call')[0]!
    expect(headers.authorization).toBeUndefined()
    expect(headers['mcp-param-authorization']).toBe('Bearer x')
  })

  it('keeps a subscription open, passes what comes on it, and closes it when the client cancels', async () => {
    const proxy = gated.start({ url: address.url })
    proxy.send({ id: 'sub', method: 'subscriptions/listen', params: { ...MODERN } })
    await address.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} })
    await until(() =>
      proxy.messages().some(({ method }: Any) => method === 'notifications/tools/list_changed'),
    )
    const closed = new Promise<void>((resolve) => {
      address.tools.read = ({ answer }) => answer('read done')
      resolve()
    })
    await closed
    proxy.notify('notifications/cancelled', { requestId: 'sub' })
    expect(textOf(await proxy.call('read', {}, MODERN).answer)).toBe('read done')
    expect(heard('notifications/cancelled')).toEqual([])
    expect(proxy.messages().some(({ id }: Any) => id === 'sub')).toBe(false)
  })

  it('P4: closing the answer cancels a call; what became of it is on the record', async () => {
    let isClosed = false
    address.tools.append = ({ stream, to }) => {
      stream()
      to.on('close', () => {
        isClosed = true
      })
    }
    const proxy = gated.start({ url: address.url })
    const call = proxy.call('append', { line: 'a' }, MODERN)
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    await until(() => address.effects.length === 1)
    proxy.notify('notifications/cancelled', { requestId: call.id })
    await until(() => isClosed, 'the answer to be closed')
    await until(async () => (await gated.request(request!.id)).state === 'done')
    expect(proxy.messages().some(({ id }: Any) => id === call.id)).toBe(false)
    expect(heard('notifications/cancelled')).toEqual([])
  })
})
