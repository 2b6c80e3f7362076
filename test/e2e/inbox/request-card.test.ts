/** One request at a glance: what is in sight on a phone, what has to be read first, and that no click is lost without a word. */
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { PATIENCE, setUpInbox, type Tab } from './set-up.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const LONG = Array.from({ length: 400 }, (_, line) => `echo "step ${line}"`).join('\n')

describe.skipIf(skipBrowser)('a request at a glance', () => {
  const inbox = setUpInbox(() => ({ setup: { policy: { ask: ['*'] } } }))

  async function inSight(tab: Tab, name: string | RegExp): Promise<boolean> {
    const box = await tab.button(name).boundingBox()
    return box !== null && box.y >= 0 && box.y + box.height <= 844
  }

  it.each([
    [
      'exec',
      { command: 'git', arguments: ['commit', '-m', 'green'] },
      'wants to run a command in shop',
      'git',
    ],
    ['edit_file', { path: 'a.ts', old_text: 'one', new_text: 'two' }, 'wants to edit a file in shop', 'a.ts'],
    ['send_mail', { to: 'kim@example.com', body: 'It left today.' }, 'wants to use send_mail', 'kim@'],
  ])(
    'P9: on a phone, %s says who wants what, and is approved by two touches without scrolling',
    async (tool, args, said, inList) => {
      const tab = await inbox.logIn(PHONE)
      const { id } = await inbox.ask(args, {
        tool,
        cwd: '/home/ana/shop',
        agent: { name: 'coder', parents: ['planner'] },
        context: 'The tests are green.',
      })
      await tab.open(inList)
      expect(await tab.page.locator('article h2').innerText()).toBe(`coder ${said}`)
      expect(await inSight(tab, /^Approve/)).toBe(true)
      const text = await tab.page.locator('article').innerText()
      for (const value of Object.values(args).flat()) expect(text).toContain(value)
      expect(text).toContain('The agent says (unverified)')
      await tab.button('Approve').click()
      await expect.poll(async () => (await inbox.as('ana').get(id)).state, PATIENCE).toBe('approved')
    },
  )

  it('P9: a long action can be approved only after its end was on the screen', async () => {
    const tab = await inbox.logIn(PHONE)
    const { id } = await inbox.ask({ command: LONG }, { tool: 'exec' })
    await tab.go(`#/pending/${id}`)
    await tab.armed()
    expect(await tab.button(/^Approve/).count()).toBe(0)
    // Its key reads on, too, and decides nothing.
    await tab.page.keyboard.press('a')
    await tab.until(
      () => tab.button('Read on ↓').click({ timeout: 2000 }),
      async () => (await tab.button(/^Approve/).count()) === 1,
    )
    await tab.page.getByText('echo "step 399"').first().waitFor()
    expect((await inbox.as('ana').get(id)).state).toBe('pending')
    expect(tab.sent()).toBe(0)
  })

  it('a click on what has only just appeared is answered with words, and decides nothing', async () => {
    const tab = await inbox.logIn()
    const { id } = await inbox.ask({ x: 'sudden' }, { tool: 'plain' })
    await tab.go(`#/pending/${id}`)
    // In the page, so that nothing comes between appearance and click.
    await tab.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const look = () => {
            const button = document.querySelector<HTMLElement>('.is-unarmed .approve')
            if (button === null) requestAnimationFrame(look)
            else {
              button.click()
              resolve()
            }
          }
          look()
        }),
    )
    await tab.page.getByText('This only just appeared. Try again.').waitFor({ timeout: PATIENCE.timeout })
    expect(tab.sent()).toBe(0)
    expect((await inbox.as('ana').get(id)).state).toBe('pending')
  })

  it('on a phone the note on an early tap does not cover the answers that are to be tapped again', async () => {
    const tab = await inbox.logIn()
    await tab.page.setViewportSize({ width: 390, height: 844 })
    const { id } = await inbox.ask({ x: 'sudden on a phone' }, { tool: 'plain' })
    await tab.go(`#/pending/${id}`)
    const approve = tab.button('Approve')
    await approve.waitFor()
    const note = tab.page.locator('.early-click')
    await note.evaluate((element: HTMLElement) => element.showPopover())
    const [shown, answer] = [await note.boundingBox(), await approve.boundingBox()]
    expect(shown!.y + shown!.height).toBeLessThanOrEqual(answer!.y)
  })

  it('everything but Approve and Reject is behind More, and its keys work while it is closed', async () => {
    const tab = await inbox.logIn()
    const { id } = await inbox.ask({ x: 'more' }, { tool: 'plain' })
    await tab.go(`#/pending/${id}`)
    await tab.armed()
    const shown = await tab.page.locator('.decide button:visible').allInnerTexts()
    expect(shown).toEqual(['Approve', 'Reject…', expect.stringContaining('More')])
    await tab.page.keyboard.press('s')
    await tab.page.getByText('Snooze for how long?').waitFor()
    await tab.page.keyboard.press('Escape')
    await tab.armed()
    await tab.until(
      () => tab.page.keyboard.press('w'),
      async () => (await tab.page.getByLabel('Your response').count()) === 1,
    )
  })

  it('Details are folded, and hold what is not needed to decide', async () => {
    const tab = await inbox.logIn()
    const { id } = await inbox.ask(
      { x: 'deep' },
      {
        tool: 'plain',
        definition: { description: 'Does something plain.' },
      },
    )
    await tab.go(`#/pending/${id}`)
    await tab.armed()
    expect(await tab.page.getByText('Does something plain.').isVisible()).toBe(false)
    await tab.page.getByText('Details', { exact: true }).click()
    await tab.page.getByText('Does something plain.').waitFor()
    await tab.page.getByText('Why it needs approval').waitFor()
    await tab.page.getByText(id, { exact: true }).waitFor()
  })
})
