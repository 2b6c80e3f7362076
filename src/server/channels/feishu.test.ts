/** A server with Feishu, as people configure it. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import type { Actor } from '../../core/session.ts'
import { type FeishuServer, startFeishuServer } from '../../people/chats/feishu/fixtures/feishu-server.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { makePolicyServer, type PolicyServer } from '../policy/fixtures/policy-server.ts'

const BEN = `ou_${'2'.repeat(32)}`
const bot: Actor = { subject: 'bot', role: 'agent', via: 'test' }

let setup: PolicyServer | undefined
let service: FeishuServer | undefined
afterEach(async () => {
  await setup?.close()
  await service?.close()
  setup = undefined
  service = undefined
})

async function start(more = ''): Promise<void> {
  setup = makePolicyServer()
  service = await startFeishuServer(() => Date.now())
  service.people.add(BEN)
  setup.trust(`
people: { ben: { groups: [approvers], feishu: ${BEN} } }
feishu: { appId: ${service.appId}, domain: "${service.url}"${more} }
`)
  const environment = {
    ...setup.environment,
    FEISHU_APP_SECRET: service.appSecret,
    FEISHU_ENCRYPT_KEY: service.encryptKey,
    FEISHU_VERIFICATION_TOKEN: service.verificationToken,
  }
  await setup.start({ environment })
}

const chat = () => service!.privateChat(BEN)

async function ask(): Promise<string> {
  const call = { tool: 'deploy', arguments: {}, callId: 'c1', session: 's' }
  const { request } = await setup!.server.gateway.review(call, bot)
  await until(() => service!.sent(chat()).length === 1)
  return request!.id
}

const stateOf = async (id: string) => (await setup!.server.gateway.get(id, setup!.server.self)).state

function click(form?: { reason: string }): void {
  const [card] = service!.sent(chat())
  const label = form === undefined ? 'Approve' : 'Reject with reason'
  const { handle } = card!.buttons.find((button) => button.label === label)!
  service!.click({ from: BEN, chat: chat(), message: card!.id, handle: handle!, ...(form ? { form } : {}) })
}

describe('feishu in banksman.yaml', () => {
  it('asks the person whose account it is, and takes their click over the long connection', async () => {
    await start()
    const id = await ask()
    click()
    await until(async () => (await stateOf(id)) === 'approved')
    await until(() => service!.sent(chat())[0]!.text.includes('ben approved'))
    await until(() => service!.replies.length === 1 && service!.sent(chat())[0]!.changes === 1)
    expect(service!.replies[0]!.reply).toMatchObject({ toast: { type: 'success', content: 'Approved.' } })
  })

  it('takes a reason from the form of the card', async () => {
    await start()
    const id = await ask()
    click({ reason: 'not on a Friday' })
    await until(async () => (await stateOf(id)) === 'rejected')
    const { progress } = await setup!.server.gateway.get(id, setup!.server.self)
    expect(progress.decision?.reason).toBe('not on a Friday')
    await until(() => service!.sent(chat())[0]!.changes === 1)
  })

  it('P6: takes a click at the webhook if it is signed, and no other', async () => {
    await start(', webhook: true')
    const id = await ask()
    const url = `${setup!.server.url}/feishu/webhook`
    const forged = await fetch(url, {
      method: 'POST',
      headers: { ...service!.signed({}).headers },
      body: JSON.stringify({ schema: '2.0' }),
    })
    expect([forged.status, await stateOf(id), service!.connections()]).toEqual([401, 'pending', 0])
    service!.callAt(url)
    click()
    await until(async () => (await stateOf(id)) === 'approved')
    await until(() => service!.sent(chat())[0]!.changes === 1)
  })

  it('P2: the same signed bytes, sent again, decide nothing again', async () => {
    await start(', webhook: true')
    const id = await ask()
    const [card] = service!.sent(chat())
    const { bytes, headers } = service!.signed({
      schema: '2.0',
      header: {
        event_id: 'e1',
        event_type: 'card.action.trigger',
        token: service!.verificationToken,
        app_id: service!.appId,
        tenant_key: service!.tenant,
      },
      event: {
        operator: { open_id: BEN, tenant_key: service!.tenant },
        action: { value: { handle: card!.buttons[0]!.handle! } },
        context: { open_message_id: card!.id, open_chat_id: chat() },
      },
    })
    const post = async () => {
      const url = `${setup!.server.url}/feishu/webhook`
      const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) })
      return (await response.json()) as { toast?: { content: string } }
    }
    expect((await post()).toast?.content).toBe('Approved.')
    expect([await post(), await stateOf(id)]).toEqual([{}, 'approved'])
    await until(() => service!.sent(chat())[0]!.changes === 1)
  })

  it('P5: does not start without its secrets, and says so without showing them', async () => {
    setup = makePolicyServer()
    setup.trust('feishu: { appId: cli_0123456789abcdef, webhook: true }\n')
    const tryWith = (more: object) =>
      setup!.start({ environment: { ...setup!.environment, ...more } }).catch((error) => String(error))
    expect(await tryWith({})).toMatch(/Encrypt Key.*FEISHU_ENCRYPT_KEY, which is not set/)
    const short = await tryWith({ FEISHU_ENCRYPT_KEY: 'too-short' })
    expect(short).toMatch(/16 characters or more.*has another shape/)
    expect(short).not.toContain('too-short')
    const key = { FEISHU_ENCRYPT_KEY: 'k'.repeat(32) }
    expect(await tryWith(key)).toMatch(/verification token.*is not set/)
    expect(await tryWith({ ...key, FEISHU_VERIFICATION_TOKEN: 'v'.repeat(32) })).toMatch(/secret of the app/)
  })

  it.each([
    ['feishu: {}', /appId/],
    ['feishu: { appId: wx123 }', /id of an app/],
    ['feishu: { appId: cli_0123456789abcdef, chat: "ops" }', /id of a chat/],
    ['feishu: { appId: cli_0123456789abcdef, domain: "http://example.org" }', /feishu, lark/],
    ['feishu: { appId: cli_0123456789abcdef, domain: "https://a@open.feishu.cn" }', /feishu, lark/],
    ['feishu: { appId: cli_0123456789abcdef, domain: "https://x.org/api" }', /feishu, lark/],
    ['feishu: { appId: cli_0123456789abcdef, appSecret: x }', /unknown key "appSecret"/],
    ['feishu: { appId: cli_0123456789abcdef, webhook: true, legacyCards: true }', /tenant/],
    ['feishu: { appId: cli_0123456789abcdef, tenant: t1, legacyCards: true }', /webhook: true/],
    ['people: { ana: { feishu: ana } }', /id of an account, as in ou_/],
    ['people: { ana: { feishu: ana@example.org } }', /id of an account/],
    ['people: { ana: { feishu: on_0123456789abcdef0123 } }', /id of an account/],
  ])('P5: %s is refused', (text, says) => {
    expect(() => readConfiguration(text, '/x/banksman.yaml', 'ana')).toThrow(says)
  })

  it.each([
    ['feishu', 'https://open.feishu.cn'],
    ['lark', 'https://open.larksuite.com'],
    ['https://open.example.org/', 'https://open.example.org'],
  ])('the domain %s is %s', (domain, url) => {
    const text = `feishu: { appId: cli_0123456789abcdef, domain: "${domain}" }`
    const { channels } = readConfiguration(text, '/x/banksman.yaml', 'ana')
    expect(channels.find(({ key }) => key === 'feishu')?.options).toMatchObject({ url })
  })
})
