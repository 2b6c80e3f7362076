/** A server with Telegram, as people configure it. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import type { Actor } from '../../core/session.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../people/chats/telegram/fixtures/telegram-server.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { makePolicyServer, type PolicyServer } from '../policy/fixtures/policy-server.ts'

let setup: PolicyServer | undefined
let service: TelegramServer | undefined
afterEach(async () => {
  await setup?.close()
  await service?.close()
  setup = undefined
  service = undefined
})

const bot: Actor = { subject: 'bot', role: 'agent', via: 'test' }
const faults: unknown[] = []

async function start(more = ''): Promise<void> {
  setup = makePolicyServer()
  service = await startTelegramServer(() => Date.now())
  service.started.add(101)
  setup.trust(`
people: { ben: { groups: [approvers], telegram: 101 } }
telegram: { api: "${service.url}", tokenEnv: BOT_TOKEN${more} }
`)
  const environment = {
    ...setup.environment,
    BOT_TOKEN: service.token,
    HOOK_SECRET: 'the-secret-of-the-hook',
  }
  await setup.start({ environment, report: (fault) => void faults.push(fault) })
}

async function ask(): Promise<string> {
  const call = { tool: 'deploy', arguments: {}, callId: 'c1', session: 's' }
  const { request } = await setup!.server.gateway.review(call, bot)
  await until(() => service!.sent(101).length === 1)
  return request!.id
}

const stateOf = async (id: string) => (await setup!.server.gateway.get(id, setup!.server.self)).state
const approve = () => service!.sent(101)[0]!.buttons.flat()[0]!.callback_data!

describe('telegram in banksman.yaml', () => {
  it('asks the person whose account it is, and takes their click', async () => {
    await start()
    const id = await ask()
    service!.click({ from: 101, chat: 101, message: service!.sent(101)[0]!.id, data: approve() })
    await until(async () => (await stateOf(id)) === 'approved')
    await until(() => service!.sent(101)[0]!.text.includes('ben approved'))
  })

  it('P6: takes a click at the webhook from who has the secret, and from nobody else', async () => {
    await start(
      ', webhook: { url: "https://approvals.example.org/telegram/webhook", secretEnv: HOOK_SECRET }',
    )
    const id = await ask()
    await until(() => service!.calls.some(({ method }) => method === 'setWebhook'))
    const update = {
      update_id: 7,
      callback_query: {
        id: 'q',
        from: { id: 101, is_bot: false },
        message: { message_id: service!.sent(101)[0]!.id, chat: { id: 101, type: 'private' } },
        data: approve(),
      },
    }
    const post = (secret: string) =>
      fetch(`${setup!.server.url}/telegram/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify(update),
      })
    expect([(await post('another secret')).status, await stateOf(id)]).toEqual([401, 'pending'])
    expect([(await post('the-secret-of-the-hook')).status, await stateOf(id)]).toEqual([200, 'approved'])
  })

  it('P5: does not start without the token, and says so without showing it', async () => {
    setup = makePolicyServer()
    setup.trust('telegram: { tokenEnv: BOT_TOKEN }\n')
    await expect(setup.start()).rejects.toThrow(/token of a bot.*BOT_TOKEN, which is not set/)
    const environment = { ...setup.environment, BOT_TOKEN: 'no-token-at-all' }
    const failed = await setup.start({ environment }).catch((error) => String(error))
    expect(failed).toMatch(/has another shape/)
    expect(failed).not.toContain('no-token-at-all')
  })

  it.each([
    ['telegram: { chat: "@ops" }', /id of a chat/],
    ['telegram: { token: "1:x" }', /unknown key "token"/],
    ['telegram: { language: fr }', /language/],
    ['telegram: { webhook: { url: "http://x.org", secretEnv: A } }', /webhook/],
    ['people: { ana: { telegram: ana } }', /id of an account, as in 12345678/],
    ['people: { ana: { telegram: "@ana" } }', /id of an account/],
  ])('P5: %s is refused', (text, says) => {
    expect(() => readConfiguration(text, '/x/banksman.yaml', 'ana')).toThrow(says)
  })
})
