/** The phone, the keyboard alone, Chinese, the dark, less motion, notices. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { PATIENCE, setUpInbox } from './set-up.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const
const PLACES = ['pending', 'chat', 'history', 'history?tab=journal', 'grants', 'policy', 'health', 'settings']

describe.skipIf(skipBrowser)('the inbox for people', () => {
  const inbox = setUpInbox()

  async function fill(): Promise<string> {
    const agent = { name: 'coder', parents: ['planner'] }
    const { id } = await inbox.ask(
      { command: 'git push && rm -rf build | sh', token: `ghp_${'a1B2c3'.repeat(6)}` },
      { tool: 'Bash', agent },
    )
    await inbox.ask(
      { file_path: '/srv/a.ts', old_string: 'one\ntwo\n', new_string: 'one\nthree\n' },
      { tool: 'Edit', agent },
    )
    await inbox.ask(
      { questions: [{ id: 'q', question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }] },
      { tool: 'ask_user_question' },
    )
    const done = await inbox.ask({ to: 'staging', list: [1, { two: null }] }, { tool: 'deploy' })
    await inbox.as('ana').decide(done.id, { decision: 'approve', digest: done.digest, scope: 'session' })
    const no = await inbox.ask({ command: 'no' })
    await inbox.as('ben').decide(no.id, { decision: 'reject', digest: no.digest, reason: 'no' })
    return id
  }

  async function overflow(page: Page): Promise<number> {
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  }

  it('a phone shows the list or what is open, with the buttons in reach of the thumb and the way back by its own button', async () => {
    await fill()
    const tab = await inbox.logIn(PHONE)
    const { page } = tab
    await tab.open('git push')
    expect(await page.locator('.request-row').first().isVisible()).toBe(false)
    for (const name of ['Approve…', 'Reject…']) {
      const box = (await tab.button(name).boundingBox())!
      expect(box.height).toBeGreaterThanOrEqual(44)
      expect(box.y + box.height).toBeLessThanOrEqual(740)
    }
    await page.goBack()
    await page.locator('.request-row').first().waitFor()
    expect(await overflow(page)).toBe(0)
  })

  it('the keyboard alone: walk, open, reject with a reason, edit, approve, mark two and decide them together', async () => {
    for (const word of ['one', 'two', 'three', 'four', 'five']) await inbox.ask({ command: word })
    const { page, armed, until } = await inbox.logIn()
    const states = async () => {
      const found = await Promise.all(['rejected', 'approved'].map((state) => countOf(state as 'rejected')))
      return { rejected: found[0], approved: found[1] }
    }
    const openNext = async () => {
      await expect
        .poll(async () => {
          await page.keyboard.press('j')
          await page.keyboard.press('Enter')
          // A key decides where somebody is: at the row of what is open, or at the request itself.
          return page.locator('.row[aria-current="true"]:focus, article h2:focus').count()
        })
        .toBe(1)
      await page.waitForSelector('article')
      await armed()
    }
    /** Once the page shows what was decided, too. */
    const leave = async (text: string) => {
      await page.locator('article').getByText(text).first().waitFor()
      await until(
        () => page.keyboard.press('Escape'),
        async () => (await page.locator('article').count()) === 0,
      )
    }
    await openNext()
    await page.keyboard.press('r')
    await page.keyboard.type('not like this')
    await until(
      () => page.keyboard.press('Control+Enter'),
      async () => (await states()).rejected === 1,
    )
    await leave('You rejected')
    await openNext()
    await until(
      () => page.keyboard.press('a'),
      async () => (await states()).approved === 1,
    )
    await leave('You approved')
    for (let count = 0; count < 2; count++) {
      await page.keyboard.press('j')
      await page.keyboard.press('x')
    }
    await page.keyboard.press('A')
    await page.getByRole('dialog').waitFor()
    // Whatever is focused meanwhile, only this button is pressed.
    await until(
      async () => {
        const name = await page.evaluate(() => document.activeElement?.textContent)
        await page.keyboard.press(name?.startsWith('Approve these') === true ? 'Enter' : 'Tab')
      },
      async () => (await states()).approved === 3,
    )
    expect(await states()).toEqual({ rejected: 1, approved: 3 })
  })

  it('speaks Chinese where the browser does, on every page, and English on request', async () => {
    await fill()
    const tab = await inbox.logIn({ locale: 'zh-CN', as: 'ana' })
    const { page } = tab
    expect(await page.locator('html').getAttribute('lang')).toBe('zh')
    for (const place of PLACES) {
      await tab.go(`#/${place}`)
      await tab.settled()
      const headings = await page.locator('main h2').allInnerTexts()
      for (const heading of headings) expect(heading).toMatch(/\p{Script=Han}/u)
    }
    await tab.go('#/pending')
    await tab.open('git push')
    await tab.button('批准…').waitFor()
    await tab.button('English').click()
    await tab.button('Approve…').waitFor()
  })

  it('is dark where the system is, or where somebody chose it, and remembers that', async () => {
    const groundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const tab = await inbox.logIn({ colorScheme: 'light' })
    const light = await groundOf(tab.page)
    await tab.page.emulateMedia({ colorScheme: 'dark' })
    const dark = await groundOf(tab.page)
    expect(dark).not.toBe(light)
    await tab.page.emulateMedia({ colorScheme: 'light' })
    await tab.go('#/settings')
    await tab.page.getByRole('radio', { name: 'Dark' }).check()
    expect(await groundOf(tab.page)).toBe(dark)
    await tab.page.reload()
    await tab.page.waitForSelector('main')
    expect(await groundOf(tab.page)).toBe(dark)
  })

  it('moves nothing for those who want less motion', async () => {
    await fill()
    const { page } = await inbox.logIn({ reducedMotion: 'reduce' })
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((each) => {
          const { animationName, transitionDuration } = getComputedStyle(each)
          return (
            animationName !== 'none' ||
            transitionDuration.split(', ').some((one) => Number.parseFloat(one) > 0)
          )
        }).length,
    )
    expect(moving).toBe(0)
  })

  it('tells of what waits while nobody looks: once for a burst, without its arguments, and only where that was switched on', async () => {
    const tab = await inbox.newTab({ serviceWorkers: 'allow' })
    const { page } = tab
    // A page that is in the background, and a list of what it would show. A browser without windows lets no page show anything.
    await page.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      Notification.requestPermission = async () => 'granted'
      Object.defineProperty(document, 'hidden', { get: () => sessionStorage.getItem('away') === 'yes' })
      Object.defineProperty(document, 'visibilityState', {
        get: () => (sessionStorage.getItem('away') === 'yes' ? 'hidden' : 'visible'),
      })
      ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
        const shown = JSON.parse(sessionStorage.getItem('shown') ?? '[]')
        sessionStorage.setItem('shown', JSON.stringify([...shown, `${title}: ${options?.body}`]))
      }
    })
    const shown = async (): Promise<string[]> =>
      JSON.parse(await page.evaluate(() => sessionStorage.getItem('shown') ?? '[]'))
    const { code } = await inbox.as('ana').tokens.createLogin({ role: 'approver', subject: 'ben' })
    await page.goto(`${inbox.url}/#login=${code}`)
    await page.waitForSelector('#pending')
    await page.evaluate(() => sessionStorage.setItem('away', 'yes'))
    await inbox.ask({ command: 'nobody is told of this' })
    await expect.poll(() => page.title()).toBe('(1) Banksman')
    await page.evaluate(() => sessionStorage.setItem('away', 'no'))
    await tab.go('#/settings')
    await tab.button('Turn on').first().click()
    await page.evaluate(() => {
      sessionStorage.setItem('away', 'yes')
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await shown()).toEqual([])
    for (const word of ['one', 'two', 'three']) await inbox.ask({ command: `secret ${word}` })
    await expect.poll(() => page.title()).toBe('(4) Banksman')
    await expect.poll(async () => (await shown()).length, PATIENCE).toBeGreaterThan(0)
    await page.waitForTimeout(1500)
    const told = await shown()
    expect(told.length).toBeLessThan(3)
    expect(told.join()).not.toContain('secret')
  })

  async function countOf(state: 'rejected' | 'approved'): Promise<number> {
    return (await inbox.as('ana').list({ state })).items.length
  }
})
