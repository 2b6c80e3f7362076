/** What goes over the wire to Telegram, where no other test looks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { createFakeClock } from '../../../testing/fake-clock.ts'
import type { Card } from '../card/card.ts'
import type { ChatService } from '../contract.ts'
import { startTelegramServer, type TelegramServer } from './fixtures/telegram-server.ts'
import { createTelegram } from './telegram.ts'

const to = { kind: 'person', account: '101' } as const
const card: Card = {
  locale: 'en',
  tone: 'pending',
  title: 'x',
  mentions: [],
  parts: [],
  buttons: [[{ label: 'ok', style: 'primary', handle: 'h'.repeat(22) }]],
  forms: [],
  inbox: undefined,
}
const webhook = { url: 'https://approvals.example.org/telegram/webhook', secret: 'a-secret-of-the-webhook' }
const UPDATES = ['message', 'edited_message', 'callback_query']

let server: TelegramServer
let service: ChatService
const clock = createFakeClock()
beforeEach(async () => {
  server = await startTelegramServer(() => clock.now())
  server.started.add(101)
  service = createTelegram({ url: server.url, token: server.token })
})
afterEach(() => server.close())

function rendered() {
  const made = service.render(card)
  if ('tooLong' in made) throw new Error('too long')
  return made
}

const receive = (chat: ChatService, acknowledged: string) => {
  const turns = [new AbortController().signal]
  return chat.receive({
    click: async (_, acknowledge) => acknowledge({ text: acknowledged, isAlert: true }),
    message: async () => {},
    receiving: { next: async () => turns.pop() },
    clock,
    report: () => {},
  })
}

describe('calls', () => {
  it('a card is HTML without previews, and silent where that was asked for', async () => {
    await service.send(to, rendered(), { isSilent: true })
    await service.say(to, 'words', '5')
    const plain = { parse_mode: 'HTML', link_preview_options: { is_disabled: true }, chat_id: 101 }
    expect(server.calls.map(({ parameters }) => parameters)).toMatchObject([
      { ...plain, disable_notification: true },
      { ...plain, reply_parameters: { message_id: 5, allow_sending_without_reply: true } },
    ])
  })

  it('a change to what is shown already is a success', async () => {
    const sent = await service.send(to, rendered(), { isSilent: false })
    await service.update(sent, rendered())
    expect(server.calls.at(-1)!.method).toBe('editMessageText')
    expect(server.sent(101)[0]!.changes).toBe(0)
  })

  it('too many at once says when to come again', async () => {
    const parameters = { retry_after: 9 }
    server.fail('sendMessage', { kind: 'status', code: 429, description: 'Too Many Requests', parameters })
    await expect(service.send(to, rendered(), { isSilent: false })).rejects.toMatchObject({
      what: { kind: 'retry', afterMs: 9000 },
    })
  })

  it('an answer to a click has 200 characters at most', async () => {
    const receiver = receive(service, 'a'.repeat(500))
    server.click({ from: 101, chat: 101, message: 11, data: 'x' })
    await until(() => server.answers.length === 1)
    expect(server.answers[0]).toMatchObject({ text: 'a'.repeat(200), isAlert: true })
    await receiver.close()
  })

  it('asks for clicks and messages alone, by polling and at a webhook, and never drops what is pending', async () => {
    const polling = receive(service, '')
    await until(() => server.calls.some(({ method }) => method === 'getUpdates'))
    await polling.close()
    const called = receive(createTelegram({ url: server.url, token: server.token, webhook }), '')
    await until(() => server.calls.some(({ method }) => method === 'setWebhook'))
    await called.close()
    const of = (name: string) => server.calls.find(({ method }) => method === name)!.parameters
    expect(of('getUpdates')).toMatchObject({ timeout: 30, allowed_updates: UPDATES })
    expect(of('getUpdates')).not.toHaveProperty('offset')
    expect(of('setWebhook')).toEqual({
      url: webhook.url,
      secret_token: webhook.secret,
      allowed_updates: UPDATES,
    })
    expect(server.calls.map(({ method }) => method)).not.toContain('deleteWebhook')
  })
})
