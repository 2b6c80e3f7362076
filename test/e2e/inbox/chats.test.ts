/** Chats in the settings: linking, a test card, unlinking, quiet hours, in a real browser with a stand-in of Telegram. */
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../../src/people/chats/telegram/fixtures/telegram-server.ts'
import { launchBrowser, skipBrowser } from '../browser.ts'
import { wrongOn } from './axe.ts'
import { type FullServer, openFullServer } from './full-server.ts'
import { PATIENCE, type Tab, tabOf } from './set-up.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const
const BEN = 102

describe.skipIf(skipBrowser)('chats in the settings', () => {
  let browser: Browser
  let telegram: TelegramServer
  let setup: FullServer
  let closing: (() => Promise<unknown>)[]

  beforeAll(async () => {
    if (process.env.BANKSMAN_BUILT !== '1')
      await build({ root: join(ROOT, 'inbox'), mode: 'production', logLevel: 'error' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    closing = []
    telegram = await startTelegramServer(() => Date.now())
    for (const account of [BEN, 999]) telegram.started.add(account)
    setup = await openFullServer({
      configuration: `owner: ana\ntelegram: { api: "${telegram.url}", tokenEnv: BOT_TOKEN }\n`,
      environment: { BOT_TOKEN: telegram.token },
    })
  })
  afterEach(async () => {
    for (const close of closing.reverse()) await close()
    await setup.close()
    await telegram.close()
  })

  async function open(options: BrowserContextOptions = {}): Promise<Tab> {
    const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block', ...options })
    closing.push(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE.timeout)
    const tab = tabOf(page)
    await page.goto(await setup.link('ben', 'approver'))
    await page.waitForSelector('#pending')
    await tab.go('#/settings')
    await page.locator('#chats-title').waitFor()
    return tab
  }

  async function codeOn({ page }: Tab): Promise<string> {
    return (await page.locator('.link-code code').textContent()) ?? ''
  }

  const write = (text: string, from = BEN, more = {}) => telegram.write({ from, chat: from, text, more })
  const cards = () => telegram.sent(BEN).filter(({ buttons }) => buttons.length > 0)
  const accounts = async () => {
    const client = await setup.client('approver', 'ben')
    return (await client.chats.list()).items[0]!.accounts.map(({ account }) => account)
  }

  it('P6: links an account once the person has confirmed it, tries a card, and unlinks it', async () => {
    const tab = await open()
    const { page } = tab
    await tab.button('Link account').click()
    const code = await codeOn(tab)
    const link = page.getByRole('link', { name: 'Open the chat with the bot' })
    expect(await link.getAttribute('href')).toBe(`https://t.me/standin_bot?start=${code}`)
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    write(`/start ${code}`, BEN, { from: { id: BEN, is_bot: false, first_name: '<i>Ben</i>\u202enimda' } })
    await page.getByText('This account has sent your code').waitFor()
    await page.getByText('<i>Ben</i>⟨U+202E RLO⟩nimda').waitFor()
    expect(await accounts()).toEqual([])
    await tab.until(
      () => tab.button('Confirm: this is me').click({ timeout: 2000 }),
      async () => (await accounts()).length === 1,
    )
    await page.getByText('The account is linked to you.').waitFor()

    await tab.button('Send a test card').click()
    await page.getByText('Sent. Click the button').waitFor()
    // The first may not have arrived: another one can be sent, and it is the one that is waited for.
    await tab.button('Send a test card').click()
    await expect.poll(() => cards().length, PATIENCE).toBe(2)
    const card = cards().at(-1)!
    telegram.click({ from: BEN, chat: BEN, message: card.id, data: card.buttons[0]![0]!.callback_data! })
    await page.getByText("account 102 has clicked, and its clicks count as ben's").waitFor()

    await tab.button('Unlink…').click()
    await tab.until(
      () => tab.button('Unlink it').click({ timeout: 2000 }),
      async () => (await accounts()).length === 0,
    )
    await tab.button('Link account').waitFor()
    expect(tab.complaints).toEqual([])
  })

  it("P6: somebody else's account is shown and refused, and the code is worthless then", async () => {
    const tab = await open()
    await tab.button('Link account').click()
    const code = await codeOn(tab)
    write(code, 999)
    await tab.page.getByText('and named the account 999').waitFor()
    await tab.until(
      () => tab.button("It's not me").click({ timeout: 2000 }),
      () => tab.page.getByText('That code is no longer valid').isVisible(),
    )
    expect(await accounts()).toEqual([])
    await tab.button('New code').click()
    expect(await codeOn(tab)).not.toBe(code)
    await tab.button('Cancel').click()
    await tab.button('New code').waitFor()
  })

  it('a phone, in Chinese: nothing sticks out, and buttons are large enough', async () => {
    const tab = await open({ ...PHONE, locale: 'zh-CN', colorScheme: 'dark' })
    const { page } = tab
    await tab.button('关联账号').tap()
    await page.locator('.link-code code').waitFor()
    const wide = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await wide()).toBe(0)
    for (const button of await page.locator('.chats button').all())
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    write(await codeOn(tab))
    await page.getByText('以下账号发送了您的关联码').waitFor()
    await tab.settled()
    expect([await wide(), await wrongOn(page)]).toEqual([0, []])
  })

  it('quiet hours are kept on the server', async () => {
    const tab = await open({ timezoneId: 'Asia/Shanghai' })
    const { page } = tab
    const quiet = page.getByRole('article', { name: 'Quiet hours in chats' })
    await quiet.getByLabel('Every day').check()
    await quiet.getByLabel('From').fill('23:00')
    await quiet.getByLabel('Time zone').fill('Mars/Olympus')
    await quiet.getByText('a time zone such as').waitFor()
    expect(await quiet.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await quiet.getByLabel('Time zone').fill('Asia/Tokyo')
    await quiet.getByRole('button', { name: 'Save' }).click()
    await quiet.getByText('Saved.').waitFor()
    const client = await setup.client('approver', 'ben')
    expect(await client.quietHours.get()).toEqual({
      hours: { from: '23:00', to: '07:00', zone: 'Asia/Tokyo' },
      from: 'person',
    })
    await quiet.getByLabel('Every day').uncheck()
    await expect.poll(async () => client.quietHours.get(), PATIENCE).toEqual({})
  })
})
