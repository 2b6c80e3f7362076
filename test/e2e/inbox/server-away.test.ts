/** What somebody opens while the server is away says so, and is there without another click once the server is back. */
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest'
import { launchBrowser, skipBrowser } from '../browser.ts'
import { createServerHome, type RunningServer, type ServerHome } from '../running-server.ts'
import { PATIENCE, type Tab, tabOf } from './set-up.ts'

describe.skipIf(skipBrowser)('while the server is away', () => {
  let browser: Browser
  let home: ServerHome
  let server: RunningServer
  let context: BrowserContext
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    home = await createServerHome()
    server = await home.start(['--demo'])
    // On a phone nothing is opened by itself.
    context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
    context.setDefaultTimeout(PATIENCE.timeout)
  })
  afterEach(async () => {
    await context.close()
    await server.stop()
    home.remove()
  })

  async function loggedIn(): Promise<Tab> {
    const tab = tabOf(await context.newPage())
    await tab.page.goto(server.loginLink)
    await tab.row('greeting.txt').first().waitFor()
    return tab
  }

  it('P7: a page that could not be loaded, and what it shows', async () => {
    const { page } = await loggedIn()
    await server.stop('SIGKILL')
    await page.evaluate(() => {
      location.hash = '#/history'
    })
    await page.getByText("Couldn't load this page.").waitFor()
    server = await home.start(['--demo'])
    await page.getByRole('heading', { name: 'History' }).waitFor()
  })

  it('P7: a request', async () => {
    const { page, row, until } = await loggedIn()
    await server.stop('SIGKILL')
    const failed = page.getByRole('button', { name: 'Try again' }).first()
    await until(
      () => row('greeting.txt').first().click({ timeout: 2000 }),
      () => failed.isVisible(),
    )
    server = await home.start(['--demo'])
    await page.locator('article', { hasText: 'A person approved this very text.' }).waitFor()
  })
})
