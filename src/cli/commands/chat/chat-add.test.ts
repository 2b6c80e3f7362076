/** Setting up a chat, as a person does at a terminal, with stand-ins of the services. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { type FeishuServer, startFeishuServer } from '../../../people/chats/feishu/fixtures/feishu-server.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../../people/chats/telegram/fixtures/telegram-server.ts'
import { type CliFolder, makeCliFolder } from '../../fixtures/program.ts'
import { openSession, type Session, WITHOUT_TERMINAL } from '../../fixtures/pseudo-terminal.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const ANA = 101
const OU = `ou_${'1'.repeat(32)}`

function makePlace(): CliFolder & { file: string; text(): string } {
  const place = makeCliFolder()
  closing.push(() => place.remove())
  const file = join(place.folder, 'banksman.yaml')
  return { ...place, file, text: () => readFileSync(file, 'utf8') }
}

async function telegram(): Promise<TelegramServer> {
  const service = await startTelegramServer(() => Date.now())
  service.started.add(ANA)
  closing.push(() => service.close())
  return service
}

async function feishu(): Promise<FeishuServer> {
  const service = await startFeishuServer(() => Date.now())
  service.people.add(OU)
  closing.push(() => service.close())
  return service
}

const codeOn = (screen: string) => screen.match(/[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/g)?.at(-1) ?? ''
const isTrusted = async (place: CliFolder) =>
  (await place.run(['trust'])).stdout.includes('is already trusted')

async function typeToken(session: Session, secret: string, then: string): Promise<void> {
  await session.see('(it is not shown)')
  session.type(`${secret}\r`)
  await session.see(then)
}

describe.skipIf(WITHOUT_TERMINAL !== undefined)('chat add telegram, at a terminal', () => {
  async function toCode(place: CliFolder, service: TelegramServer, ...more: string[]): Promise<Session> {
    const session = openSession(place, ['chat', 'add', 'telegram', '--api', service.url, ...more])
    await typeToken(session, service.token, 'knows the bot as @standin_bot')
    await session.see('Write and trust this?')
    await session.typeUntil('\r', 'Waiting for 10 minutes')
    return session
  }

  it('asks, checks, writes, finds the account and tries a card', async () => {
    const place = makePlace()
    const service = await telegram()
    const session = await toCode(place, service)
    expect(session.screen()).toContain('@BotFather')
    const code = codeOn(session.screen())
    expect(session.screen()).toContain(`https://t.me/standin_bot?start=${code}`)
    service.write({ from: ANA, chat: ANA, text: `/start ${code}` })
    await session.see('The account 101 sent it. It calls itself “somebody (@ana)”.')
    await session.typeUntil('y\r', 'test card is on its way')
    await until(() => service.sent(ANA).length === 1)
    const [card] = service.sent(ANA)
    service.click({ from: ANA, chat: ANA, message: card!.id, data: card!.buttons[0]![0]!.callback_data! })
    await session.see('it works in both directions')
    await session.typeUntil('\r', 'is set up. Next')
    expect(await session.end()).toBe(0)
    expect(service.sent(ANA)[0]).toMatchObject({
      text: expect.stringContaining('Your answer arrived'),
      buttons: [],
    })
    expect(session.screen()).toContain('read -rs TELEGRAM_BOT_TOKEN && export TELEGRAM_BOT_TOKEN')
    expect(session.screen()).toContain('banksman start')
    expect(place.text()).toBe(`telegram: { api: "${service.url}" }\n\npeople: { ana: { telegram: 101 } }\n`)
    expect(await isTrusted(place)).toBe(true)
    expect(session.screen()).not.toContain(service.token)
    expect(place.text()).not.toContain(service.token)

    // What was written is what a server runs with.
    const server = await place.start([], { environment: { TELEGRAM_BOT_TOKEN: service.token } })
    const call = { tool: 'deploy', arguments: {}, callId: 'c1', session: 's' }
    const answer = await fetch(`${server.url}/v1/calls?hold=0s`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${readFileSync(server.agentTokenFile, 'utf8').trim()}`,
      },
      body: JSON.stringify(call),
    })
    const { request } = (await answer.json()) as { request: { id: string } }
    await until(() => service.sent(ANA).some(({ text }) => text.includes(request.id)))
    const asked = service.sent(ANA).at(-1)!
    service.click({ from: ANA, chat: ANA, message: asked.id, data: asked.buttons[0]![0]!.callback_data! })
    await until(() => service.sent(ANA).at(-1)!.text.includes('ana approved'))
  })

  it('leaves linking to the server where Telegram calls it', async () => {
    const place = makePlace()
    const service = await telegram()
    const url = 'https://ours.example/telegram/webhook'
    service.callAt(url)
    writeFileSync(place.file, `telegram: { webhook: { url: "${url}", secretEnv: HOOK_SECRET } }\n`)
    await place.run(['trust', '--yes'])
    const environment = { TELEGRAM_BOT_TOKEN: service.token, HOOK_SECRET: 'a-secret-of-the-webhook' }
    const args = ['chat', 'add', 'telegram', '--api', service.url, '--yes']
    const session = openSession(place, args, environment)
    await session.see('run: banksman link telegram')
    expect(await session.end()).toBe(0)
    expect(service.webhook()).toBe(url)
  })

  it('P6: takes the account from nobody but who wrote the code in a private chat, and whom the person knows', async () => {
    const place = makePlace()
    const service = await telegram()
    service.groups.set(-5, new Set([ANA, 999]))
    service.started.add(999)
    const session = await toCode(place, service)
    const code = codeOn(session.screen())
    service.write({ from: 999, chat: -5, text: code })
    service.write({ from: 999, chat: 999, text: code, more: { forward_origin: { type: 'user' } } })
    service.write({ from: 999, chat: 999, text: 'AAAA-AAAA-AAAA-AAAA' })
    await until(() => service.sent(999).length === 1)
    expect(service.sent(999)[0]!.text).toContain('not valid')
    expect(session.screen()).not.toContain('sent it.')
    service.write({
      from: 999,
      chat: 999,
      text: code,
      more: { from: { id: 999, is_bot: false, first_name: '\u202eana\u001b[2J”. The account 101' } },
    })
    await session.see('The account 999')
    await session.see('". The account 101')
    expect(session.screen()).not.toContain('\u202e')
    await session.typeUntil('n\r', 'here is a new one')
    await session.see('Waiting for 10 minutes')
    // The first code is worth nothing now.
    service.write({ from: ANA, chat: ANA, text: code })
    await until(() => service.sent(ANA).length === 1)
    const next = codeOn(session.screen())
    expect(next).not.toBe(code)
    service.write({ from: ANA, chat: ANA, text: next.toLowerCase().replaceAll('-', ' ') })
    await session.see('The account 101')
    await session.typeUntil('y\r', 'test card is on its way')
    await until(() => service.sent(ANA).length === 2)
    const card = service.sent(ANA)[1]!
    const data = card.buttons[0]![0]!.callback_data!
    service.click({ from: 999, chat: ANA, message: card.id, data })
    service.click({ from: ANA, chat: ANA, message: card.id - 1, data })
    service.click({ from: ANA, chat: ANA, message: card.id, data: 'x' })
    await until(() => service.answers.length === 3)
    expect(service.answers.map(({ isAlert }) => isAlert)).toEqual([true, true, true])
    expect(session.screen()).not.toContain('it works')
    service.click({ from: ANA, chat: ANA, message: card.id, data })
    await session.see('it works in both directions')
    await session.typeUntil('\r', 'is set up. Next')
    expect(await session.end()).toBe(0)
    expect(place.text()).toContain('people: { ana: { telegram: 101 } }')
    expect(place.text()).not.toMatch(/\b999\b/)
  })

  it('says what is wrong with a token, and asks again', async () => {
    const place = makePlace()
    const service = await telegram()
    const session = openSession(place, ['chat', 'add', 'telegram', '--api', service.url])
    await typeToken(session, 'hunter2', "That isn't right: it looks like digits, a colon")
    await typeToken(session, `1:${'A'.repeat(30)}`, 'Telegram does not know this token')
    await typeToken(session, service.token, 'knows the bot as')
    await session.see('Write and trust this?')
    await session.typeUntil('n\r', 'nothing was written')
    expect(await session.end()).toBe(1)
    expect(existsSync(place.file)).toBe(false)
    expect(session.screen()).not.toMatch(/hunter2|AAAA/)
  })

  it('finds a webhook, and removes it only after a yes', async () => {
    const place = makePlace()
    const service = await telegram()
    service.callAt('https://other.example/bot123:secret-path')
    const refused = openSession(place, ['chat', 'add', 'telegram', '--api', service.url])
    await typeToken(refused, service.token, 'A webhook is set for this bot, at other.example')
    await refused.typeUntil('\r', 'nothing was changed')
    expect(await refused.end()).toBe(1)
    expect(service.webhook()).toBeDefined()
    const session = openSession(place, ['chat', 'add', 'telegram', '--api', service.url])
    await typeToken(session, service.token, 'Remove that webhook?')
    await session.typeUntil('y\r', 'Removed.')
    expect(service.webhook()).toBeUndefined()
    expect(session.screen()).not.toContain('secret-path')
    await session.see('Write and trust this?')
    session.type('\u0003')
    expect(await session.end()).toBe(1)
    expect(existsSync(place.file)).toBe(false)
  })

  it('says that another program receives for this bot', async () => {
    const place = makePlace()
    const service = await telegram()
    service.fail('getUpdates', {
      kind: 'status',
      code: 409,
      description: 'Conflict: terminated by other getUpdates request',
    })
    const session = openSession(place, ['chat', 'add', 'telegram', '--api', service.url, '--yes'])
    await typeToken(session, service.token, 'banksman link')
    expect(await session.end()).toBe(1)
    expect(session.screen()).toContain('Another program receives the updates of this bot')
    expect(place.text()).not.toContain('people')
  })

  it('leaves a configuration that counts when it is interrupted', async () => {
    const place = makePlace()
    writeFileSync(place.file, '# ours\npolicy: { ask: ["*"] } # all\n')
    await place.run(['trust', '--yes'])
    const service = await telegram()
    const session = await toCode(place, service, '--token-env', 'BOT_TOKEN', '--language', 'zh')
    session.type('\u0003')
    expect(await session.end()).toBe(1)
    expect(session.screen()).toContain('link your account with `banksman link telegram`')
    expect(place.text()).toBe(
      `# ours\npolicy: { ask: ["*"] } # all\n\ntelegram: { api: "${service.url}", tokenEnv: BOT_TOKEN, language: zh }\n`,
    )
    expect(await isTrusted(place)).toBe(true)
  })

  it('shows the difference where the key is there, and never trusts what the person has not seen', async () => {
    const place = makePlace()
    const service = await telegram()
    writeFileSync(place.file, 'telegram:\n  chat: -100 # ops\n  tokenEnv: OLD\n')
    const session = openSession(
      place,
      ['chat', 'add', 'telegram', '--api', service.url, '--token-env', 'NEW'],
      { NEW: service.token },
    )
    await session.see('taken from the environment variable NEW')
    await session.see("the bot can't write to the chat -100".replace('the', 'The'))
    await session.see('-   tokenEnv: OLD')
    await session.see('+   tokenEnv: NEW')
    await session.see('Write this?')
    await session.typeUntil('\r', "It isn't trusted")
    await session.see('Waiting for 10 minutes')
    session.type('\u0003')
    expect(await session.end()).toBe(1)
    expect(place.text()).toContain('chat: -100 # ops\n')
    expect(await isTrusted(place)).toBe(false)
  })
})

describe.skipIf(WITHOUT_TERMINAL !== undefined)('chat add feishu, at a terminal', () => {
  it('asks, connects, writes, finds the account and tries a card', async () => {
    const place = makePlace()
    const service = await feishu()
    const session = openSession(place, ['chat', 'add', 'feishu', '--domain', service.url])
    await session.see('App ID:')
    await session.typeUntil(`${service.appId}\r`, '(it is not shown)')
    session.type(`${service.appSecret}\r`)
    await session.see('knows the bot as Approvals')
    await session.see('Write and trust this?')
    await session.typeUntil('\r', 'The long connection is open')
    await session.see('im.message.receive_v1')
    await session.see('card.action.trigger')
    await session.see('Waiting for 10 minutes')
    const chat = service.privateChat(OU)
    service.write({ from: OU, chat, text: codeOn(session.screen()) })
    await session.see(`The account ${OU}`)
    await session.typeUntil('y\r', 'test card is on its way')
    await until(() => service.sent(chat).length === 1)
    const [card] = service.sent(chat)
    service.click({ from: OU, chat, message: card!.id, handle: card!.buttons[0]!.handle! })
    await session.see('it works in both directions')
    await session.typeUntil('\r', 'is set up. Next')
    expect(await session.end()).toBe(0)
    await until(() => service.sent(chat)[0]!.text.includes('Your answer arrived'))
    expect(place.text()).toBe(
      `feishu: { domain: "${service.url}", appId: ${service.appId} }\n\npeople: { ana: { feishu: ${OU} } }\n`,
    )
    expect(await isTrusted(place)).toBe(true)
    expect(session.screen()).toContain('read -rs FEISHU_APP_SECRET && export FEISHU_APP_SECRET')
    expect(session.screen() + place.text()).not.toContain(service.appSecret)
  })

  it('says what to do about a wrong secret, a missing permission, a missing bot and no network', async () => {
    const place = makePlace()
    const service = await feishu()
    const session = openSession(place, [
      'chat',
      'add',
      'lark',
      '--domain',
      service.url,
      '--app-id',
      service.appId,
    ])
    await typeToken(session, 'a-wrong-secret-of-the-app', 'does not accept this App ID and App Secret')
    await session.see('choose lark as the domain')
    service.fail('describe', {
      kind: 'code',
      status: 400,
      code: 99991672,
      said: 'Access denied. One of the following scopes is required: [im:message, im:message:send_as_bot].',
    })
    const again = async (then: string) => {
      await session.see('feishu or lark?')
      await session.typeUntil('\r', 'App ID:')
      await session.typeUntil('\r', '(it is not shown)')
      session.type(`${service.appSecret}\r`)
      await session.see(then)
    }
    await again('The app lacks a permission: im:message or im:message:send_as_bot')
    service.fail('describe', { kind: 'code', status: 400, code: 11205, said: 'app do not have bot' })
    await again('The app has no bot yet')
    service.fail('describe', { kind: 'refused-connection' })
    await again("Feishu can't be reached from here")
    service.setStatus(3)
    await again('The app is not enabled in your organisation yet')
    expect(await session.end()).toBe(1)
    expect(existsSync(place.file)).toBe(false)
    expect(session.screen()).not.toMatch(new RegExp(`${service.appSecret}|a-wrong-secret`))
  })

  it('says that the long connection does not open', async () => {
    const place = makePlace()
    const service = await feishu()
    const session = openSession(
      place,
      ['chat', 'add', 'feishu', '--domain', service.url, '--app-id', service.appId],
      { FEISHU_APP_SECRET: service.appSecret },
    )
    await session.see('Write and trust this?')
    service.fail('endpoint', { kind: 'code', status: 200, code: 1000040350 })
    await session.typeUntil('\r', 'too many long connections')
    session.type('\u0003')
    expect(await session.end()).toBe(1)
  })
})

describe('chat add without a terminal', () => {
  it('lists what is missing, and writes nothing', async () => {
    const place = makePlace()
    const { code, stderr } = await place.run(['chat', 'add', 'feishu', '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain('--app-id')
    expect(stderr).toContain('FEISHU_APP_SECRET')
    const bot = await place.run(['chat', 'add', 'telegram', '--yes'])
    expect([bot.code, bot.stderr]).toEqual([2, expect.stringContaining('TELEGRAM_BOT_TOKEN')])
    expect((await place.run(['chat', 'add', 'telegram'])).stderr).toContain('--yes')
    expect((await place.run(['chat', 'add', 'slack'])).stderr).toContain('one of feishu, telegram')
    expect((await place.run(['chat', 'add', 'telegram', '--app-id', 'cli_1'])).stderr).toContain(
      'not for Telegram',
    )
    const secret = await place.run(['chat', 'add', 'telegram', '--yes', '--token-env', '123456:AA-secret'])
    expect([secret.code, secret.stderr]).toEqual([2, expect.stringContaining('never given as a flag')])
    expect(secret.stderr).not.toContain('AA-secret')
    expect(existsSync(place.file)).toBe(false)
  })

  it('checks and writes, and links nobody', async () => {
    const place = makePlace()
    const service = await telegram()
    const args = ['chat', 'add', 'telegram', '--yes', '--api', service.url]
    const environment = { TELEGRAM_BOT_TOKEN: service.token }
    const { code, stdout, stderr } = await place.run(args, { environment })
    expect([code, stderr]).toEqual([0, expect.stringContaining('run: banksman link')])
    expect(stdout).toContain('banksman start')
    expect(place.text()).toBe(`telegram: { api: "${service.url}" }\n`)
    expect((await place.run(args, { environment })).code).toBe(0)
    expect(place.text()).toBe(`telegram: { api: "${service.url}" }\n`)
    service.callAt('https://other.example/')
    const blocked = await place.run(args, { environment })
    expect([blocked.code, blocked.stderr]).toEqual([1, expect.stringContaining('webhook')])
    rmSync(place.file)
    const gone = await place.run(['chat', 'add', 'telegram', '--yes', '--api', 'http://127.0.0.1:1'], {
      environment,
    })
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('can’t be reached')])
    expect(existsSync(place.file)).toBe(false)
    expect(stdout + stderr + gone.stderr).not.toContain(service.token)
  })

  it('leaves a server that receives for the bot alone', async () => {
    const place = makePlace()
    const service = await telegram()
    const environment = { TELEGRAM_BOT_TOKEN: service.token }
    writeFileSync(place.file, `telegram: { api: "${service.url}" }\n`)
    await place.run(['trust', '--yes'])
    const server = await place.start([], { environment })
    const { code, stderr } = await place.run(['chat', 'add', 'telegram', '--yes'], { environment })
    expect([code, stderr]).toEqual([1, expect.stringContaining('banksman link')])
    expect(stderr).toContain(server.url)
  })
})
