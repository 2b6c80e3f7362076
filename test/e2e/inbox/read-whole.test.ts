/** P9: nothing is approved of which a part was never on the screen, and no key decides another request than the one that somebody is at. */
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { PATIENCE, setUpInbox, type Tab } from './set-up.ts'

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 } }
const FIELDS = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field_${at}`, `value ${at}`]))

describe.skipIf(skipBrowser)('what has to be read before it can be approved', () => {
  const inbox = setUpInbox(() => ({
    setup: {
      policy: {
        ask: ['*'],
        rules: [
          { name: 'both', when: { tool: 'release' }, then: 'ask', approvers: ['ana', 'ben'], quorum: 2 },
        ],
      },
    },
  }))

  async function openPage(tab: Tab, id: string): Promise<void> {
    await tab.go(`#/pending/${id}`)
    await tab.armed()
    await tab.settled()
  }
  const readOn = (tab: Tab) => tab.button('Read on ↓').click({ timeout: 2000 })
  const canApprove = async (tab: Tab) => (await tab.button('Approve').count()) === 1
  const action = (tab: Tab) => tab.page.locator('.the-call').innerText()

  it('P9: a nested value that is folded away', async () => {
    const tab = await inbox.logIn(DESKTOP)
    const numbers = Object.fromEntries(Array.from({ length: 18 }, (_, at) => [`k${at}`, at]))
    const last = { a: 'a long text that fills the row', b: 'another one that is long', run: 'the last word' }
    const { id } = await inbox.ask({ plan: { first: numbers, second: numbers, third: last } })
    await openPage(tab, id)
    expect(await action(tab)).not.toContain('the last word')
    await tab.until(
      () => readOn(tab),
      () => canApprove(tab),
    )
    expect(await action(tab)).toContain('the last word')
  })

  it('P9: the middle of a long line in a change', async () => {
    const tab = await inbox.logIn(DESKTOP)
    const line = `${'same '.repeat(1200)}in between ${'same '.repeat(1200)}`
    const { id } = await inbox.ask({ path: 'a.js', old_text: 'x', new_text: line }, { tool: 'edit_file' })
    await openPage(tab, id)
    expect(await action(tab)).not.toContain('in between')
    await tab.until(
      () => readOn(tab),
      () => canApprove(tab),
    )
    expect(await action(tab)).toContain('in between')
  })

  it('P9: what an edit leaves as it is', async () => {
    const tab = await inbox.logIn(PHONE)
    const { id } = await inbox.ask({ about: 'x', text: 'a line\n'.repeat(400) })
    await openPage(tab, id)
    await tab.page.keyboard.press('e')
    await tab.settled()
    expect(await tab.page.locator('form.decide').count()).toBe(0)
    await tab.until(
      () => readOn(tab),
      () => canApprove(tab),
    )
    await tab.until(
      () => tab.page.keyboard.press('e'),
      async () => (await tab.page.locator('form.decide').count()) === 1,
    )
  })

  it('P9: a call that somebody changed while its end was on the screen is read from its beginning', async () => {
    const tab = await inbox.logIn(PHONE)
    const { id, digest } = await inbox.ask({ a: 'as asked', ...FIELDS }, { tool: 'release' })
    await openPage(tab, id)
    await tab.until(
      () => readOn(tab),
      () => canApprove(tab),
    )
    await inbox.as('ana').decide(id, { decision: 'edit', digest, arguments: { a: 'as changed', ...FIELDS } })
    const changed = tab.page.locator('article').getByText('as changed')
    await changed.waitFor()
    await tab.armed()
    expect(await canApprove(tab)).toBe(false)
    await readOn(tab)
    const box = await changed.boundingBox()
    expect(box!.y).toBeGreaterThanOrEqual(0)
    expect(box!.y + box!.height).toBeLessThanOrEqual(844)
    await tab.until(
      () => readOn(tab),
      () => canApprove(tab),
    )
  })

  it('a key at a row of the list leads to that request first, and decides nothing of the one that is open', async () => {
    const first = await inbox.ask({ text: 'opens by itself' })
    await inbox.http.setup.clock.advance(1000)
    const second = await inbox.ask({ text: 'walked to' })
    const tab = await inbox.logIn(DESKTOP)
    await tab.page.waitForSelector('article')
    await tab.armed()
    for (const _ of ['first', 'second']) await tab.page.keyboard.press('j')
    const heard = tab.page.locator('.request-row .row:focus')
    expect(await heard.innerText()).toContain('walked to')
    await tab.page.keyboard.press('a')
    await tab.page.locator('article').getByText('walked to').first().waitFor()
    await tab.armed()
    await tab.until(
      () => tab.page.keyboard.press('a'),
      async () => (await inbox.as('ana').get(second.id)).state === 'approved',
    )
    expect((await inbox.as('ana').get(first.id)).state).toBe('pending')
    await expect.poll(() => tab.sent(), PATIENCE).toBe(1)
  })
})
