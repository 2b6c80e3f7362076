/**
 * `banksman mcp --url` and an MCP server that is away, turns calls away, hangs or answers something else. Whoever made the call is told what happened and
 * whether it can have run; an approval is used up by it, so that nothing runs a second time.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAddress } from '../../src/mcp/upstream/open-address.ts'
import { until } from '../fixtures/until.ts'
import { writeSlowly } from '../guard/faulty-server.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type Any, type McpProxy, textOf } from './proxy-driver.ts'
import { eventOf, type ScriptedAddress, startScriptedAddress } from './scripted-address.ts'

let gated: GatedProxies
let address: ScriptedAddress
const open = async () => {
  gated = await openGatedProxies()
  address = await startScriptedAddress()
}
const close = async () => {
  await gated.close()
  await address.close()
}
/** Each test has its own proxy. */
function apart(): void {
  beforeEach(open)
  afterEach(close)
}
/** One proxy for all: it goes on after each of these answers. */
function together(): { proxy: McpProxy } {
  const shared = {} as { proxy: McpProxy }
  beforeAll(async () => {
    await open()
    shared.proxy = await connected()
  })
  beforeEach(() => void address.heard.splice(0))
  afterAll(close)
  return shared
}

const TOKEN = 'the-credential-of-the-mcp-server'
const WITH_CREDENTIAL = {
  words: ['--header', `Authorization: Bearer \${UPSTREAM}`],
  environment: { UPSTREAM: TOKEN },
}

async function connected(options: object = {}): Promise<McpProxy> {
  const proxy = gated.start({ url: address.url, ...options })
  await proxy.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} })
  proxy.notify('notifications/initialized', {})
  return proxy
}

const sentCalls = () => address.heard.filter(({ body }) => body?.params?.name === 'append')

/** Approved, sent, and answered like this. Gives what the client is told. */
async function failing(
  proxy: McpProxy,
  respond: (to: ServerResponse, message: Any, from: IncomingMessage) => void,
): Promise<{ answer: Any; requestId: string }> {
  address.intercept = (from, to, body) => {
    if (body?.params?.name !== 'append') return false
    respond(to, body, from)
    return true
  }
  const call = proxy.call('append', { line: 'a' })
  const requestId = (await gated.pending())[0]!.id
  await gated.approve(requestId)
  return { answer: await call.answer, requestId }
}

/** The approval is used up, the call was sent once, and the same call is asked about anew. */
async function expectOneRun(proxy: McpProxy, requestId: string): Promise<void> {
  expect(sentCalls()).toHaveLength(1)
  expect((await gated.request(requestId)).state).toBe('done')
  address.intercept = undefined
  const again = proxy.call('append', { line: 'a' })
  const [second] = await gated.pending()
  expect(second!.id).not.toBe(requestId)
  await gated.decide(second!.id, { decision: 'reject' })
  expect(JSON.parse(textOf(await again.answer)).state).toBe('rejected')
  expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
  expect(sentCalls()).toHaveLength(1)
}

const page = (status: number, headers: object, text: string) => (to: ServerResponse) => {
  to.writeHead(status, { ...headers })
  to.end(text)
}
const json = (value: object) => page(200, { 'content-type': 'application/json' }, JSON.stringify(value))
const RESULT = { content: [{ type: 'text', text: 'forged' }] }

describe('an answer that says that nothing was done', () => {
  const shared = together()
  it.each<[string, (to: ServerResponse) => void, RegExp]>([
    ['400', page(400, {}, 'no'), /answered 400/],
    ['401', page(401, { 'www-authenticate': 'Bearer' }, ''), /answered 401.*wants a login.*--header/],
    ['403', page(403, {}, ''), /answered 403.*wants a credential.*--header/],
    ['404', page(404, {}, ''), /answered 404.*session is over/],
    ['405', page(405, {}, ''), /answered 405/],
    ['413', page(413, {}, ''), /answered 413/],
    ['429', page(429, { 'retry-after': '0' }, ''), /answered 429/],
  ])('P4: %s: the call did not run, with the reason', async (_, respond, words) => {
    const { proxy } = shared
    const { answer, requestId } = await failing(proxy, respond)
    expect(answer.result.isError).toBe(true)
    expect(textOf(answer)).toMatch(words)
    expect(textOf(answer)).toMatch(/did not run/)
    await expectOneRun(proxy, requestId)
  })

  it('a credential that is not taken is named by its option, and never by its value', async () => {
    const proxy = await connected(WITH_CREDENTIAL)
    const { answer, requestId } = await failing(proxy, page(401, {}, TOKEN))
    expect(textOf(answer)).toMatch(/does not take the credential that --header gives/)
    await expectOneRun(proxy, requestId)
    expect(proxy.output().toString() + proxy.errors()).not.toContain(TOKEN)
  })
})

describe('an answer after which nobody knows', () => {
  const shared = together()
  const cut = (to: ServerResponse) => {
    to.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    to.write('{"jsonrpc":"2.0","id":', () => to.destroy())
  }
  it.each<[string, (to: ServerResponse, message: Any) => void, RegExp]>([
    ['500', page(500, {}, 'broke'), /answered 500/],
    ['502 with a page', page(502, { 'content-type': 'text/html' }, '<h1>no</h1>'), /answered 502/],
    ['503', page(503, { 'retry-after': '0' }, ''), /answered 503/],
    ['202', page(202, {}, ''), /answered 202, which is no answer/],
    ['204', page(204, {}, ''), /answered 204, which is no answer/],
    ['a page', page(200, { 'content-type': 'text/html' }, '<h1>Log in</h1>'), /text\/html that is no answer/],
    ['no type and nothing', page(200, {}, ''), /something that is no answer/],
    ['JSON that is no message', json([]), /no answer to this request/],
    [
      'an answer to another id',
      json({ jsonrpc: '2.0', id: 'another', result: RESULT }),
      /no answer to this request/,
    ],
    ['a question in place of an answer', json({ jsonrpc: '2.0', id: 1, method: 'ping' }), /no answer/],
    [
      'an answer that is no JSON',
      (to, { id }) => page(200, { 'content-type': 'application/json' }, `{"id":${id},"result":{]}`)(to),
      /no answer to this request/,
    ],
    ['an answer that is cut off', cut, /answer was cut off/],
    ['nothing: the connection is closed', (to) => void to.destroy(), /hang up|closed|reset/],
    [
      'a stream without an answer',
      page(200, { 'content-type': 'text/event-stream' }, ': nothing\n\n'),
      /stream ended before it answered/,
    ],
    [
      'a stream that answers another',
      page(
        200,
        { 'content-type': 'text/event-stream' },
        eventOf({ jsonrpc: '2.0', id: 'another', result: RESULT }),
      ),
      /stream ended before it answered/,
    ],
  ])('P4: %s: the call may have run, and is not sent again', async (_, respond, words) => {
    const { proxy } = shared
    const { answer, requestId } = await failing(proxy, respond)
    expect(answer.result.isError).toBe(true)
    expect(textOf(answer)).toMatch(words)
    expect(textOf(answer)).toMatch(/may have had its effect/)
    expect(textOf(answer)).not.toMatch(/did not run/)
    await expectOneRun(proxy, requestId)
    expect(proxy.output().toString()).not.toContain('forged')
  })
})

describe('redirects', () => {
  apart()
  it.each([301, 302, 303, 307, 308])(
    'P4: %i is not followed, by calls and by everything else',
    async (status) => {
      const visits: unknown[] = []
      const other = createServer((from, to) => {
        visits.push(from.headers)
        to.end()
      }).listen(0, '127.0.0.1')
      await once(other, 'listening')
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`
      try {
        const proxy = await connected(WITH_CREDENTIAL)
        const { answer, requestId } = await failing(proxy, page(status, { location }, ''))
        expect(textOf(answer)).toMatch(/not followed.*--url.*did not run/s)
        await expectOneRun(proxy, requestId)
        address.intercept = (_, to) => {
          page(status, { location }, '')(to)
          return true
        }
        for (const method of ['ping', 'initialize', 'tools/list'])
          expect((await proxy.request(method, {})).error.message).toMatch(/not followed/)
        proxy.closeInput()
        await proxy.ended
        expect(visits).toEqual([])
      } finally {
        other.close()
      }
    },
  )
})

describe('a server that is away or hangs', () => {
  apart()
  it('P4: gone before the call is sent: it did not run; back again: the next call goes on', async () => {
    const proxy = await connected()
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    const { port } = new URL(address.url)
    await address.close()
    await gated.approve(request!.id)
    expect(textOf(await call.answer)).toMatch(/can't be reached.*ECONNREFUSED.*did not run/)
    expect((await gated.request(request!.id)).state).toBe('done')
    expect((await proxy.request('tools/list', {})).error.message).toMatch(/can't be reached/)
    address = await startScriptedAddress(Number(port))
    // It knows nothing of the session; the first message finds out, and the next one has a new one.
    expect(textOf(await proxy.call('read', {}).answer)).toMatch(/session is over.*did not run/)
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    expect(address.effects).toEqual(['read {}'])
  })

  it('a server that was never there: everything is answered with that, and no call is asked about twice', async () => {
    await address.close()
    const proxy = gated.start({ url: address.url })
    expect((await proxy.request('initialize', {})).error.message).toMatch(/can't be reached/)
    expect(textOf(await proxy.call('read', {}).answer)).toMatch(/can't be reached.*did not run/)
    const { items } = await gated.http.setup.store.calls.list({})
    expect(items).toHaveLength(1)
    address = await startScriptedAddress()
  })

  it('P4: an answer that hangs holds up nothing else; cancelled, the same call is asked about anew', async () => {
    const proxy = await connected()
    address.tools.append = () => {}
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    await until(() => address.effects.length === 1)
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    proxy.notify('notifications/cancelled', { requestId: call.id })
    const again = proxy.call('append', { line: 'a' })
    const [second] = await gated.pending()
    expect(second!.id).not.toBe(request!.id)
    await gated.decide(second!.id, { decision: 'reject' })
    await again.answer
    expect(address.effects).toEqual(['append {"line":"a"}', 'read {}'])
    expect(proxy.messages().some(({ id }: Any) => id === call.id)).toBe(false)
  })

  it('P4: a client that goes while an answer hangs: the proxy ends, and the call is on the record as one that may have run', async () => {
    const proxy = await connected()
    address.tools.append = () => {}
    proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    await until(() => address.effects.length === 1)
    proxy.closeInput()
    expect(await proxy.ended).toEqual({ code: 0, signal: null })
    expect((await gated.request(request!.id)).state).toBe('done')
    expect(address.effects).toHaveLength(1)
  })

  it.each([false, true])(
    'an answer that comes byte by byte is one answer (on a stream: %s)',
    async (isStream) => {
      address.tools.read = ({ to, result }) => {
        const text = isStream ? eventOf(result('slowly é')) : JSON.stringify(result('slowly é'))
        to.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
        writeSlowly(to, Buffer.from(text))
      }
      const proxy = await connected()
      expect(textOf(await proxy.call('read', {}).answer)).toBe('slowly é')
    },
  )

  it.each<[string, (to: ServerResponse) => void]>([
    ['before its headers', () => {}],
    ['behind its headers', (to) => void to.writeHead(200, { 'content-type': 'application/json' }).write('{')],
    ['on a stream', (to) => void to.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n')],
  ])(
    'P4: an answer that is silent for too long (%s) fails once, as one that may have run',
    async (_, respond) => {
      address.intercept = (_, to) => {
        respond(to)
        return true
      }
      const upstream = openAddress({
        url: new URL(address.url),
        headers: {},
        maxLineBytes: 1000,
        note() {},
        silenceMs: 50,
      })
      const lines = upstream.lines[Symbol.asyncIterator]()
      await upstream.send(
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}\n'),
      )
      const { value } = await lines.next()
      expect(value.failed).toMatchObject({
        didNotRun: false,
        because: expect.stringMatching(/nothing came from it/),
      })
      expect(JSON.parse(value.bytes.toString())).toMatchObject({ id: 1, error: {} })
      upstream.end()
      expect(await lines.next()).toMatchObject({ done: true })
      expect(address.heard.filter(({ body }) => body?.method === 'tools/call')).toHaveLength(1)
    },
  )
})
