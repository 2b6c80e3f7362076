/** Getting in, and the list of what waits. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { setUpInbox } from './set-up.ts'

/** For the first page: script and style, compressed. */
const MOST_BYTES = 60_000

describe.skipIf(skipBrowser)('the first page of the inbox', () => {
  const inbox = setUpInbox()

  it('P11: takes the login code out of the address, lets it be used once, and logging out revokes the key', async () => {
    const { page, button } = await inbox.newTab()
    const { code } = await inbox.as('ana').tokens.createLogin({ role: 'approver', subject: 'ben' })
    await page.goto(`${inbox.url}/#login=${code}`)
    await page.waitForSelector('#pending')
    expect(page.url()).toBe(`${inbox.url}/`)
    await page.reload()
    await page.waitForSelector('#pending')
    const key = await page.evaluate(() => localStorage.getItem('banksman.key'))
    await page.evaluate(() => location.assign('#/settings'))
    await button('Log out').click()
    await page.getByLabel('Login link or code').fill(`${inbox.url}/#login=${code}`)
    await button('Log in').click()
    await page.getByText('this login link was used').waitFor()
    const answer = await fetch(`${inbox.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(401)
  })

  it('P11: tells a colleague who has no link whom to ask, and for what, and nothing of who is here', async () => {
    const { page } = await inbox.newTab()
    await page.goto(`${inbox.url}/`)
    await page.getByText('Ask the person who gave you this address').waitFor()
    const request = await page.locator('.door .quote').innerText()
    expect(request).toContain(`${inbox.url}/`)
    expect(request).toContain('banksman login --subject my-name --new')
    expect(await page.locator('body').innerText()).not.toMatch(/\b(?:ana|ben|eve)\b/)
  })

  it('P11: keeps its key in the storage of its origin, and no cookie', async () => {
    const { page } = await inbox.logIn()
    expect(await page.context().cookies()).toEqual([])
    expect(await page.evaluate(() => localStorage.getItem('banksman.key'))).toMatch(/^bm/)
  })

  it('lists by deadline, together what one agent asks in one session, with who asks and how long is left', async () => {
    const { page } = await inbox.logIn()
    const agent = { name: 'coder', parents: ['planner'] }
    await inbox.ask({ command: 'one' }, { session: 'a', agent })
    await inbox.ask({ command: 'two' }, { session: 'b' })
    await inbox.ask({ command: 'three' }, { session: 'a', agent })
    await expect.poll(() => page.locator('.request-row').count()).toBe(3)
    expect(await page.locator('.group h3').allInnerTexts()).toEqual(['planner › coder · a'])
    const titles = await page.locator('.request-row .row-title').allInnerTexts()
    expect(titles).toEqual(['note: one', 'note: three', 'note: two'])
    expect(await page.locator('.request-row .time-left').first().innerText()).toMatch(/left|up/)
    expect(await page.title()).toBe('(3) Banksman')
  })

  it('a request that appears takes neither the focus nor a click that was meant for something else', async () => {
    const tab = await inbox.logIn()
    const { page } = tab
    await inbox.ask({ command: 'first' })
    await tab.open('first')
    await tab.button('Reject…').focus()
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const rows = [...document.querySelectorAll<HTMLElement>('button.row')]
        const second = rows.find((each) => each.textContent?.includes('second'))
        if (second === undefined) return
        observer.disconnect()
        second.click()
        document.body.dataset.clicked = 'yes'
      }).observe(document.body, { childList: true, subtree: true })
    })
    await inbox.ask({ command: 'second' })
    await page.waitForSelector('body[data-clicked]')
    expect(await page.locator('article').innerText()).toContain('first')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Reject…')
    await page.getByText('New request: note: second').waitFor({ state: 'attached' })
    expect(tab.sent()).toBe(0)
  })

  it('ignores keys and clicks in the first half second of a request, and takes them after it', async () => {
    const tab = await inbox.logIn()
    const { page } = tab
    const { id } = await inbox.ask({ command: 'hasty' })
    await page.evaluate((open) => location.assign(`#/pending/${open}`), id)
    // The moment that its buttons are there, pressed by key and by click.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const press = () => {
            const button = document.querySelector<HTMLElement>('article .approve')
            if (button === null) return void requestAnimationFrame(press)
            document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
            button.click()
            resolve()
          }
          press()
        }),
    )
    expect(tab.sent()).toBe(0)
    await tab.armed()
    await page.keyboard.press('a')
    await page.getByText('You approved').waitFor()
    expect(tab.sent()).toBe(1)
  })

  it('filters what waits, and puts off what can wait', async () => {
    const tab = await inbox.logIn()
    const { page } = tab
    for (let count = 0; count < 7; count++)
      await inbox.ask({ command: `number ${count}` }, { session: `s${count}` })
    await expect.poll(() => page.locator('.request-row').count()).toBe(7)
    await page.keyboard.press('/')
    await page.keyboard.type('NUMBER 3')
    await expect.poll(() => page.locator('.request-row').count()).toBe(1)
    await page.getByLabel('Filter').fill('')
    await tab.open('number 3')
    await page.keyboard.press('s')
    await tab.until(
      () => page.getByRole('button', { name: '10 minutes' }).click({ timeout: 2000 }),
      async () => (await page.getByText('1 snoozed').count()) === 1,
    )
    await page.getByText('1 snoozed').click()
    expect(await page.locator('.request-row').count()).toBe(6)
    await tab.button('Bring back').click()
    await expect.poll(() => page.locator('.request-row').count()).toBe(7)
  })

  it('draws a small part of a long list, and walks through all of it by key', async () => {
    for (let count = 0; count < 300; count++) {
      const number = String(count).padStart(3, '0')
      await inbox.ask(
        { command: `number ${number}` },
        { session: `s${count % 4}-${Math.floor(count / 100)}` },
      )
    }
    const { page } = await inbox.logIn()
    await expect.poll(() => page.title()).toBe('(300) Banksman')
    expect(await page.locator('.request-row').count()).toBeLessThan(60)
    for (let count = 0; count < 120; count++) await page.keyboard.press('j')
    const seen = await page.evaluate(() => document.activeElement?.querySelector('.row-title')?.textContent)
    expect(seen).toMatch(/^note: number \d+$/)
    expect(
      await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? -1),
    ).toBeGreaterThan(0)
  }, 120_000)

  it(`is small: at most ${MOST_BYTES / 1000} kB of script and style, compressed, until the list is there`, async () => {
    const { page } = await inbox.newTab()
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      if (/\.(?:js|css)$/.test(new URL(response.url()).pathname))
        sizes.push(response.body().then((body) => gzipSync(body).length))
    })
    const { code } = await inbox.as('ana').tokens.createLogin({ role: 'approver', subject: 'ben' })
    await page.goto(`${inbox.url}/#login=${code}`)
    await page.waitForSelector('#pending')
    // What it loads behind the list, without being asked to, counts too.
    await page.waitForTimeout(2000)
    const all = await Promise.all(sizes)
    expect(all.length).toBeGreaterThan(1)
    expect(all.reduce((sum, each) => sum + each, 0)).toBeLessThan(MOST_BYTES)
  })
})
