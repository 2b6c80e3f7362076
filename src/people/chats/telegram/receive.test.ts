/** What is Telegram's own: polling, the webhook, groups that move, and clicks of nobody. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import type { Request } from '../../../core/request.ts'
import type { ChatNode } from '../../../testing/chat/chat-test.ts'
import { createFakeClock } from '../../../testing/fake-clock.ts'
import type { SentBytes, SignedJsonDoor } from '../../door.ts'
import type { ChatOptions } from '../create-chat.ts'
import { openChatNode } from '../fixtures/chat-node.ts'
import { startTelegramServer, type TelegramServer } from './fixtures/telegram-server.ts'
import type { TelegramWebhook } from './receive.ts'
import { createTelegram } from './telegram.ts'

const ANA = 101
const GROUP = -1001
const clock = createFakeClock()
const closing: (() => Promise<void> | void)[] = []
let calls = 0

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Opened {
  server: TelegramServer
  node: ChatNode
  path: string
  ask(): Promise<Request>
  stateOf(request: Request): Promise<string>
}

async function open(
  parts: {
    webhook?: TelegramWebhook
    chat?: Partial<ChatOptions>
    server?: TelegramServer
    path?: string
  } = {},
): Promise<Opened> {
  const server = parts.server ?? (await startTelegramServer(() => clock.now()))
  if (parts.server === undefined) closing.push(() => server.close())
  server.started.add(ANA)
  server.groups.set(GROUP, new Set([ANA]))
  const folder = mkdtempSync(join(tmpdir(), 'banksman-telegram-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const path = parts.path ?? join(folder, 'test.db')
  const { url, token } = server
  const node = await openChatNode({
    service: createTelegram({ url, token, ...(parts.webhook ? { webhook: parts.webhook } : {}) }),
    clock,
    path,
    people: { ana: { groups: [], account: String(ANA) } },
    policy: {},
    wrap: (store) => store,
    ...(parts.chat ? { chat: parts.chat } : {}),
  })
  closing.push(() => node.close())
  return {
    server,
    node,
    path,
    async ask() {
      const call = { tool: 'deploy', arguments: { n: ++calls }, callId: `c${calls}`, session: 's' }
      const origin = { channel: 'telegram', conversation: String(GROUP) }
      const bot = { subject: 'bot', role: 'agent', via: 'test' } as const
      return (await node.gateway.review({ ...call, origin }, bot)).request!
    },
    stateOf: async ({ id }) => (await node.store.get(id))!.state,
  }
}

const dataOf = (server: TelegramServer, chat: number) =>
  server.sent(chat).at(-1)!.buttons.flat()[0]!.callback_data!

describe('polling', () => {
  it('P6: a click of an anonymous administrator, of a channel, or without a message is nobody’s: it is acknowledged, and nothing else', async () => {
    const { server, ask, stateOf } = await open()
    const request = await ask()
    await until(() => server.sent(ANA).length === 1)
    const [message] = server.sent(ANA)
    const data = dataOf(server, ANA)
    const place = { message_id: message!.id, chat: { id: ANA, type: 'private' } }
    for (const query of [
      { id: 'a1', from: { id: 1087968824, is_bot: true }, message: place, data },
      { id: 'a2', from: { id: 136817688, is_bot: true }, message: place, data },
      { id: 'a3', message: place, data },
      { id: 'a4', from: { id: ANA, is_bot: false }, inline_message_id: 'x', data },
      { id: 'a5', from: { id: String(ANA), is_bot: false }, message: place, data },
      { id: 'a6', from: { id: ANA + 0.5 }, message: place, data },
      { id: 'a7', from: { id: ANA, is_bot: false }, message: place },
    ])
      server.push({ callback_query: query })
    server.push({
      message: {
        message_id: 5,
        from: { id: 1087968824, is_bot: true },
        chat: place.chat,
        date: 1,
        text: 'y',
      },
    })
    server.push({
      message: {
        message_id: 6,
        from: { id: ANA },
        sender_chat: { id: GROUP },
        chat: place.chat,
        date: 1,
        text: 'y',
      },
    })
    server.push({ unknown: true })
    server.push({ callback_query: 'garbage' })
    await until(() => server.waiting() === 0)
    expect(await stateOf(request)).toBe('pending')
  })

  it('a query that is too old is no fault of the decision', async () => {
    const { server, node, ask, stateOf } = await open()
    const request = await ask()
    await until(() => server.sent(ANA).length === 1)
    const [message] = server.sent(ANA)
    const from = { id: ANA, is_bot: false }
    const place = { message_id: message!.id, chat: { id: ANA, type: 'private' } }
    server.push({ callback_query: { id: 'old', from, message: place, data: dataOf(server, ANA) } })
    await until(async () => (await stateOf(request)) === 'approved')
    await until(() => node.faults().some(({ error }) => /too old/.test(String(error))))
  })

  it('two nodes: one polls', async () => {
    const first = await open()
    await until(() => first.server.calls.some(({ method }) => method === 'getUpdates'))
    await open({ server: first.server, path: first.path })
    await clock.advance(20_000)
    expect(first.node.faults()).toEqual([])
    expect(await first.node.store.leases.list('chats/telegram')).toHaveLength(1)
  })

  it('a poller beside us, a webhook, a revoked token and garbage are reported once, and it goes on after them', async () => {
    const { server, node, ask, stateOf } = await open()
    await until(() => server.calls.some(({ method }) => method === 'getUpdates'))
    server.fail(
      'getUpdates',
      { kind: 'status', code: 401, description: `Unauthorized ${server.token}` },
      { kind: 'status', code: 409, description: 'Conflict' },
      { kind: 'garbage' },
      { kind: 'refused-connection' },
    )
    const request = await ask()
    await until(() => server.sent(ANA).length === 1)
    server.push({
      message: {
        message_id: 1,
        from: { id: 5, is_bot: false },
        chat: { id: 5, type: 'private' },
        date: 1,
        text: 'x',
      },
    })
    server.click({ from: ANA, chat: ANA, message: server.sent(ANA)[0]!.id, data: dataOf(server, ANA) })
    await until(async () => {
      await clock.advance(10_000)
      return (await stateOf(request)) === 'approved'
    })
    expect(JSON.stringify(node.faults().map(({ error }) => String(error)))).not.toContain(server.token)
  })
})

it('P5: a service whose clock is an hour slow is compared with itself', async () => {
  const skewed = await startTelegramServer(() => clock.now() - 3_600_000)
  closing.push(() => skewed.close())
  const { server, ask, stateOf } = await open({ server: skewed, chat: { textAnswers: true } })
  const request = await ask()
  await until(() => server.sent(ANA).length === 1)
  server.write({ from: ANA, chat: ANA, text: 'y', more: { date: Math.floor(clock.now() / 1000) - 3601 } })
  await until(() => server.waiting() === 0)
  expect(await stateOf(request)).toBe('pending')
  await clock.advance(2_000)
  server.write({ from: ANA, chat: ANA, text: 'y' })
  await until(async () => (await stateOf(request)) === 'approved')
})

describe('groups', () => {
  it('a group that has got another id is followed, also after a restart', async () => {
    const { server, ask } = await open({ chat: { chats: [String(GROUP)] } })
    await ask()
    await until(() => server.sent(GROUP).length === 1)
    server.migrate(GROUP, -2002)
    await ask()
    await until(async () => {
      await clock.advance(1_000)
      return server.sent(-2002).length === 1
    })
    expect(server.sent(-2002)[0]!.text).toContain(`n: ${calls}`)
    expect(server.sent(-2002)[0]!.buttons.flat()[0]!.text).toBe('Approve')
  })
})

describe('the webhook', () => {
  const webhook = { url: 'https://approvals.example.org/telegram/webhook', secret: 'a-secret-of-the-webhook' }

  function doorOf({ doors }: ChatNode): SignedJsonDoor {
    return doors[0] as SignedJsonDoor
  }

  const sent = (secret: string | undefined): SentBytes => ({
    bytes: new Uint8Array(),
    header: (name) => (name === 'x-telegram-bot-api-secret-token' ? secret : undefined),
    query: () => undefined,
    now: 0,
  })

  it('P6: mistake 10, a webhook without any proof: only who sends the secret gets in', async () => {
    const { server, node } = await open({ webhook })
    const door = doorOf(node)
    expect(door).toMatchObject({ kind: 'signed', channel: 'telegram', path: '/telegram/webhook' })
    const tried = [undefined, '', 'a-secret-of-the-webhooK', `${webhook.secret} `, webhook.secret]
    expect(tried.map((secret) => door.verify(sent(secret)))).toEqual([false, false, false, false, true])
    await until(() => server.calls.some(({ method }) => method === 'setWebhook'))
    expect(server.calls.filter(({ method }) => method === 'getUpdates')).toEqual([])
  })

  it('P7: a click is answered 200 after its decision is committed', async () => {
    const { server, node, ask, stateOf } = await open({ webhook })
    const request = await ask()
    await until(() => server.sent(ANA).length === 1)
    const update = {
      update_id: 1,
      callback_query: {
        id: 'w1',
        from: { id: ANA, is_bot: false },
        message: { message_id: server.sent(ANA)[0]!.id, chat: { id: ANA, type: 'private' } },
        data: dataOf(server, ANA),
      },
    }
    const answer = () => doorOf(node).answer({ body: update } as never)
    expect(await answer()).toEqual({ kind: 'empty', status: 200 })
    expect(await stateOf(request)).toBe('approved')
    // It is sent again where the answer was lost.
    expect(await answer()).toEqual({ kind: 'empty', status: 200 })
  })
})
