/** Webhooks over real HTTP while the store is away: the service is told to send it again, and the click decides once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { until } from '../../../test/fixtures/until.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Store } from '../../stores/store.ts'
import type { ChatNode } from '../../testing/chat/chat-test.ts'
import { createFakeClock } from '../../testing/fake-clock.ts'
import type { ChatService } from './contract.ts'
import { createFeishu } from './feishu/feishu.ts'
import { startFeishuServer } from './feishu/fixtures/feishu-server.ts'
import { openChatNode } from './fixtures/chat-node.ts'
import { startTelegramServer } from './telegram/fixtures/telegram-server.ts'
import { createTelegram } from './telegram/telegram.ts'

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Opened {
  http: HttpGateway
  node: ChatNode
  request: Request
  setAway(isAway: boolean): void
  decisions(): Promise<number>
}

/** The webhook's door is on a real server; whose decisions these are is the business of the node. */
async function open(service: ChatService, account: string, clock = createFakeClock()): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-webhook-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  let isAway = false
  const away = () => {
    if (isAway) throw new BanksmanError('store_unavailable', 'the store is away')
  }
  const wrap = (store: Store): Store => ({
    ...store,
    async transition(change) {
      away()
      return store.transition(change)
    },
    records: {
      ...store.records,
      async get(kind, key) {
        away()
        return store.records.get(kind, key)
      },
      async change(...given) {
        away()
        return store.records.change(...given)
      },
    },
  })
  const people = { ana: { groups: [], account } }
  const node = await openChatNode({ service, clock, path: join(folder, 'test.db'), people, policy: {}, wrap })
  closing.push(() => node.close())
  const http = await openHttpGateway({ setup: { clock }, http: { doors: node.doors } })
  closing.push(() => http.close())
  const bot = { subject: 'bot', role: 'agent', via: 'test' } as const
  const call = { tool: 'deploy', arguments: { n: 1 }, callId: 'c1', session: 's' }
  const { request } = await node.gateway.review(call, bot)
  return {
    http,
    node,
    request: request!,
    setAway(next) {
      isAway = next
    },
    async decisions() {
      const { journal } = node.store
      const chains = await journal.chains()
      const read = await Promise.all(chains.map(({ chain }) => journal.read(chain, 0, 1000)))
      return read.flat().filter(({ type }) => type === 'request.decided').length
    },
  }
}

const isBound = async ({ store }: ChatNode) => {
  const { items } = await store.records.list({ kind: 'chat_card' })
  return (
    items.length > 0 && items.every(({ value }) => (value as { message?: unknown }).message !== undefined)
  )
}

describe('a webhook while the store is away', () => {
  it('P5 P7: telegram gets a status at which it sends the click again, and it decides once', async () => {
    const clock = createFakeClock()
    const server = await startTelegramServer(() => clock.now())
    closing.push(() => server.close())
    server.started.add(101)
    const secret = 'a-secret-of-the-webhook'
    const webhook = { url: 'https://approvals.example.org/telegram/webhook', secret }
    const service = createTelegram({ url: server.url, token: server.token, webhook })
    const { http, node, request, setAway, decisions } = await open(service, '101', clock)
    await until(() => isBound(node))
    const [card] = server.sent(101)
    const update = {
      update_id: 7,
      callback_query: {
        id: 'q1',
        from: { id: 101, is_bot: false },
        message: { message_id: card!.id, chat: { id: 101, type: 'private' } },
        data: card!.buttons[0]![0]!.callback_data,
      },
    }
    const send = (given: string) =>
      http.send('POST', '/telegram/webhook', {
        body: update,
        headers: { 'x-telegram-bot-api-secret-token': given },
      })
    setAway(true)
    for (let tries = 0; tries < 8; tries++) expect((await send(secret)).status).toBe(503)
    expect((await send('another')).status).toBe(401)
    setAway(false)
    expect((await node.store.get(request.id))!.state).toBe('pending')
    expect((await send(secret)).status).toBe(200)
    expect((await node.store.get(request.id))!.state).toBe('approved')
    expect((await send(secret)).status).toBe(200)
    expect(await decisions()).toBe(1)
  })

  it('P5 P7: feishu gets a status at which it sends the click again, and it decides once', async () => {
    const clock = createFakeClock()
    const server = await startFeishuServer(() => clock.now())
    closing.push(() => server.close())
    const account = `ou_${'1'.repeat(32)}`
    server.people.add(account)
    const { appId, appSecret, url, encryptKey, verificationToken } = server
    const webhook = { encryptKey, verificationToken, takesLegacyCards: false }
    const service = createFeishu({ appId, appSecret, url, now: () => clock.now(), webhook })
    const { http, node, request, setAway, decisions } = await open(service, account, clock)
    await until(() => isBound(node))
    const chat = server.privateChat(account)
    const [card] = server.sent(chat)
    const body = {
      schema: '2.0',
      header: {
        event_id: 'e1',
        event_type: 'card.action.trigger',
        token: verificationToken,
        app_id: appId,
        tenant_key: server.tenant,
      },
      event: {
        operator: { open_id: account, tenant_key: server.tenant },
        action: { tag: 'button', value: { handle: card!.buttons[0]!.handle } },
        context: { open_message_id: card!.id, open_chat_id: chat },
      },
    }
    const send = () => {
      const { bytes, headers } = server.signed(body)
      return http.send('POST', '/feishu/webhook', { text: bytes, headers })
    }
    setAway(true)
    for (let tries = 0; tries < 8; tries++) expect((await send()).status).toBe(503)
    setAway(false)
    expect((await node.store.get(request.id))!.state).toBe('pending')
    expect((await send()).status).toBe(200)
    expect((await node.store.get(request.id))!.state).toBe('approved')
    expect((await send()).status).toBe(200)
    expect(await decisions()).toBe(1)
  })
})
