/** Keys and reading at the requests of a conversation. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../fixtures/until.ts'
import { launchBrowser, skipBrowser } from '../browser.ts'
import { PEOPLE } from './coding-server.ts'
import { SECRETARY, writeCoder } from './coding-sessions.ts'
import { openFullServer } from './full-server.ts'
import { tabOf } from './set-up.ts'

const SCRIPT = `name: coder
scenes:
  - steps:
      - say: "I write two files."
        calls:
          - { tool: write_file, arguments: { path: package.json, content: "{}" } }
      - say: "Done: {message}"
`

describe.skipIf(skipBrowser)('a request in a conversation', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('a reason that is typed after the key that only led to it decides nothing', async () => {
    const setup = await openFullServer({
      configuration: PEOPLE + SECRETARY,
      before: async (_, shop) => {
        writeCoder(shop)
        writeFileSync(join(shop, 'coder.yaml'), SCRIPT)
      },
    })
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    try {
      const ana = await setup.client('admin', 'ana')
      const { session } = await ana.startSession({ folder: 'web', text: 'go' })
      await until(async () => (await ana.list({ state: 'pending' })).items.length === 1)
      const tab = tabOf(page)
      await page.goto(await setup.link('ana', 'admin'))
      await page.waitForSelector('#pending')
      await tab.go(`#/sessions/${session.id}`)
      await page.locator('.ask .approve').waitFor()
      await tab.armed()
      await tab.settled()
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      await page.waitForTimeout(800)
      for (const key of 'ra big no') {
        await page.keyboard.press(key === ' ' ? 'Space' : key)
        await page.waitForTimeout(120)
      }
      expect(tab.sent()).toBe(0)
      await page.getByText('This only just appeared. Try again.').waitFor()
      await page.waitForTimeout(1000)
      await page.keyboard.press('r')
      await page.getByRole('textbox').last().fill('not now')
      expect((await ana.list({ state: 'pending' })).items.length).toBe(1)
    } finally {
      await page.context().close()
      await setup.close()
    }
  })
})
