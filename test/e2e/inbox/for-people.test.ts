/** The phone, the keyboard alone, Chinese, the dark, less motion, and axe on every page. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { setUpInbox, type Tab } from './set-up.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const
const PLACES = ['pending', 'chat', 'history', 'history?tab=journal', 'grants', 'policy', 'health', 'settings']

describe.skipIf(skipBrowser)('the inbox for people', () => {
  const inbox = setUpInbox()

  async function fill(): Promise<string> {
    const agent = { name: 'coder', parents: ['planner'] }
    const { id } = await inbox.ask(
      { command: 'git push && rm -rf build | sh', token: `ghp_${'a1B2c3'.repeat(6)}` },
      { agent },
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

  /** What is wrong and matters, as `rule: element`. */
  async function wrongOn(page: Page): Promise<string[]> {
    await page.evaluate(axe.source)
    return page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
      interface Violation {
        id: string
        impact: string
        nodes: { html: string }[]
      }
      const { violations } = await axe.run()
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    })
  }

  async function overflow(page: Page): Promise<number> {
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  }

  describe.each([
    ['a desktop in the light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['a phone in the dark', { ...PHONE, colorScheme: 'dark' }],
  ] as const)('on %s', (_, options) => {
    it('axe finds nothing serious on any page, and nothing lies beside the screen', async () => {
      const id = await fill()
      const tab = await inbox.logIn({ as: 'ana', ...options })
      const { page } = tab
      const wrong: Record<string, string[]> = {}
      const look = async (name: string) => {
        await page.waitForTimeout(600)
        const found = await wrongOn(page)
        if (found.length > 0) wrong[name] = found
        if ((await overflow(page)) > 0) wrong[`${name}, width`] = [String(await overflow(page))]
      }
      for (const place of PLACES) {
        await tab.go(`#/${place}`)
        await look(place)
      }
      await tab.go(`#/pending/${id}`)
      await tab.armed()
      await look('a request')
      for (const key of ['e', 'r', 'w', 't', 's']) {
        await page.keyboard.press(key)
        await look(`a request, ${key}`)
        await page.keyboard.press('Escape')
        await page.waitForTimeout(600)
      }
      await tab.go('#/pending')
      await page.keyboard.press('?')
      await look('keys')
      await page.keyboard.press('Escape')
      const { page: door } = await inbox.newTab(options)
      await door.goto(inbox.url)
      await door.waitForSelector('.door')
      const atDoor = await wrongOn(door)
      if (atDoor.length > 0) wrong.door = atDoor
      expect(wrong).toEqual({})
      expect(tab.complaints).toEqual([])
    }, 180_000)
  })

  it('a phone shows the list or what is open, with the buttons in reach of the thumb and the way back by its own button', async () => {
    await fill()
    const tab = await inbox.logIn(PHONE)
    const { page } = tab
    await tab.open('git push')
    expect(await page.locator('.request-row').first().isVisible()).toBe(false)
    for (const name of ['Approve', 'Reject…']) {
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
    const { page, armed } = await inbox.logIn()
    const states = async () => {
      const found = await Promise.all(['rejected', 'approved'].map((state) => countOf(state as 'rejected')))
      return { rejected: found[0], approved: found[1] }
    }
    const openNext = async () => {
      await expect
        .poll(async () => {
          await page.keyboard.press('j')
          await page.keyboard.press('Enter')
          return page.locator('article').count()
        })
        .toBe(1)
      await armed()
    }
    await page.waitForTimeout(600)
    await openNext()
    await page.keyboard.press('r')
    await page.keyboard.type('not like this')
    await page.waitForTimeout(600)
    await page.keyboard.press('Control+Enter')
    if ((await states()).rejected === 0) {
      for (let count = 0; count < 12 && (await states()).rejected === 0; count++) {
        await page.keyboard.press('Tab')
        const name = await page.evaluate(() => document.activeElement?.textContent)
        if (name === 'Reject') await page.keyboard.press('Enter')
        await page.waitForTimeout(100)
      }
    }
    await expect.poll(states).toEqual({ rejected: 1, approved: 0 })
    await page.keyboard.press('Escape')
    await openNext()
    await page.keyboard.press('a')
    await expect.poll(states).toEqual({ rejected: 1, approved: 1 })
    await page.keyboard.press('Escape')
    for (let count = 0; count < 2; count++) {
      await page.keyboard.press('j')
      await page.keyboard.press('x')
    }
    await page.keyboard.press('A')
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(1200)
    for (let count = 0; count < 20; count++) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => document.activeElement?.textContent)
      if (name?.startsWith('Approve these')) break
    }
    await page.keyboard.press('Enter')
    await expect.poll(states).toEqual({ rejected: 1, approved: 3 })
  }, 60_000)

  it('speaks Chinese where the browser does, on every page, and English on request', async () => {
    await fill()
    const tab = await inbox.logIn({ locale: 'zh-CN', as: 'ana' })
    const { page } = tab
    expect(await page.locator('html').getAttribute('lang')).toBe('zh')
    for (const place of PLACES) {
      await tab.go(`#/${place}`)
      await page.waitForTimeout(400)
      const headings = await page.locator('main h2').allInnerTexts()
      for (const heading of headings) expect(heading).toMatch(/\p{Script=Han}/u)
    }
    await tab.go('#/pending')
    await tab.open('git push')
    await tab.button('批准').waitFor()
    await tab.button('English').click()
    await tab.button('Approve').waitFor()
  }, 60_000)

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

  it('says that something waits while nobody looks: in the title, as a notification, once for a burst', async () => {
    const tab: Tab = await inbox.logIn({ permissions: ['notifications'] })
    await inbox.ask({ command: 'one' })
    await expect.poll(() => tab.page.title()).toBe('(1) Banksman')
  })

  async function countOf(state: 'rejected' | 'approved'): Promise<number> {
    return (await inbox.as('ana').list({ state })).items.length
  }
})
