/** What a stranger does first: start, log in, see the request, restart, approve, see the result. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PROGRAM_WORDS } from '../../src/cli/fixtures/program.ts'
import { launchBrowser, skipBrowser } from './browser.ts'
import { pressUntil } from './press-until.ts'
import { createServerHome, type RunningServer, type ServerHome } from './running-server.ts'

/** Input in the first half second of a request is ignored, on purpose; a person is slower than that. */

describe.skipIf(skipBrowser)('the first run, in a browser', () => {
  let browser: Browser
  let home: ServerHome
  let server: RunningServer
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    home = await createServerHome()
    server = await home.start(['--demo'])
  })
  afterEach(async () => {
    await server.stop()
    home.remove()
  })

  async function open(link: string, options = {}): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(link)
    return { page, faults }
  }

  it('P7: shows the pending request live, keeps it over kill -9, runs the tool once it is approved', async () => {
    const { page, faults } = await open(server.loginLink)
    await page
      .getByRole('button', { name: /greeting\.txt/ })
      .first()
      .waitFor()
    expect(page.url()).not.toContain('login=')

    await server.stop('SIGKILL')
    server = await home.start(['--demo'])
    // The same page, the same key: it reconnects by itself, and the request is still there.
    await openRequest(page)
    await page.getByText('A person approved this very text.').first().waitFor()
    await approve(page)
    await page
      .getByText(/(?:made|wrote|replaced) greeting\.txt/)
      .first()
      .waitFor()
    // What the browser says of a server that was killed, also while it fetched the service worker.
    const broken = faults.filter(
      (fault) => !/Failed to fetch|ERR_CONNECTION|net::|fetching the script/.test(fault),
    )
    expect(broken).toEqual([])
  })

  it('P2: two browsers race for one request, and the slower one is shown who answered', async () => {
    const one = await open(server.loginLink)
    const two = await open(await anotherLink())
    for (const { page } of [one, two]) {
      await openRequest(page)
      await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    }
    await approve(one.page)
    await two.page
      .getByText(/approved/i)
      .first()
      .waitFor()
  })

  it('P7: a login link works once', async () => {
    const first = await open(server.loginLink)
    await first.page
      .getByRole('button', { name: /greeting\.txt/ })
      .first()
      .waitFor()
    const second = await open(server.loginLink)
    await second.page
      .getByText(/was used|expired/i)
      .first()
      .waitFor()
  })

  it('P9: on a phone, in the dark and in Chinese it holds together', async () => {
    const { page, faults } = await open(server.loginLink, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'zh-CN',
    })
    await openRequest(page)
    await page.getByRole('button', { name: '批准' }).first().waitFor()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
  })

  async function openRequest(page: Page): Promise<void> {
    // The file, and not the command that would remove it: both come at once, in either order.
    const hasNotText = 'rm -f'
    const row = page
      .getByRole('button', { name: /greeting\.txt/ })
      .filter({ hasNotText })
      .first()
    await row.waitFor()
    await pressUntil(
      () => row.click({ timeout: 2000 }),
      // Another one may be open already; and on a phone the list is out of sight.
      async () => (await page.locator('article', { hasText: 'greeting.txt', hasNotText }).count()) === 1,
    )
  }

  async function approve(page: Page): Promise<void> {
    await page.waitForSelector('.buttons:not(.is-unarmed)')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
  }

  async function anotherLink(): Promise<string> {
    const { execFileSync } = await import('node:child_process')
    const { join } = await import('node:path')
    const output = execFileSync(process.execPath, [...PROGRAM_WORDS, 'login'], {
      cwd: home.folder,
      env: {
        ...process.env,
        BANKSMAN_DATA: join(home.folder, 'data'),
        BANKSMAN_HOME: join(home.folder, 'home'),
        USER: 'owner',
      },
      encoding: 'utf8',
    })
    return /https?:\/\/\S+#login=\S+/.exec(output)![0]
  }
})
