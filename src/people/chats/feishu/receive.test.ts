/** What is Feishu's own: the long connection, access tokens, replies with cards, and sends that are repeated. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import type { Request } from '../../../core/request.ts'
import type { ChatNode } from '../../../testing/chat/chat-test.ts'
import { createFakeClock } from '../../../testing/fake-clock.ts'
import { openChatNode } from '../fixtures/chat-node.ts'
import { createFeishuApi } from './api.ts'
import { createFeishu } from './feishu.ts'
import type { FeishuMessage } from './fixtures/feishu-messages.ts'
import { type FeishuServer, startFeishuServer } from './fixtures/feishu-server.ts'

const ANA = `ou_${'1'.repeat(32)}`
const clock = createFakeClock()
const closing: (() => Promise<void> | void)[] = []
let calls = 0

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startServer(): Promise<FeishuServer> {
  const server = await startFeishuServer(() => clock.now())
  closing.push(() => server.close())
  server.people.add(ANA)
  return server
}

interface Opened {
  node: ChatNode
  ask(): Promise<Request>
  /** The card in the private chat. */
  card(): Promise<FeishuMessage>
  stateOf(request: Request): Promise<string>
}

async function open(server: FeishuServer, path = newPath()): Promise<Opened> {
  const { url, appId, appSecret } = server
  const node = await openChatNode({
    service: createFeishu({ url, appId, appSecret, now: () => clock.now() }),
    clock,
    path,
    people: { ana: { groups: [], account: ANA } },
    policy: {},
    wrap: (store) => store,
  })
  closing.push(() => node.close())
  const cards = () => server.sent(server.privateChat(ANA))
  return {
    node,
    async ask() {
      const call = { tool: 'deploy', arguments: { n: ++calls }, callId: `c${calls}`, session: 's' }
      return (await node.gateway.review(call, { subject: 'bot', role: 'agent', via: 'test' })).request!
    },
    async card() {
      await until(() => cards().length > 0)
      return cards().at(-1)!
    },
    stateOf: async ({ id }) => (await node.store.get(id))!.state,
  }
}

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-feishu-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'test.db')
}

function click(server: FeishuServer, { id, chat, buttons }: FeishuMessage, more: object = {}): string {
  return server.click({ from: ANA, chat, message: id, handle: buttons[0]!.handle!, ...more })
}

const saidIn = (node: ChatNode) => node.faults().map(({ doing, error }) => `${doing}: ${String(error)}`)

describe('the long connection', () => {
  it('is made again after it was dropped, and what was on its way comes again', async () => {
    const server = await startServer()
    const { ask, card, stateOf } = await open(server)
    await until(() => server.connections() === 1)
    const request = await ask()
    const shown = await card()
    server.drop()
    await until(() => server.connections() === 0)
    click(server, shown)
    await until(async () => {
      await clock.advance(1_000)
      return (await stateOf(request)) === 'approved'
    })
    await until(() => server.waiting() === 0)
  })

  it('P5: too many connections, a wrong secret, garbage and silence are reported once, without secrets, and it goes on', async () => {
    const server = await startServer()
    server.fail(
      'endpoint',
      { kind: 'code', status: 200, code: 1000040350 },
      { kind: 'code', status: 200, code: 514 },
      { kind: 'garbage' },
      { kind: 'refused-connection' },
    )
    const { node } = await open(server)
    await until(async () => {
      await clock.advance(10_000)
      return server.connections() === 1
    })
    expect(saidIn(node)).toEqual([expect.stringContaining('1000040350')])
    expect(saidIn(node).join()).not.toContain(server.appSecret)
  })

  it('P6: an address without TLS is taken only from a service that is called without TLS', async () => {
    const { startLongConnection } = await import('./connection.ts')
    const faults: string[] = []
    let isOver = false
    const { promise, resolve } = Promise.withResolvers<void>()
    const connection = startLongConnection({
      api: {
        url: 'https://open.feishu.cn',
        callWithSecret: async () => ({ data: { URL: 'ws://127.0.0.1:9/?service_id=1' } }),
      },
      host: {
        receiving: {
          next: async () => {
            if (isOver) return undefined
            isOver = true
            return new AbortController().signal
          },
        },
        clock,
        report({ error }) {
          faults.push(String(error))
          resolve()
        },
      },
      handle: async () => ({}),
    })
    await promise
    await connection.close()
    expect(faults).toEqual([expect.stringContaining('named no address')])
  })

  it('one on which nothing comes any more is given up, and another is made', async () => {
    const server = await startServer()
    const { node } = await open(server)
    await until(() => server.connections() === 1)
    server.mute()
    const made = () => server.calls.filter(({ path }) => path === '/callback/ws/endpoint').length
    await until(async () => {
      await clock.advance(60_000)
      return made() === 2
    })
    expect(saidIn(node)).toEqual([])
  })

  it('two nodes: one is connected', async () => {
    const server = await startServer()
    const path = newPath()
    await open(server, path)
    await until(() => server.connections() === 1)
    await open(server, path)
    await clock.advance(20_000)
    expect(server.calls.filter(({ path: called }) => called === '/callback/ws/endpoint')).toHaveLength(1)
  })

  it('P6: events of another app, of another kind, or that are none, decide nothing and are not sent again', async () => {
    const server = await startServer()
    const { ask, card, stateOf } = await open(server)
    const request = await ask()
    const { id, chat, buttons } = await card()
    const event = {
      operator: { open_id: ANA, tenant_key: server.tenant },
      action: { value: { handle: buttons[0]!.handle! } },
      context: { open_message_id: id, open_chat_id: chat },
    }
    server.push('card.action.trigger', event, { app_id: 'cli_ffffffffffffffff' })
    server.push('card.action.triggered', event)
    server.push('card.action.trigger', { ...event, operator: { open_id: ANA } })
    server.push('card.action.trigger', { ...event, context: { open_message_id: id } })
    server.push('card.action.trigger', { ...event, operator: 'ana' })
    await until(() => server.waiting() === 0)
    expect(await stateOf(request)).toBe('pending')
  })

  it('P6: somebody of another tenant with the same id is told that the account is nobody’s', async () => {
    const server = await startServer()
    const { ask, card, stateOf } = await open(server)
    const request = await ask()
    click(server, await card(), { tenant: 'theirs' })
    await until(() => server.replies.length === 1)
    expect(JSON.stringify(server.replies[0])).toContain('is linked to nobody')
    expect(await stateOf(request)).toBe('pending')
  })
})

describe('replies', () => {
  it('P7: the reply has the words and the new card, and the change is sent after it', async () => {
    const server = await startServer()
    const { ask, card } = await open(server)
    await ask()
    click(server, await card())
    await until(() => server.replies.length === 1)
    const { reply } = server.replies[0]!
    expect(reply.toast).toEqual({ type: 'success', content: 'Approved.' })
    expect(reply.card).toMatchObject({ type: 'raw' })
    expect(JSON.stringify(reply.card)).toContain('ana approved')
    expect((await card()).text).toContain('ana approved')
    await until(async () => (await card()).changes === 1)
  })
})

describe('access tokens', () => {
  const apiOf = ({ url, appId, appSecret }: FeishuServer) => {
    const api = createFeishuApi({ url, appId, appSecret, now: () => clock.now() })
    closing.push(() => api.close())
    return api
  }

  it('are asked for once by however many, kept, and renewed before they end', async () => {
    const server = await startServer()
    const api = apiOf(server)
    const info = { method: 'GET', path: '/open-apis/bot/v3/info' } as const
    await Promise.all(Array.from({ length: 10 }, () => api.call(info)))
    expect(server.tokens).toHaveLength(1)
    clock.jump(7_200_000 - 301_000)
    await api.call(info)
    expect(server.tokens).toHaveLength(1)
    clock.jump(2_000)
    await api.call(info)
    expect(server.tokens).toHaveLength(2)
  })

  it('one that was revoked is replaced, and no fault has it or the secret in it', async () => {
    const server = await startServer()
    const api = apiOf(server)
    const info = { method: 'GET', path: '/open-apis/bot/v3/info' } as const
    await api.call(info)
    server.revokeTokens()
    await api.call(info)
    expect(server.tokens).toHaveLength(2)
    server.revokeTokens()
    server.fail('token', { kind: 'code', status: 200, code: 10014 })
    const failed = await api.call(info).catch((error) => error)
    expect(failed).toMatchObject({ what: { kind: 'retry' }, message: expect.stringContaining('10014') })
    for (const secret of [server.appSecret, ...server.tokens])
      expect(String(failed.stack)).not.toContain(secret)
  })
})

describe('sending', () => {
  it('a card whose answer was lost is sent again under the same uuid: people see one', async () => {
    const server = await startServer()
    const { appId, appSecret } = server
    let drops = 1
    // Between us and the service: the first answer to a send is lost.
    const proxied = await startLossyProxy(server.url, (path) => path.includes('/messages') && drops-- > 0)
    closing.push(() => proxied.close())
    const service = createFeishu({ url: proxied.url, appId, appSecret, now: () => clock.now() })
    const rendered = service.render({
      locale: 'en',
      tone: 'pending',
      title: 't',
      mentions: [],
      parts: [],
      buttons: [],
      forms: [],
      inbox: undefined,
    })
    if ('tooLong' in rendered) throw new Error('too long')
    const sent = await service.send({ kind: 'person', account: ANA }, rendered, { isSilent: false })
    expect(server.sent(sent.chat).map(({ id }) => id)).toEqual([sent.message])
    expect(server.calls.filter(({ path }) => path === '/open-apis/im/v1/messages')).toHaveLength(2)
  })

  it.each([
    [230002, 'gone'],
    [230031, 'gone'],
    [230020, 'retry'],
    [99991672, 'retry'],
    [230099, 'refused'],
    [1, 'retry'],
    [424242, 'refused'],
  ] as const)('code %s is %s', async (code, kind) => {
    const server = await startServer()
    const { url, appId, appSecret } = server
    const service = createFeishu({ url, appId, appSecret, now: () => clock.now() })
    server.fail('update', { kind: 'code', status: 400, code })
    const failed = service.update({ chat: 'oc_1', message: 'om_1' }, { payload: {} })
    await expect(failed).rejects.toMatchObject({ what: { kind } })
  })

  it('who is in a group is read page by page', async () => {
    const server = await startServer()
    const { url, appId, appSecret } = server
    server.groups.set('oc_g', new Set(['ou_a', 'ou_b', 'ou_c', 'ou_d', ANA]))
    const service = createFeishu({ url, appId, appSecret, now: () => clock.now() })
    expect(await service.sees('oc_g', ANA)).toBe(true)
    expect(await service.sees('oc_g', 'ou_x')).toBe(false)
  })
})

async function startLossyProxy(
  target: string,
  loses: (path: string) => boolean,
): Promise<{ url: string; close(): void }> {
  const { createServer } = await import('node:http')
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization = '' } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: { 'content-type': 'application/json', authorization },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    })
    const text = await answer.text()
    if (loses(request.url!)) return void request.socket.destroy()
    response.writeHead(answer.status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
