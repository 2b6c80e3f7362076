/** P9: whatever an agent writes stays text that can be read, and reaches nobody outside. */
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { setUpInbox } from './set-up.ts'

const MARKUP =
  '<img src=https://example.org/x onerror=alert(1)><script>alert(2)</script><style>*{display:none}</style>'
const HIDDEN = 'echo \u202etxt.exe\u2066 \u200bzero \u001b[2J\u001b[31mred\u0007 pаypal.com \u00ad\ufeff'

describe.skipIf(skipBrowser)('the inbox and hostile text', () => {
  const inbox = setUpInbox()

  it('P9: markup in every place that an agent can write is shown as text, and nothing of it is loaded', async () => {
    const tab = await inbox.logIn()
    const { page } = tab
    await inbox.ask(
      { command: MARKUP, [MARKUP]: { nested: [MARKUP] }, url: 'https://example.org/" onclick="alert(3)' },
      {
        tool: '<b onmouseover=alert(4)>tool</b>',
        context: MARKUP,
        preview: MARKUP,
        agent: { name: MARKUP, parents: ['<i>parent</i>'] },
        session: '<svg/onload=alert(5)>',
      },
    )
    await tab.open('<b onmouseover')
    const text = await page.locator('article').innerText()
    expect(text).toContain(MARKUP)
    expect(text).toContain('<b onmouseover=alert(4)>tool</b>')
    const foreign =
      '#app img[src], #app style, #app script, #app b, #app i, #app [onclick], #app [onerror], #app a[href]'
    expect(await page.locator(foreign).count()).toBe(0)
    for (const hash of ['#/history', '#/history?tab=journal', '#/grants', '#/health']) {
      await tab.go(hash)
      await tab.settled()
      expect(await page.locator(foreign).count()).toBe(0)
    }
    expect([...tab.origins]).toEqual([inbox.url])
    expect(tab.complaints).toEqual([])
  })

  it('P9: what can not be seen is written out, in the list, in the call and in the edit', async () => {
    const tab = await inbox.logIn()
    const { page } = tab
    const { id } = await inbox.ask({ command: HIDDEN })
    await tab.open('echo')
    const isClean = async (selector: string) => {
      const text = (await page.locator(selector).allInnerTexts()).join('\n')
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u001b\u0007\u00ad\ufeff]/)
      return text
    }
    await isClean('.request-row')
    const shown = await isClean('article')
    for (const mark of ['U+202E', 'U+2066', 'U+200B', 'ESC', 'Cyrillic']) expect(shown).toContain(mark)
    expect(await page.title()).toBe('(1) Banksman')
    await page.keyboard.press('e')
    await page.getByRole('textbox').first().waitFor()
    const fields = await page.getByRole('textbox').all()
    for (const field of fields) {
      expect(await field.inputValue()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u001b\u0007]/)
    }
    expect((await inbox.as('ana').get(id)).state).toBe('pending')
  })

  it('P9: a megabyte in an argument is folded with a mark, can be seen whole, and the buttons stay in reach', async () => {
    const tab = await inbox.logIn({ viewport: { width: 390, height: 844 } })
    const { page } = tab
    const long = `${'x'.repeat(999_990)}; the end`
    await inbox.ask({ command: 'big', text: long })
    await tab.open('big')
    expect(await page.locator('article').innerText()).toMatch(/[\d,]{6,} characters/)
    const readOn = tab.button('Read on ↓')
    const box = await readOn.boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(844)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    // What is folded has to be opened, and the end to be on the screen: before that nothing can be approved.
    await tab.until(
      async () => {
        await readOn.click({ timeout: 2000 })
        await page.evaluate(() => document.querySelector('.action-end')?.scrollIntoView({ block: 'center' }))
      },
      async () => (await tab.button('Approve').count()) === 1,
    )
    expect(await page.locator('article').innerText()).toContain('; the end')
    await tab.armed()
    await tab.button('Approve').click()
    await page.getByText('You approved').waitFor()
  })

  it('P9: masks a secret, shows it only when asked, and that is on the record', async () => {
    const tab = await inbox.logIn()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}Zz9Yx8`
    const { id } = await inbox.ask({ command: 'push', token: secret })
    await tab.open('push')
    expect(await tab.page.locator('article').innerText()).toContain('masked: GitHub token')
    expect(await tab.page.content()).not.toContain(secret)
    const look = tab.page.getByRole('button', { name: /Show masked values/ })
    await tab.page.getByText('Details', { exact: true }).click()
    await tab.page
      .getByText(/All arguments/)
      .first()
      .click()
    await look.click()
    await tab.page.getByText(secret).first().waitFor()
    const { items } = await inbox.as('ana').chains()
    const entries = await Promise.all(
      items.map(({ chain }) => inbox.as('ana').journal({ chain, limit: 1000 })),
    )
    const lifted = entries.flatMap((each) => each.items).filter(({ type }) => type === 'mask.lifted')
    expect(lifted.map(({ body }) => JSON.parse(body))).toMatchObject([{ on: id, by: 'ben' }])
  })

  it('refuses to be framed, runs nothing inline, and calls nobody else', async () => {
    const { headers } = await fetch(inbox.url)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toMatch(/https?:/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    const { page } = await inbox.newTab()
    await page.goto(inbox.url)
    const refused = page.waitForEvent('console', (message) => /violates/.test(message.text()))
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "owned"'
      document.head.append(script)
    })
    await refused
    expect(await page.title()).not.toBe('owned')
  })
})
