/** Several requests at once. */
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { PATIENCE, setUpInbox } from './set-up.ts'

/** All of it on the screen at once. */
const TALL = { viewport: { width: 1280, height: 2000 } }

describe.skipIf(skipBrowser)('deciding several in the inbox', () => {
  const inbox = setUpInbox(() => ({
    setup: {
      policy: { rules: [{ name: 'risky', when: { tool: 'risky' }, then: 'ask', severity: 'high' }] },
    },
  }))

  it('P2: shows each whole, approves those that it may, and says of each what came of it', async () => {
    const tab = await inbox.logIn(TALL)
    const { page } = tab
    const one = await inbox.ask({ command: 'echo one \u202ehidden' })
    const two = await inbox.ask({ command: 'echo two' })
    const risky = await inbox.ask({ what: 'everything' }, { tool: 'risky' })
    const other = await inbox.ask({ command: 'not this' }, { session: 's2' })
    await page.locator('.group .mark input').first().check()
    await page.getByText('3 selected').waitFor()
    await tab.button('Review…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('echo one ⟨U+202E RLO⟩hidden', { exact: true }).waitFor()
    await dialog.getByText('open it on its own to approve').waitFor()
    // Answered elsewhere while the sheet is open: that one fails, the others do not.
    await inbox.as('ana').decide(two.id, { decision: 'reject', digest: two.digest })
    await tab.until(
      () => dialog.getByRole('button', { name: 'Approve these 2' }).click({ timeout: 2000 }),
      async () => (await stateOf(one.id)) === 'approved',
    )
    await dialog.getByText('1 recorded, 1 failed: see each one.').waitFor()
    await dialog.getByText('Someone else answered first.').waitFor()
    expect([await stateOf(risky.id), await stateOf(other.id)]).toEqual(['pending', 'pending'])
    await dialog.getByLabel(/Reason/).fill('not now')
    await tab.until(
      () => dialog.getByRole('button', { name: 'Reject it' }).click({ timeout: 2000 }),
      async () => (await stateOf(risky.id)) === 'rejected',
    )
    expect((await inbox.as('ana').get(risky.id)).decision?.reason).toBe('not now')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.locator('.request-row').count(), PATIENCE).toBe(1)
    expect(tab.complaints.filter((each) => !each.includes('409'))).toEqual([])
  })

  it('P5: a press that was meant for what stood there before decides nothing: while it loads, and after each answer', async () => {
    const tab = await inbox.logIn(TALL)
    const { page } = tab
    const asked: string[] = []
    for (let count = 0; count < 6; count++) asked.push((await inbox.ask({ command: `call ${count}` })).id)
    await page.locator('.group .mark input').first().check()
    // The calls come late: the sheet is there long before there is anything to decide in it.
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/v1/requests/*', async (route) => {
      await held
      await route.continue()
    })
    await tab.button('Review…').click()
    const dialog = page.getByRole('dialog')
    const close = (await dialog.getByRole('button', { name: 'Close' }).boundingBox())!
    await page.waitForTimeout(900)
    // In the page, so that nothing comes between its appearance and the click.
    const early = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const look = () => {
            const button = document.querySelector<HTMLButtonElement>('dialog .approve:not(:disabled)')
            if (button === null) requestAnimationFrame(look)
            else {
              button.click()
              resolve()
            }
          }
          look()
        }),
    )
    release()
    await early
    const approve = dialog.getByRole('button', { name: 'Approve these 6' })
    await approve.waitFor()
    const after = (await dialog.getByRole('button', { name: 'Close' }).boundingBox())!
    expect(after.x).toBeCloseTo(close.x, 0)
    expect(tab.sent()).toBe(0)
    // On the same spot again and again: what was Approve never becomes Reject.
    await page.waitForTimeout(700)
    const spot = (await approve.boundingBox())!
    for (let count = 0; count < 8; count++) {
      await page.mouse.click(spot.x + spot.width / 2, spot.y + spot.height / 2)
      await page.waitForTimeout(120)
    }
    await tab.until(
      async () => {
        if ((await dialog.count()) > 0)
          await page.mouse.click(spot.x + spot.width / 2, spot.y + spot.height / 2)
      },
      async () => (await Promise.all(asked.map(stateOf))).every((state) => state !== 'pending'),
    )
    expect(await Promise.all(asked.map(stateOf))).toEqual(asked.map(() => 'approved'))
  })

  it('P9: they can be approved only after the last one was on the screen to its end', async () => {
    const tab = await inbox.logIn({ viewport: { width: 390, height: 844 } })
    const asked: string[] = []
    for (let count = 0; count < 4; count++)
      asked.push((await inbox.ask({ text: `${'long\n'.repeat(20)}${count}` })).id)
    await tab.page.locator('.group .mark input').first().check()
    await tab.button('Review…').click()
    const dialog = tab.page.getByRole('dialog')
    const readOn = dialog.getByRole('button', { name: 'Read on ↓' })
    await readOn.waitFor()
    expect(await dialog.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    await tab.until(
      () => readOn.click({ timeout: 2000 }),
      async () => (await dialog.getByRole('button', { name: 'Approve these 4' }).count()) === 1,
    )
    expect(tab.sent()).toBe(0)
    await tab.until(
      () => dialog.getByRole('button', { name: 'Approve these 4' }).click({ timeout: 2000 }),
      async () => (await Promise.all(asked.map(stateOf))).every((state) => state === 'approved'),
    )
  })

  it('P9: shows the warnings of each, who asks and why', async () => {
    const tab = await inbox.logIn(TALL)
    const agent = { name: 'coder', parents: ['planner'] }
    await inbox.ask({ command: 'echo \u202eone' }, { agent })
    await inbox.ask({ command: 'echo two' }, { agent })
    await tab.page.locator('.group .mark input').first().check()
    await tab.button('Review…').click()
    const dialog = tab.page.getByRole('dialog')
    await dialog.getByText('right-to-left override').waitFor()
    await dialog.getByText('planner › coder · s1').first().waitFor()
  })

  it('what is left out is not decided', async () => {
    const tab = await inbox.logIn(TALL)
    const [one, two] = [await inbox.ask({ command: 'keep' }), await inbox.ask({ command: 'take' })]
    await tab.page.locator('.group .mark input').first().check()
    await tab.button('Review…').click()
    const dialog = tab.page.getByRole('dialog')
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'keep' })
      .getByRole('button', { name: 'Leave out' })
      .click()
    await tab.until(
      () => dialog.getByRole('button', { name: 'Approve it' }).click({ timeout: 2000 }),
      async () => (await stateOf(two.id)) === 'approved',
    )
    expect(await stateOf(one.id)).toBe('pending')
  })

  const stateOf = async (id: string) => (await inbox.as('ana').get(id)).state
})
