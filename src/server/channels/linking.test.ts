/** Linking a chat account over HTTP, on a real server with a stand-in of Telegram. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { createClient } from '../../client/index.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../people/chats/telegram/fixtures/telegram-server.ts'
import * as wire from '../../wire/chat.ts'
import { makePolicyServer, type PolicyServer } from '../policy/fixtures/policy-server.ts'

let setup: PolicyServer
let telegram: TelegramServer

const HOLD = { holdMs: 20_000 }
const BEN = { tenant: '', account: '102' }

beforeEach(async () => {
  setup = makePolicyServer()
  telegram = await startTelegramServer(() => Date.now())
  for (const account of [101, 102, 999]) telegram.started.add(account)
  setup.trust(`
people: { ana: { telegram: 101 }, ben: { groups: [approvers] } }
telegram: { api: "${telegram.url}", tokenEnv: BOT_TOKEN }
`)
  await setup.start({ environment: { ...setup.environment, BOT_TOKEN: telegram.token }, report: () => {} })
})
afterEach(async () => {
  await setup.close()
  await telegram.close()
})

const write = (text: string, from = 102, more = {}) => telegram.write({ from, chat: from, text, more })
const said = (chat = 102) => telegram.sent(chat).map(({ text }) => text.replaceAll('\u2060', ''))

async function link(): Promise<string> {
  const { chats } = setup.as('ben')
  const { id, code } = await chats.beginLink('telegram')
  write(code)
  const { account } = await chats.link(id, HOLD)
  await chats.confirmLink(id, account!)
  return id
}

describe('linking over HTTP', () => {
  it('P6: is begun, seen, confirmed, tested and undone by the person', async () => {
    const { chats } = setup.as('ben')
    const { items } = await chats.list()
    expect(wire.chatList.parse({ items })).toEqual({ items })
    expect(items).toEqual([
      {
        service: 'telegram',
        bot: '@standin_bot',
        address: 'https://t.me/standin_bot',
        textAnswers: false,
        accounts: [],
      },
    ])
    const made = await chats.beginLink('telegram')
    expect(wire.newLink.parse(made)).toEqual(made)
    expect(made).toMatchObject({ url: `https://t.me/standin_bot?start=${made.code}`, carriesCode: true })
    expect((await chats.link(made.id)).state).toBe('waiting')
    const waits = chats.link(made.id, HOLD)
    write(`/start ${made.code}`)
    const claimed = await waits
    expect(wire.link.parse(claimed)).toEqual(claimed)
    expect(claimed).toMatchObject({ state: 'claimed', account: { ...BEN, name: 'somebody (@ana)' } })
    await until(() => said().some((text) => text.includes('would link this account (102) to ben')))
    expect((await chats.list()).items[0]!.accounts).toEqual([])
    expect(await chats.confirmLink(made.id, BEN)).toMatchObject({ state: 'linked' })
    await until(() => said().some((text) => text.includes('linked to ben now')))
    expect((await chats.list()).items[0]!.accounts).toMatchObject([{ ...BEN, subject: 'ben', from: 'link' }])

    const test = await chats.test('telegram')
    expect([wire.chatTest.parse(test), test.state]).toEqual([test, 'sent'])
    const card = telegram.sent(102).find(({ buttons }) => buttons.length > 0)!
    telegram.click({ from: 102, chat: 102, message: card.id, data: card.buttons[0]![0]!.callback_data! })
    const clicked = await chats.testState('telegram', test.id, HOLD)
    expect(wire.chatTest.parse(clicked)).toEqual(clicked)
    expect(clicked).toMatchObject({ state: 'clicked', clicked: { account: '102', person: 'ben' } })

    await chats.unlink('telegram', BEN)
    await until(() => said().some((text) => text.includes('no longer linked to ben')))
    expect((await chats.list()).items[0]!.accounts).toEqual([])
    await expect(chats.test('telegram')).rejects.toThrow(/link one first/)
  })

  it('P9: a name that hides or turns around what is beside it is written out', async () => {
    const { chats } = setup.as('ben')
    const { id, code } = await chats.beginLink('telegram')
    const from = { id: 102, is_bot: false, first_name: '<b>Ben</b>\u202Enimda\u0007', username: 'x' }
    write(code, 102, { from })
    const { account } = await chats.link(id, HOLD)
    expect(account!.name).toContain('<b>Ben</b>')
    expect(account!.name).not.toMatch(/[\u202E\u0007]/)
    await chats.confirmLink(id, account!)
    const shown = (await chats.list()).items[0]!.accounts[0]!
    expect(shown.name).toBe(account!.name)
  })

  it('P6: others do not see, confirm, take back or unlink it, and learn nothing of whose an account is', async () => {
    const { chats: bens } = setup.as('ben')
    const { chats: anas } = setup.as('ana')
    const { id, code } = await bens.beginLink('telegram')
    write(code)
    await bens.link(id, HOLD)
    for (const act of [() => anas.link(id), () => anas.confirmLink(id, BEN), () => anas.cancelLink(id)])
      await expect(act()).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(bens.confirmLink(id, { tenant: '', account: '999' })).rejects.toMatchObject({
      code: 'stale_action',
    })
    expect(await bens.cancelLink(id)).toMatchObject({ state: 'refused', because: 'cancelled' })
    await expect(bens.unlink('telegram', { tenant: '', account: '101' })).rejects.toMatchObject({
      code: 'unknown_id',
    })
    await expect(anas.unlink('telegram', { tenant: '', account: '101' })).rejects.toThrow(
      /people\.ana\.telegram/,
    )
    await expect(bens.list({ all: true })).rejects.toMatchObject({ code: 'forbidden' })
    const taken = await bens.beginLink('telegram')
    write(taken.code, 101)
    expect(await bens.link(taken.id, HOLD)).toMatchObject({ state: 'refused', because: 'account_taken' })
    await until(() => said(101).some((text) => text.startsWith('This code is not valid here')))
    expect(JSON.stringify([said(101), await bens.link(taken.id)])).not.toMatch(/\bana'|to ana/)
  })

  it('an administrator sees the accounts of everybody, and unlinks them', async () => {
    await link()
    const { chats } = setup.as('ana')
    const accounts = (await chats.list({ all: true })).items[0]!.accounts
    expect(accounts.map(({ subject, from }) => [subject, from])).toEqual([
      ['ana', 'configuration'],
      ['ben', 'link'],
    ])
    await chats.unlink('telegram', BEN)
    expect((await setup.as('ben').chats.list()).items[0]!.accounts).toEqual([])
  })

  it('P11: no agent does any of it, and nobody without a credential', async () => {
    const routes: [string, string, unknown?][] = [
      ['GET', '/v1/chats'],
      ['POST', '/v1/chats/telegram/links', {}],
      ['GET', '/v1/links/lnk_1'],
      ['POST', '/v1/links/lnk_1/confirm', BEN],
      ['DELETE', '/v1/links/lnk_1'],
      ['DELETE', '/v1/chats/telegram/accounts', BEN],
      ['POST', '/v1/chats/telegram/test', {}],
      ['GET', '/v1/chats/telegram/test/tst_1'],
      ['GET', '/v1/quiet-hours'],
      ['PUT', '/v1/quiet-hours', { from: '22:00', to: '07:00', zone: 'UTC' }],
      ['DELETE', '/v1/quiet-hours'],
    ]
    for (const [method, path, body] of routes) {
      const send = async (authorization?: string) => {
        const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) }
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        return (await fetch(`${setup.server.url}${path}`, { method, headers, ...sent })).status
      }
      expect([path, await send(`Bearer ${setup.tokens.bot}`), await send()]).toEqual([path, 403, 401])
    }
  })

  it('P6: a code is worth nothing once its token is revoked, and whoever waits for it is told', async () => {
    const { gateway, self, url } = setup.server
    const { secret, token } = await gateway.tokens.create({ subject: 'ben', role: 'approver' }, self)
    const { chats } = createClient({ url, token: secret })
    const { id, code } = await chats.beginLink('telegram')
    const waits = expect(chats.link(id, HOLD)).rejects.toMatchObject({ code: 'unauthenticated' })
    await gateway.tokens.revoke(token.id, self)
    await waits
    write(code)
    await until(() => said().some((text) => text.startsWith('This code is not valid here')))
    expect(await setup.as('ben').chats.link(id)).toMatchObject({ state: 'waiting' })
  })

  it('P5: a service that can not be reached is told, and a code is made all the same', async () => {
    telegram.fail('getMe', { kind: 'status', code: 401, description: 'Unauthorized' })
    const { chats } = setup.as('ben')
    const [chat] = (await chats.list()).items
    expect(chat!.fault).toContain('401 Unauthorized')
    expect(chat!.fault).not.toContain(telegram.token)
    expect(await chats.beginLink('telegram')).toMatchObject({ carriesCode: false })
    await expect(chats.beginLink('slack')).rejects.toThrow(
      /no chat `slack` is configured here; there are: telegram/,
    )
  })

  it('quiet hours are set by the person', async () => {
    const { quietHours } = setup.as('ben')
    const hours = { from: '22:00', to: '07:00', zone: 'Asia/Shanghai' }
    expect(await quietHours.get()).toEqual({})
    expect(await quietHours.set(hours)).toEqual({ hours, from: 'person' })
    await expect(quietHours.set({ ...hours, zone: 'nowhere' })).rejects.toThrow(/time zone/)
    expect(await setup.as('ana').quietHours.get()).toEqual({})
    expect(await quietHours.clear()).toEqual({})
  })
})
