/** Ten tabs of one browser, which keeps six connections to a server: every one of them loads, decides and hears of changes. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { launchBrowser, skipBrowser } from '../browser.ts'
import { createServerHome, type RunningServer, type ServerHome } from '../running-server.ts'
import { PATIENCE, type Tab, tabOf } from './set-up.ts'

const PLACES = [
  'pending',
  'chat',
  'chat/demo',
  'sessions',
  'history',
  'grants',
  'policy',
  'health',
  'settings',
  'pending',
]

describe.skipIf(skipBrowser)('ten tabs of one browser', () => {
  let browser: Browser
  let home: ServerHome
  let server: RunningServer
  let context: BrowserContext
  let calls = 0
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    home = await createServerHome()
    server = await home.start(['--demo'])
    context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' })
    context.setDefaultTimeout(PATIENCE.timeout)
  })
  afterEach(async () => {
    await context.close()
    await server.stop()
    home.remove()
  })

  async function openTab(hash: string): Promise<Tab> {
    const tab = tabOf(await context.newPage())
    await tab.page.goto(`${server.url}/#/${hash}`)
    return tab
  }

  /** All of them, each with the page of its place on it, and heard by the server. */
  async function openTen(): Promise<Tab[]> {
    const first = tabOf(await context.newPage())
    await first.page.goto(server.loginLink)
    await first.page.waitForSelector('#pending')
    const tabs = [first]
    for (const place of PLACES.slice(1)) tabs.push(await openTab(place))
    return tabs
  }

  const ask = (text: string) =>
    createClient({ url: server.url, token: server.agentToken }).submit({
      tool: 'note',
      arguments: { text },
      callId: `ten-${++calls}`,
      session: 'ten',
    })
  const countIn = (page: Page) => page.title().then((title) => Number(/^\((\d+)\)/.exec(title)?.[1] ?? 0))

  /** Until the title of every tab says how many are pending. */
  async function hear(tabs: readonly Tab[], count: number): Promise<void> {
    for (const { page } of tabs)
      await page.waitForFunction((wanted) => document.title.startsWith(`(${wanted}) `), count)
  }

  it('the tenth loads, decides and hears of changes; a tab that is closed takes nothing with it', async () => {
    const tabs = await openTen()
    const last = tabs.at(-1)!
    await last.page.waitForSelector('#pending')
    const before = await countIn(tabs[0]!.page)
    await ask('the first note')
    await hear(tabs, before + 1)
    await last.open('the first note')
    await last.button('Approve').click()
    await last.page.getByText('You approved').waitFor()
    await hear(tabs, before)
    // The first that was opened, and the one with a conversation.
    await tabs[0]!.page.close()
    await tabs[2]!.page.close()
    const left = tabs.filter(({ page }) => !page.isClosed())
    await ask('the second note')
    await hear(left, before + 1)
    expect(left.flatMap(({ complaints }) => complaints)).toEqual([])
  }, 300_000)

  it('all recover when the server restarts, and have what came meanwhile', async () => {
    const tabs = await openTen()
    await tabs.at(-1)!.page.waitForSelector('#pending')
    const before = await countIn(tabs[0]!.page)
    await hear(tabs, before)
    await server.stop()
    for (const { page } of tabs) await page.getByText('Connection lost.').first().waitFor()
    server = await home.start(['--demo'])
    await ask('after the restart')
    for (const { page } of tabs) await page.getByText('Connection lost.').first().waitFor({ state: 'detached' })
    const now = await countIn(tabs[0]!.page)
    expect(now).toBeGreaterThan(0)
    await tabs.at(-1)!.row('after the restart').waitFor()
    await hear(tabs, await countIn(tabs.at(-1)!.page))
  }, 300_000)

  it('P6: signing out in one of them signs all of them out', async () => {
    const tabs = await openTen()
    const settings = tabs[8]!
    await settings.button('Log out').click()
    for (const { page } of tabs) await page.locator('#code').waitFor()
  }, 300_000)

  it('P2: a decision that a server takes and does not answer ends in words, and is looked up', async () => {
    const page = await context.newPage()
    const tab = tabOf(page)
    await page.clock.install()
    await page.goto(server.loginLink)
    await page.waitForSelector('#pending')
    await ask('nobody answers')
    await tab.open('nobody answers')
    server.signal('SIGSTOP')
    await tab.button('Approve').click()
    await page.getByText('Sending…').first().waitFor()
    await page.clock.fastForward(21_000)
    await page.getByText("The server isn't answering.").first().waitFor()
    expect(tab.sent()).toBe(1)
    server.signal('SIGCONT')
    await page.getByText('You approved').waitFor()
    await page.getByText("The server isn't answering.").waitFor({ state: 'detached' })
    expect(tab.sent()).toBe(1)
  }, 120_000)

  it('without sockets a tab works as before', async () => {
    await context.addInitScript(() => Reflect.deleteProperty(window, 'WebSocket'))
    const tab = tabOf(await context.newPage())
    await tab.page.goto(server.loginLink)
    await tab.page.waitForSelector('#pending')
    // Not counted: the demonstration may still be asking.
    await tab.page.waitForFunction(() => document.title.startsWith('('))
    await ask('over plain HTTP')
    await tab.row('over plain HTTP').waitFor()
  }, 120_000)
})
