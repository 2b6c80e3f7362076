/** The demonstration in a browser: it listens, it can be run again, and afterwards the page says what to do next. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../../src/client/index.ts'
import { until } from '../fixtures/until.ts'
import { launchBrowser, skipBrowser } from './browser.ts'
import { wrongOn } from './inbox/axe.ts'
import { createServerHome, type RunningServer, type ServerHome } from './running-server.ts'

describe.skipIf(skipBrowser)('the demonstration', () => {
  let browser: Browser
  let home: ServerHome
  let server: RunningServer
  let page: Page
  let client: Client
  const faults: string[] = []
  beforeAll(async () => {
    browser = await launchBrowser()
    home = await createServerHome()
    server = await home.start(['--demo'])
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(server.loginLink)
    await page.waitForSelector('#pending')
    const token = await page.evaluate(() => localStorage.getItem('banksman.key'))
    client = createClient({ url: server.url, token: token ?? '' })
  })
  afterAll(async () => {
    await server.stop()
    home.remove()
    await browser.close()
  })

  const pending = async () => (await client.list({ limit: 50 })).items
  /** Everything that is there until nothing comes any more: the three of the run, and that of the coding session. */
  async function rejectAll(count: number): Promise<void> {
    await until(async () => (await pending()).length === count)
    for (const { id, digest } of await pending())
      await client.decide(id, { decision: 'reject', digest, reason: 'not now' })
    await until(async () => (await client.demonstration()).state === 'ready')
  }

  it('says what to do next once nothing is pending, and runs again at the press of a button', async () => {
    await page.getByText('greeting.txt').first().waitFor()
    expect(await page.locator('#next-steps').count()).toBe(0)
    await rejectAll(4)
    await page.getByRole('heading', { name: 'What to do next' }).waitFor()
    for (const title of ['Connect an agent', 'Invite a colleague', 'Write a policy'])
      expect(await page.getByRole('heading', { name: title }).count()).toBe(1)
    expect(await page.locator('.next-steps').innerText()).toContain(`${server.url}/v1/calls`)

    expect(await wrongOn(page)).toEqual([])
    // The request that was opened by itself is still open, and on a phone it has the whole screen.
    await page.evaluate(() => location.assign('#/pending'))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Run it again' }).waitFor()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, 'on a phone').toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.getByRole('button', { name: 'Run it again' }).click()
    await until(async () => (await pending()).length === 4)
    await page.getByText('greeting.txt').first().waitFor()
    const sessions = (await pending())
      .filter(({ tool }) => tool === 'write_file')
      .map(({ session }) => session)
    expect(sessions).toEqual([expect.stringMatching(/^demonstration-/)])
    await rejectAll(4)
    for (const line of ['write_file: rejected', 'get_weather: rejected', 'exec: rejected'])
      expect(server.output().split(line), 'once for each run').toHaveLength(3)
  })

  it('asked for Oslo it says Oslo, in the conversation that the page leads to', async () => {
    await page.getByRole('link', { name: 'Talk to its agent' }).click()
    await page.locator('textarea').first().fill('What is the weather in Oslo?')
    await page.getByRole('button', { name: 'Send' }).click()
    await until(async () => (await pending()).length === 1)
    const [asked] = await pending()
    expect(asked).toMatchObject({ tool: 'get_weather', arguments: { city: 'Oslo' } })
    await client.decide(asked!.id, { decision: 'approve', digest: asked!.digest })
    await page
      .getByText(/Oslo: \d+ °C/)
      .first()
      .waitFor()
    expect(await page.getByText(/Hangzhou: \d+ °C/).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
