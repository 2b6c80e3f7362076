/** What goes over the wire to Feishu, and what comes, where no other test looks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { createFakeClock, type FakeClock } from '../../../testing/fake-clock.ts'
import type { Card } from '../card/card.ts'
import type { ChatReceiver, ChatService } from '../contract.ts'
import { createFeishu } from './feishu.ts'
import { type FeishuServer, startFeishuServer } from './fixtures/feishu-server.ts'

const ANA = `ou_${'1'.repeat(32)}`
const DAY_MS = 86_400_000
const to = { kind: 'person', account: ANA } as const
const card: Card = {
  locale: 'en',
  tone: 'pending',
  title: 'x',
  mentions: [],
  parts: [],
  buttons: [[{ label: 'ok', style: 'primary', handle: 'h' }]],
  forms: [],
  inbox: undefined,
}

let clock: FakeClock
let server: FeishuServer
let service: ChatService
let receiver: ChatReceiver | undefined
const handled: string[] = []

beforeEach(async () => {
  clock = createFakeClock()
  server = await startFeishuServer(() => clock.now())
  server.people.add(ANA)
  const { url, appId, appSecret } = server
  service = createFeishu({ url, appId, appSecret, now: () => clock.now() })
  handled.length = 0
})
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
  await server.close()
})

function rendered(given: Card = card) {
  const made = service.render(given)
  if ('tooLong' in made) throw new Error('too long')
  return made
}

async function connect(): Promise<void> {
  const turns = [new AbortController().signal]
  const connected = Promise.withResolvers<void>()
  receiver = service.receive({
    click: async ({ event }) => void handled.push(event),
    message: async ({ event }) => void handled.push(event),
    receiving: { next: async () => turns.pop() },
    clock,
    connected: connected.resolve,
    report: () => {},
  })
  await connected.promise
}

describe('calls', () => {
  it('a card is shared and can’t be forwarded, before and after a change; its uuid has 50 characters at most', async () => {
    const sent = await service.send(to, rendered(), { isSilent: false })
    await service.update(sent, rendered({ ...card, title: 'y', buttons: [] }))
    await service.say(to, 'words')
    const written = server.calls.filter(({ path }) => path.startsWith('/open-apis/im/v1/messages'))
    expect(written.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST'])
    for (const { body } of written) {
      const { config } = JSON.parse(String(body.content))
      expect(config).toEqual({ update_multi: true, enable_forward: false })
      if (body.uuid !== undefined) expect(String(body.uuid).length).toBeLessThanOrEqual(50)
    }
    expect(new Set(written.map(({ body }) => body.uuid)).size).toBe(3)
  })

  it('after fourteen days a card can not be changed, which is no reason to try again', async () => {
    const sent = await service.send(to, rendered(), { isSilent: false })
    clock.jump(14 * DAY_MS + 1)
    await expect(service.update(sent, rendered())).rejects.toMatchObject({ what: { kind: 'gone' } })
  })

  it('too many at once says when to come again', async () => {
    server.fail('send', { kind: 'code', status: 429, code: 99991400, resetIn: 9 })
    await expect(service.send(to, rendered(), { isSilent: false })).rejects.toMatchObject({
      what: { kind: 'retry', afterMs: 9000 },
    })
  })
})

describe('the long connection', () => {
  it('pings as often as the endpoint says, and then as the answers say', async () => {
    await connect()
    await clock.advance(119_000)
    expect(server.pings()).toBe(0)
    server.answerPings({ PingInterval: 10, ReconnectInterval: 1 })
    await clock.advance(1_000)
    await until(() => server.pings() === 1)
    // The pause that was begun before the answer came ends first.
    await until(async () => {
      await clock.advance(10_000)
      return server.pings() >= 3
    })
    expect(clock.now() - 1_700_000_000_000).toBeLessThan(120_000 * 3)
  })

  it.each([{ PingInterval: 0 }, { PingInterval: -5 }, { PingInterval: 1e9 }, { PingInterval: 'x' }])(
    'P5: an answer with %j changes nothing',
    async (config) => {
      server.answerPings(config)
      await connect()
      await clock.advance(120_000)
      await until(() => server.pings() === 1)
      await clock.advance(119_000)
      expect(server.pings()).toBe(1)
      await clock.advance(1_000)
      await until(() => server.pings() === 2)
    },
  )

  it('P6: a frame of another type is neither handled nor answered', async () => {
    await connect()
    const operator = { open_id: ANA, tenant_key: server.tenant }
    const header = {
      event_id: 'e',
      event_type: 'card.action.trigger',
      app_id: server.appId,
      tenant_key: server.tenant,
    }
    const context = { open_message_id: 'om_1', open_chat_id: 'oc_1' }
    const event = { operator, context, action: { value: { handle: 'h' } } }
    server.sendFrame('card', { schema: '2.0', header, event })
    server.sendFrame('unknown', { schema: '2.0', header, event })
    server.write({ from: ANA, chat: server.privateChat(ANA), text: 'after them' })
    await until(() => handled.length > 0 && server.waiting() === 0)
    expect(handled).toEqual([expect.stringContaining('message:')])
    expect(server.otherAnswers()).toBe(0)
  })
})
