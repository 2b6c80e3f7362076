/** What `doctor` says of chats, with stand-ins of the services. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACCOUNT_LINKS } from '../../core/authority.ts'
import type { Finding } from '../../core/support/finding.ts'
import { accountName } from '../../gateway/access/account-links.ts'
import { type FeishuServer, startFeishuServer } from '../../people/chats/feishu/fixtures/feishu-server.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../people/chats/telegram/fixtures/telegram-server.ts'
import { openSqliteStore } from '../../stores/sqlite/store.ts'
import { type CliFolder, makeCliFolder } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const GROUP = `oc_${'0'.repeat(32)}`
let place: CliFolder
let telegram: TelegramServer
let feishu: FeishuServer
let environment: Record<string, string>

beforeEach(async () => {
  place = makeCliFolder()
  telegram = await startTelegramServer(() => Date.now())
  telegram.groups.set(-100, new Set())
  feishu = await startFeishuServer(() => Date.now())
  feishu.groups.set(GROUP, new Set())
  environment = {
    ...place.environment,
    TELEGRAM_BOT_TOKEN: telegram.token,
    FEISHU_APP_SECRET: feishu.appSecret,
    FEISHU_ENCRYPT_KEY: feishu.encryptKey,
    HOOK_SECRET: 'a-secret-of-the-webhook',
  }
})
afterEach(async () => {
  await telegram.close()
  await feishu.close()
  await place.remove()
})

async function inspect(text: string): Promise<(about: string) => Finding[]> {
  writeFileSync(join(place.folder, 'banksman.yaml'), text)
  await runInProcess(['trust', '--yes'], place.folder, environment)
  const { code, stdout } = await runInProcess(['doctor', '--json'], place.folder, environment)
  const { findings, ok } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  expect(ok).toBe(code === 0)
  for (const secret of [telegram.token, feishu.appSecret, ...feishu.tokens, feishu.encryptKey])
    expect(stdout).not.toContain(secret)
  return (about) => findings.filter((finding) => finding.about === about)
}

const tg = (more = '') => `telegram: { api: "${telegram.url}"${more} }\n`
const fs = (more = '') => `feishu: { appId: ${feishu.appId}, domain: "${feishu.url}"${more} }\n`
const finding = (kind: Finding['kind'], detail: string, advice?: string) => [
  expect.objectContaining({
    kind,
    detail: expect.stringContaining(detail),
    ...(advice === undefined ? {} : { advice: expect.stringContaining(advice) }),
  }),
]

describe('doctor, of chats', () => {
  it('says nothing of chats where none is configured', async () => {
    const of = await inspect('policy: {}\n')
    expect([...of('telegram'), ...of('feishu'), ...of('chats')]).toEqual([])
  })

  it('finds both sound, names the bots and who can answer there', async () => {
    const of = await inspect(
      `people: { ana: { telegram: 101, feishu: ou_${'1'.repeat(32)} } }\n${tg(', chat: -100')}${fs(`, chats: [${GROUP}]`)}`,
    )
    expect(of('telegram')).toEqual(finding('ok', 'the bot is @standin_bot, and it polls'))
    expect(of('feishu')).toEqual(finding('ok', 'the bot is Approvals, and it connects'))
    expect(of('telegram accounts')).toEqual(finding('ok', 'ana'))
    expect(of('feishu accounts')).toEqual(finding('ok', 'ana'))
    // A second connection would be sent some of the clicks of the server's.
    expect(feishu.connections()).toBe(0)
    expect(telegram.calls.map(({ method }) => method)).not.toContain('getUpdates')
  })

  it('says whose secret is missing, without a server and beside one', async () => {
    delete environment.TELEGRAM_BOT_TOKEN
    environment.FEISHU_APP_SECRET = 'short'
    const of = await inspect(`${tg()}${fs()}`)
    expect(of('telegram')).toEqual(
      finding('problem', 'TELEGRAM_BOT_TOKEN, which is not set', 'banksman chat add'),
    )
    expect(of('feishu')).toEqual(finding('problem', 'FEISHU_APP_SECRET, which has another shape'))
    expect(of('telegram accounts')).toEqual(
      finding('warning', 'nobody has an account', 'banksman chat add telegram'),
    )
    environment.FEISHU_APP_SECRET = feishu.appSecret
    writeFileSync(join(place.folder, 'banksman.yaml'), tg())
    await runInProcess(['trust', '--yes'], place.folder, environment)
    await place.start([], { environment: { TELEGRAM_BOT_TOKEN: telegram.token } })
    const beside = await inspect(tg())
    expect(beside('telegram')).toEqual(finding('warning', 'the server may have it'))
    expect(beside('telegram accounts')).toEqual(finding('warning', 'nobody has an account, so'))
    const store = openSqliteStore({
      path: join(place.folder, '.banksman/banksman.db'),
      now: () => Date.now(),
    })
    const key = accountName({ service: 'telegram', tenant: '', account: '101' })
    await store.records.change([{ kind: ACCOUNT_LINKS, key, version: 0, value: { subject: 'ana' } }])
    await store.close()
    expect((await inspect(tg()))('telegram accounts')).toEqual(finding('ok', 'linked by hand: 1'))
  })

  it('says what to do about wrong credentials and missing permissions', async () => {
    environment.TELEGRAM_BOT_TOKEN = `1:${'A'.repeat(30)}`
    feishu.fail('describe', {
      kind: 'code',
      status: 400,
      code: 99991672,
      said: 'required: [im:message, im:chat]',
    })
    const of = await inspect(`${tg()}${fs()}`)
    expect(of('telegram')).toEqual(finding('problem', '401', '@BotFather'))
    expect(of('feishu')).toEqual(finding('problem', '99991672', 'im:message or im:chat'))
    environment.FEISHU_APP_SECRET = 'x'.repeat(32)
    expect((await inspect(fs()))('feishu')).toEqual(finding('problem', '10014', 'App Secret'))
  })

  it('finds a webhook that takes what is polled for, and one that fails', async () => {
    telegram.callAt('https://other.example/very-secret-path')
    const polling = (await inspect(tg()))('telegram')
    expect(polling.slice(1)).toEqual(finding('problem', 'other.example', 'banksman chat add telegram'))
    expect(JSON.stringify(polling)).not.toContain('very-secret-path')
    const hook = ', webhook: { url: "https://ours.example/telegram/webhook", secretEnv: HOOK_SECRET }'
    expect((await inspect(tg(hook)))('telegram').slice(1)).toEqual(finding('warning', 'calls other.example'))
    telegram.callAt('https://ours.example/telegram/webhook')
    expect((await inspect(tg(hook)))('telegram')).toEqual(finding('ok', 'called at its webhook'))
    telegram.webhookFailed('SSL error {error:0A000086}')
    expect((await inspect(tg(hook)))('telegram').slice(1)).toEqual(
      finding('warning', 'SSL error', 'certificate'),
    )
  })

  it('says what keeps Feishu from working: a key, the endpoint, an app that is not enabled', async () => {
    expect((await inspect(fs(', webhook: true')))('feishu')).toEqual(
      finding('problem', 'FEISHU_VERIFICATION_TOKEN, which is not set'),
    )
    feishu.fail('endpoint', { kind: 'code', status: 200, code: 1000040350 })
    expect((await inspect(fs()))('feishu')).toEqual(
      finding('problem', '1000040350', 'too many long connections'),
    )
    feishu.setStatus(1)
    expect((await inspect(fs()))('feishu').slice(1)).toEqual(finding('problem', 'not enabled', 'publish'))
  })

  it('says which group the bot can not write to', async () => {
    telegram.groups.set(-7, new Set())
    telegram.migrate(-7, -1007)
    const of = await inspect(`${tg(', chat: -200, chats: [-7]')}${fs(`, chat: oc_${'f'.repeat(32)}`)}`)
    expect(of('telegram').slice(1)).toEqual([
      ...finding('warning', "can't write to the chat -200", 'add the bot'),
      ...finding('warning', 'its id is -1007 now', '-1007'),
    ])
    expect(of('feishu').slice(1)).toEqual(finding('warning', "can't see the chat oc_", 'Add the bot'))
  })

  it('P5: a service that is down, or answers nonsense, is a finding', async () => {
    telegram.fail('getMe', { kind: 'garbage' })
    feishu.fail('token', { kind: 'refused-connection' })
    const of = await inspect(`${tg()}${fs()}`)
    expect(of('telegram')).toEqual(finding('problem', 'no answer of the Bot API', 'be reached'))
    expect(of('feishu')).toEqual(finding('problem', "can't be reached", 'network'))
    const web = createServer((_, response) => void response.end('hello'))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    expect((await inspect(`telegram: { api: "${at}" }\n`))('telegram')).toEqual(
      finding('problem', 'no answer'),
    )
    web.close()
  })
})
