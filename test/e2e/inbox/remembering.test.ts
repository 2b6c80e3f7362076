/** Approving, and allowing more than the call that was asked about. */
import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../../src/wire/types/request.ts'
import { skipBrowser } from '../browser.ts'
import { PATIENCE, setUpInbox, type Tab } from './set-up.ts'

describe.skipIf(skipBrowser)('approving and remembering in the inbox', () => {
  const inbox = setUpInbox()
  const now = async ({ id }: WireRequest) => inbox.as('ana').get(id)

  async function opened(
    ask: () => Promise<WireRequest>,
    text: string,
  ): Promise<{ tab: Tab; request: WireRequest }> {
    const tab = await inbox.logIn()
    const request = await ask()
    await tab.open(text)
    return { tab, request }
  }

  /** Opens what an approval may allow beside this call. */
  async function remember(tab: Tab): Promise<void> {
    await tab.until(
      async () => {
        if (!(await tab.button('Approve and remember…').isVisible()))
          await tab.button('More').click({ timeout: 2000 })
        await tab.button('Approve and remember…').click({ timeout: 2000 })
      },
      async () => (await tab.button(/^Approve, and/).count()) === 1,
    )
  }

  async function readToTheEnd(tab: Tab): Promise<void> {
    await tab.until(
      () => tab.button('Read on ↓').click({ timeout: 2000 }),
      async () => (await tab.button('Approve').count()) === 1,
    )
    await tab.armed()
  }

  it('leaves a grant for an hour in this session, and says on the button what it leaves', async () => {
    const { tab, request } = await opened(
      () => inbox.ask({ x: 'again and again' }, { tool: 'visit' }),
      'again',
    )
    await remember(tab)
    await tab.page.getByText('for an hour').first().click()
    const approve = tab.button(/^Approve, and allow/)
    await approve.waitFor()
    expect(await approve.innerText()).toContain('for an hour')
    await tab.page.getByText('visit with any arguments').waitFor()
    await tab.page.getByLabel(/visit with any arguments/).check()
    await tab.armed()
    await tab.until(
      () => approve.click({ timeout: 2000 }),
      async () => (await now(request)).state === 'approved',
    )
    const { items } = await inbox.as('ana').grants()
    expect(items).toMatchObject([{ tool: 'visit', createdBy: 'ben', requestId: request.id }])
    expect(items[0]?.expiresAt).toBeDefined()
    const { verdict } = await inbox
      .as('agent-1')
      .submit({ tool: 'visit', arguments: { x: 'else' }, callId: 'later', session: 's1' })
    expect(verdict.kind).toBe('allow')
  })

  it('keeps the call and the buttons in sight while a grant or a reason is chosen, and shows at the top what came of it', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`argument ${index}`, 'x'.repeat(70)]),
    )
    const tab = await inbox.logIn({ viewport: { width: 390, height: 844 } })
    await inbox.ask({ about: 'look at me', ...long }, { tool: 'visit' })
    await tab.open('look at me')
    const inSight = async (name: string | RegExp) => {
      const box = await tab.button(name).boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 844
    }
    expect(await inSight('Read on ↓')).toBe(true)
    await readToTheEnd(tab)
    expect(await inSight('Approve')).toBe(true)
    await remember(tab)
    await expect.poll(() => inSight(/^Approve, and allow/), PATIENCE).toBe(true)
    expect(await tab.page.locator('.restated').innerText()).toContain('look at me')
    await tab.page.keyboard.press('Escape')
    await tab.armed()
    await tab.until(
      () => tab.page.keyboard.press('r'),
      async () => (await tab.page.getByLabel('Reason', { exact: true }).count()) === 1,
    )
    await tab.page.getByLabel('Reason', { exact: true }).fill('no')
    expect(await inSight('Reject')).toBe(true)
    await tab.armed()
    await tab.button('Reject').click()
    const result = tab.page.getByText('You rejected').first()
    await result.waitFor()
    await expect
      .poll(async () => {
        const box = (await result.boundingBox())!
        return box.y >= 0 && box.y < 844
      }, PATIENCE)
      .toBe(true)
  })

  it('leaves a grant for three more calls, and no more', async () => {
    const { tab, request } = await opened(() => inbox.ask({ x: 'thrice' }, { tool: 'visit' }), 'thrice')
    await remember(tab)
    await tab.page
      .getByText(/more times|a number of times/)
      .first()
      .click()
    await tab.page.getByLabel('How many more times').fill('3')
    await tab.armed()
    await tab.until(
      () => tab.button(/^Approve, and allow/).click({ timeout: 2000 }),
      async () => (await now(request)).state === 'approved',
    )
    const kinds: string[] = []
    for (let count = 0; count < 4; count++) {
      const call = { tool: 'visit', arguments: { x: 'thrice' }, callId: `again-${count}`, session: 's1' }
      kinds.push((await inbox.as('agent-1').submit(call)).verdict.kind)
    }
    expect(kinds).toEqual(['allow', 'allow', 'allow', 'ask'])
  })
})
