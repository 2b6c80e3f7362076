/** The page *Sessions* of a whole server: what its cards show, and that what is on them works. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../src/client/index.ts'
import { until } from '../../fixtures/until.ts'
import { launchBrowser, skipBrowser } from '../browser.ts'
import { openCodingServer, PEOPLE } from './coding-server.ts'
import { SECRETARY, startEveryKind } from './coding-sessions.ts'
import type { FullServer } from './full-server.ts'
import { type Tab, tabOf } from './set-up.ts'

describe.skipIf(skipBrowser)('the page Sessions', () => {
  let browser: Browser
  let setup: FullServer
  let ana: Client
  let pages: Page[]
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(() => {
    pages = []
  })
  afterEach(async () => {
    for (const page of pages) await page.context().close()
    await setup.close()
  })

  async function serve(configuration = PEOPLE + SECRETARY): Promise<void> {
    setup = await openCodingServer(configuration)
    ana = await setup.client('admin', 'ana')
  }
  async function open(hash: string, options: BrowserContextOptions = {}): Promise<Tab> {
    const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage()
    page.setDefaultTimeout(60_000)
    pages.push(page)
    const tab = tabOf(page)
    await page.goto(await setup.link('ana', 'admin'))
    await page.waitForSelector('#pending')
    await tab.go(hash)
    return tab
  }
  const card = ({ page }: Tab, id: string) => page.locator(`[data-session="${id}"]`)

  it('has a card for each session, with what it does, said, used and waits for', async () => {
    await serve()
    const ids = await startEveryKind(ana)
    const tab = await open('#/sessions')
    await card(tab, ids.waiting!).locator('.session-state', { hasText: 'waiting for approval' }).waitFor()
    expect(await tab.page.locator('.session').count()).toBe(4)
    const running = card(tab, ids.running!)
    const text = await running.innerText()
    expect(text).toContain('Fix the total of the cart')
    expect(text).toContain('web')
    expect(text).toContain('working')
    expect(text).toContain('I move it to the end')
    expect(text).toContain('2 tool calls')
    expect(text).toContain('of 50 turns')
    expect(text).toContain('Mode: set by policy')
    const before = await running.locator('.session-lasts').innerText()
    await expect.poll(() => running.locator('.session-lasts').innerText()).not.toBe(before)
    expect(await card(tab, ids.failed!).innerText()).toContain('the model is away')
    await tab.button('All mine').click()
    await card(tab, ids.closed!).getByText('closed', { exact: true }).waitFor()
    await card(tab, ids.ended!).getByText('ended', { exact: true }).waitFor()
    // They are not among the conversations with the agent.
    await tab.go('#/chat')
    await tab.page.getByText('You have not talked to the agent yet.').waitFor()
    expect(tab.complaints).toEqual([])
  })

  it('starts one in a folder, has it decided in a sheet, and follows it without a reload', async () => {
    await serve()
    const tab = await open('#/sessions')
    const { page } = tab
    await tab.button('New session').click()
    const sheet = page.getByRole('dialog')
    await expect.poll(() => sheet.getByLabel('Folder').locator('option').count()).toBe(3)
    expect(await sheet.getByLabel('What runs without approval').innerText()).not.toContain('Bypass')
    await sheet.getByLabel('What to do').fill('publish it')
    await sheet.getByRole('button', { name: 'Start' }).click()
    await page.waitForURL(/#\/sessions\/.+/)
    const id = decodeURIComponent(page.url().split('/').at(-1)!)
    // The conversation is the one of the page Chat, with the facts of the session beside it.
    await page.locator('.transcript').getByText('publish it').waitFor()
    await page.locator('.session-facts .session-state', { hasText: 'waiting for approval' }).waitFor()
    expect((await ana.session(id)).mode).toBe('default')
    await tab.go('#/sessions')
    const look = card(tab, id).getByRole('button', { name: 'Review' })
    await tab.until(
      () => look.click({ timeout: 2000 }),
      async () => (await page.getByRole('dialog').count()) > 0,
    )
    await page.getByRole('dialog').getByText('npm publish --access public').first().waitFor()
    expect(tab.sent()).toBe(0)
    await tab.until(
      () => page.getByRole('dialog').getByRole('button', { name: 'Reject…' }).click({ timeout: 2000 }),
      async () => (await page.getByRole('dialog').getByRole('textbox').count()) > 0,
    )
    await page.getByRole('dialog').getByRole('textbox').first().fill('not today')
    await tab.until(
      () =>
        page
          .getByRole('dialog')
          .getByRole('button', { name: /^Reject/ })
          .last()
          .click({ timeout: 2000 }),
      async () => (await ana.progress(id)).turn?.ended !== undefined,
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await card(tab, id)
      .getByText(/Not published: .*not today/)
      .waitFor()
    expect(tab.complaints).toEqual([])
  })

  it('P5: says why a folder is not allowed, keeps what was written, and takes one below those that are', async () => {
    await serve()
    const tab = await open('#/sessions')
    const start = tab.button('New session')
    await start.click()
    const sheet = tab.page.getByRole('dialog')
    await sheet.getByLabel('What to do').fill('hello')
    await sheet.getByRole('combobox').first().selectOption({ label: 'A subfolder…' })
    await sheet.getByLabel('Folder path').fill('/etc')
    await sheet.getByRole('button', { name: 'Start' }).click()
    await sheet.getByRole('alert').getByText('is not a folder that sessions may work in').waitFor()
    expect((await ana.sessions({ coding: true })).items).toEqual([])
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    await start.click()
    expect(await sheet.getByLabel('What to do').inputValue()).toBe('hello')
    await sheet.getByRole('combobox').first().selectOption({ label: 'A subfolder…' })
    await sheet.getByLabel('Folder path').press('End')
    await sheet.getByLabel('Folder path').pressSequentially('parts')
    await sheet.getByRole('button', { name: 'Start' }).click()
    await tab.page.locator('.session-facts', { hasText: '/web/parts' }).waitFor()
  })

  it('sends a message, stops, sets a mode in two steps, and closes in two', async () => {
    await serve(`${PEOPLE}modes: [acceptEdits]\n${SECRETARY}`)
    const ids = await startEveryKind(ana)
    const tab = await open('#/sessions')
    const running = card(tab, ids.running!)
    await tab.until(
      () => running.getByRole('button', { name: 'Stop' }).click({ timeout: 2000 }),
      async () => (await ana.progress(ids.running!)).turn?.ended?.status === 'interrupted',
    )
    const done = card(tab, ids.done!)
    await tab.until(
      () => done.getByRole('button', { name: 'Message' }).click({ timeout: 2000 }),
      async () => (await done.getByRole('textbox').count()) > 0,
    )
    await done.getByRole('textbox').fill('and now this')
    await done.getByRole('textbox').press('Enter')
    await done.getByText('Done: and now this').waitFor()
    const mode = () => ana.session(ids.done!).then((session) => session.mode)
    await done.getByRole('button', { name: 'Mode: set by policy' }).click()
    const sheet = tab.page.getByRole('dialog')
    expect(await sheet.getByRole('button', { name: /^Bypass/ }).isEnabled()).toBe(false)
    await tab.until(
      () => sheet.getByRole('button', { name: /^Accept edits/ }).click({ timeout: 2000 }),
      async () => (await sheet.getByRole('button', { name: /^Yes/ }).count()) > 0,
    )
    expect(await mode()).not.toBe('acceptEdits')
    await tab.until(
      () => sheet.getByRole('button', { name: /^Yes/ }).click({ timeout: 2000 }),
      async () => (await mode()) === 'acceptEdits',
    )
    await done.getByRole('button', { name: 'Mode: Accept edits' }).waitFor()
    await done.getByRole('button', { name: 'Close session…' }).click()
    expect((await ana.sessions({ coding: true })).items.map(({ id }) => id)).toContain(ids.done)
    await tab.until(
      () => done.getByRole('button', { name: 'Close it' }).click({ timeout: 2000 }),
      async () => !(await ana.sessions({ coding: true })).items.some(({ id }) => id === ids.done),
    )
    await expect.poll(() => done.count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  it('P9: what a session says is text: made visible, with nothing in it to press', async () => {
    await serve()
    const { session } = await ana.startSession({ folder: 'web', text: 'be hostile' })
    await until(async () => (await ana.progress(session.id)).turn?.ended !== undefined)
    const tab = await open('#/sessions')
    const said = card(tab, session.id).locator('.session-said')
    await said.waitFor()
    expect(await said.locator('a, button, img, [role]').count()).toBe(0)
    const text = await said.innerText()
    expect(text).toContain("<a href='https://evil.example'>here</a>")
    expect(text).toContain('[click](https://evil.example)')
    expect(text).toContain('⟨U+202E RLO⟩')
    expect(text).toContain('⟨ESC⟩')
  })

  it('P11: nothing is said to another agent in place of a session that is not there', async () => {
    await serve()
    const tab = await open('#/sessions/nobody-knows')
    const { page } = tab
    await page.getByText("This session doesn't exist").waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    // Nor in one that is the agent's own, and no coding session: what is said there is said on the page Chat.
    await ana.say('talk', 'hello')
    await page.evaluate(() => location.assign('#/sessions/talk'))
    await page.getByRole('heading', { name: 'Calls and decisions' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await tab.until(
      () => tab.button('Open the conversation').click({ timeout: 2000 }),
      async () => page.url().endsWith('#/chat/talk'),
    )
  })

  it('says what the secretary is, and what to write into the configuration, where there is none', async () => {
    await serve(PEOPLE)
    const { page } = await open('#/sessions')
    await page.getByText("Coding sessions aren't set up on this server").waitFor()
    await page.locator('pre', { hasText: 'secretary:' }).waitFor()
    expect(await page.getByRole('button', { name: 'New session' }).count()).toBe(0)
  })

  it('shows a failure, with what was known before, and goes on when the server answers again', async () => {
    await serve()
    const ids = await startEveryKind(ana)
    const tab = await open('#/sessions', { serviceWorkers: 'block' })
    await card(tab, ids.done!).waitFor()
    const broken = /\/v1\/sessions\?/
    await tab.page.route(broken, (route) => route.abort())
    await tab.page.getByText("The server isn't answering.").first().waitFor()
    await tab.page.getByText('Connection lost. This may be out of date.').waitFor()
    expect(await card(tab, ids.done!).count()).toBe(1)
    await tab.page.unroute(broken)
    await tab.page.getByText('Connection lost. This may be out of date.').waitFor({ state: 'detached' })
  })

  it('P6: an admin sees the sessions of others where they want to, and what is said in them', async () => {
    await serve()
    const ben = await setup.client('approver', 'ben')
    const { session } = await ben.startSession({ folder: 'docs', text: 'Check the links' })
    const tab = await open('#/sessions')
    await tab.page.getByText('No open sessions.').waitFor()
    await tab.button("Everyone's").click()
    await card(tab, session.id).getByText('started by ben').waitFor()
    await card(tab, session.id).getByText('Every link in the guide answers').waitFor()
    await tab.go(`#/sessions/${session.id}`)
    await tab.page.locator('.transcript').getByText('Every link in the guide answers').waitFor()
  })

  it('on a phone everything on a card is there and large enough to be hit', async () => {
    await serve()
    const ids = await startEveryKind(ana)
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const tab = await open('#/sessions', phone)
    const waiting = card(tab, ids.waiting!)
    await waiting.getByRole('button', { name: 'Review' }).waitFor()
    for (const button of await tab.page.locator('.sessions button').all()) {
      const { width, height, x } = (await button.boundingBox())!
      const name = await button.innerText()
      expect(height, name).toBeGreaterThanOrEqual(40)
      expect(width, name).toBeGreaterThanOrEqual(44)
      expect(x + width, name).toBeLessThanOrEqual(390)
    }
    const actions = waiting.getByRole('group', { name: 'What you can do' })
    expect(await actions.getByRole('button').allInnerTexts()).toEqual([
      'Message',
      'Stop this turn',
      'Open session',
      'Close session…',
    ])
    for (const button of await waiting.getByRole('button').all())
      expect((await button.boundingBox())!.height, await button.innerText()).toBeGreaterThanOrEqual(44)
  })

  it('among what waits, the long name of a session leaves the call readable', async () => {
    await serve()
    await startEveryKind(ana)
    const { page } = await open('#/pending', { viewport: { width: 1280, height: 860 } })
    const gist = page.locator('.request-row .row-title').first()
    await gist.waitFor()
    expect(await gist.innerText()).toContain('npm publish')
    expect((await gist.boundingBox())!.height).toBeGreaterThan(12)
  })

  it('is reached by its number, and its cards by j, k and Enter', async () => {
    await serve()
    const ids = await startEveryKind(ana)
    const tab = await open('#/pending')
    await tab.page.keyboard.press('3')
    await card(tab, ids.done!).waitFor()
    await tab.settled()
    await tab.page.keyboard.press('j')
    await expect
      .poll(() => tab.page.evaluate(() => document.activeElement?.hasAttribute('data-row')))
      .toBe(true)
    await tab.until(
      () => tab.page.keyboard.press('Enter'),
      async () => /#\/sessions\/.+/.test(tab.page.url()),
    )
    await tab.page.locator('.transcript').waitFor()
  })
})
