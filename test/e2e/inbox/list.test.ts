/** The list of requests: how much of it is in view, what its rows say, and what opens by itself. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from '../../fixtures/until.ts'
import { skipBrowser } from '../browser.ts'
import { setUpInbox } from './set-up.ts'

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.skipIf(skipBrowser)('the list of requests', () => {
  const inbox = setUpInbox()

  /** Three of each agent, as on a working day. */
  async function askMany(count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      const agent = { name: `agent-${Math.floor(at / 3)}`, parents: ['planner'] }
      await inbox.ask({ text: `note ${at}` }, { session: `s${Math.floor(at / 3)}`, agent })
    }
  }
  const rowsInView = (page: Page) =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('.request-row')].filter((row) => {
          const { top, bottom } = row.getBoundingClientRect()
          const at = document.elementFromPoint(row.getBoundingClientRect().left + 100, bottom - 2)
          return top >= 0 && bottom <= innerHeight && row.contains(at)
        }).length,
    )

  it('shows at least twelve requests on 1280 × 800, and says what each would do', async () => {
    await askMany(20)
    await inbox.ask({ command: 'git push origin main' }, { tool: 'Bash', session: 'release' })
    await inbox.ask({ path: 'src/app.ts', content: 'a\nb\n' }, { tool: 'write_file', session: 'release' })
    const { page } = await inbox.logIn(DESKTOP)
    await expect.poll(() => page.locator('.request-row').count()).toBe(22)
    expect(await rowsInView(page)).toBeGreaterThanOrEqual(12)
    const titles = await page.locator('.request-row .row-title').allInnerTexts()
    expect(titles).toContain('Run git push origin main')
    expect(titles).toContain('Write src/app.ts (2 lines)')
    expect(titles).toContain('note: text=note 0')
    // A finger needs the same room as ever.
    const heights = await page
      .locator('.request-row .row')
      .evaluateAll((rows) => rows.map((row) => row.clientHeight))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  })

  it('opens the first request by itself on a desktop: without focus, mark, movement or a step to go back to', async () => {
    await askMany(4)
    const tab = await inbox.logIn(DESKTOP)
    const { page } = tab
    await page.waitForSelector('.request-row')
    const steps = await page.evaluate(() => history.length)
    const before = await page
      .locator('.request-row')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
    await page.waitForSelector('article')
    expect(await page.locator('article').innerText()).toContain('note 0')
    await tab.settled()
    const after = await page
      .locator('.request-row')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
    expect(after).toEqual(before)
    expect(await page.evaluate(() => [document.activeElement === document.body, history.length])).toEqual([
      true,
      steps,
    ])
    expect(await page.locator('.mark input:checked').count()).toBe(0)
    // Who closes it is left alone.
    await page.keyboard.press('Escape')
    await page.waitForSelector('article', { state: 'detached' })
    await inbox.ask({ text: 'another' })
    await tab.row('another').waitFor()
    expect(await page.locator('article').count()).toBe(0)
    expect(tab.sent()).toBe(0)
  })

  it('what opens by itself takes no click in its first moments', async () => {
    const tab = await inbox.logIn(DESKTOP)
    await tab.page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const approve = document.querySelector<HTMLElement>('article .approve')
        if (approve === null) return
        observer.disconnect()
        approve.click()
        document.body.dataset.clicked = 'yes'
      }).observe(document.body, { childList: true, subtree: true })
    })
    await inbox.ask({ text: 'comes while somebody clicks' })
    await tab.page.waitForSelector('body[data-clicked]')
    await tab.armed()
    expect(tab.sent()).toBe(0)
  })

  it('on a phone the list stays', async () => {
    await askMany(2)
    const tab = await inbox.logIn(PHONE)
    await tab.row('note 1').waitFor()
    await tab.settled()
    expect(await tab.page.locator('article').count()).toBe(0)
    expect(new URL(tab.page.url()).hash).toBe('')
  })

  it('P5: counts a call that was lost while it ran among what needs a person, until somebody says what became of it', async () => {
    const { id, digest } = await inbox.ask({ text: 'lost on the way' })
    const other = await inbox.ask({ text: 'never begun' })
    for (const each of [{ id, digest }, other])
      await inbox.as('ben').decide(each.id, { decision: 'approve', digest: each.digest })
    const { leaseMs } = await inbox.as('agent-1').claim(id, { digest, key: 'k' })
    await inbox.http.setup.clock.advance(Math.max(leaseMs, 10 * 60_000) + 1000)
    await until(async () => {
      await inbox.http.setup.gateway.expire()
      return (await inbox.as('ben').get(id)).state === 'unknown'
    })
    expect((await inbox.as('ben').get(other.id)).state).toBe('lapsed')
    const tab = await inbox.logIn(DESKTOP)
    await expect.poll(() => tab.page.title()).toBe('(1) Banksman')
    await tab.button('1 with unknown outcome').click()
    await tab.page.locator('#unsettled').waitFor()
    await tab.until(
      () => tab.row('lost on the way').click({ timeout: 2000 }),
      async () => (await tab.page.locator('form.settle').count()) === 1,
    )
    await inbox.as('ana').settle(id, { outcome: 'ok' })
    await expect.poll(() => tab.page.title()).toBe('Banksman')
    await tab.page.locator('#unsettled').waitFor({ state: 'detached' })
  })
})
