/** Two people, a lost connection, a deadline: what is shown is what the server holds. */
import { describe, expect, it } from 'vitest'
import { launchBrowser, skipBrowser } from '../browser.ts'
import { pressUntil } from '../press-until.ts'
import { createServerHome } from '../running-server.ts'
import { setUpInbox, type Tab } from './set-up.ts'

const MINUTE = 60_000

describe.skipIf(skipBrowser)('the inbox when others act too', () => {
  const inbox = setUpInbox(() => ({
    setup: {
      settings: { expiresInMs: 10 * MINUTE },
      policy: {
        rules: [
          { name: 'both', when: { tool: 'release' }, then: 'ask', approvers: ['ana', 'ben'], quorum: 2 },
        ],
      },
    },
  }))

  it('P2: a double click approves once, and the outcome appears by itself', async () => {
    const tab = await inbox.logIn()
    const { id } = await inbox.ask({ command: 'echo hello' })
    await tab.open('echo')
    await tab.button('Approve').dblclick()
    await tab.page.getByText('You approved').waitFor()
    expect(tab.sent()).toBe(1)
    const agent = inbox.as('agent-1')
    const { digest, decision } = await agent.get(id)
    expect(decision?.by).toBe('ben')
    const { claimId } = await agent.claim(id, { digest, key: 'k' })
    await agent.report(id, { claimId, outcome: 'ok', summary: 'it said hello' })
    await tab.page.locator('article').getByText('it said hello').waitFor()
    expect(tab.complaints).toEqual([])
  })

  it('P2: of two browsers that press at once one decides, and the other is shown who and what', async () => {
    const [one, two] = [await inbox.logIn({ as: 'ana' }), await inbox.logIn({ as: 'ben' })]
    const { id } = await inbox.ask({ command: 'race' })
    for (const tab of [one, two]) await tab.open('race')
    // Whoever is slower may find the button gone.
    const press = (tab: Tab) =>
      tab
        .button('Approve')
        .click({ timeout: 5000 })
        .catch(() => {})
    await Promise.all([press(one), press(two)])
    for (const { page } of [one, two])
      await page
        .getByText(/approved,/)
        .first()
        .waitFor()
    const { decision } = await inbox.as('ana').get(id)
    const loser = decision?.by === 'ana' ? two : one
    await loser.page
      .getByText(new RegExp(`${decision?.by} approved`))
      .first()
      .waitFor()
    const entries = await decisionsOf(id)
    expect(entries).toBe(1)
  })

  it('P2: says at once that somebody else has answered', async () => {
    const tab = await inbox.logIn()
    const { id, digest } = await inbox.ask({ command: 'both look at this' })
    await tab.open('both look')
    await inbox.as('ana').decide(id, { decision: 'reject', digest, reason: 'not today' })
    await tab.page.getByText('Decided elsewhere.').waitFor()
    expect(await tab.page.locator('article').innerText()).toMatch(/ana rejected[\s\S]*not today/)
    expect(await tab.button('Approve').count()).toBe(0)
  })

  it('P5: says that a request has expired, and offers nothing any more', async () => {
    const tab = await inbox.logIn()
    await inbox.ask({ command: 'too slow' })
    await tab.open('too slow')
    await inbox.http.setup.clock.advance(11 * MINUTE)
    await tab.page
      .locator('article')
      .getByText(/expired/i)
      .first()
      .waitFor()
    expect(await tab.button('Approve').count()).toBe(0)
  })

  it('P5: an answer that comes after the deadline is told so, and nothing runs', async () => {
    const tab = await inbox.logIn()
    const { id } = await inbox.ask({ command: 'just too slow' })
    await tab.open('just too slow')
    // Nobody is told of the time that has passed: the click is the first to find out.
    inbox.http.setup.clock.jump(11 * MINUTE)
    await tab.button('Approve').click()
    await tab.page
      .locator('article')
      .getByText(/expired/i)
      .first()
      .waitFor()
    expect((await inbox.as('ana').get(id)).state).toBe('expired')
  })

  it('a quorum shows who has already said yes, and takes each yes once', async () => {
    const tab = await inbox.logIn()
    const { id, digest } = await inbox.ask({ to: 'production' }, { tool: 'release' })
    await inbox.as('ana').decide(id, { decision: 'approve', digest })
    await tab.open('production')
    await tab.page.locator('article').getByText(/ana/).first().waitFor()
    expect((await inbox.as('ana').get(id)).state).toBe('pending')
    await tab.button('Approve').click()
    await tab.page.getByText('You and ana approved').waitFor()
    expect((await inbox.as('ana').get(id)).state).toBe('approved')
  })

  async function decisionsOf(id: string): Promise<number> {
    const client = inbox.as('ana')
    const { items } = await client.chains()
    let found = 0
    for (const { chain } of items) {
      const { items: entries } = await client.journal({ chain, limit: 1000 })
      found += entries.filter(({ type, request }) => request === id && type === 'request.decided').length
    }
    return found
  }
})

describe.skipIf(skipBrowser)('the inbox when the server is killed in the middle', () => {
  it('P7: says that the connection is lost, loses nothing that was typed, and sends it when the server is back', async () => {
    const home = await createServerHome()
    const browser = await launchBrowser()
    let server = await home.start(['--demo'])
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(60_000)
      await page.goto(server.loginLink)
      const row = page.locator('button.row', { hasText: 'get_weather' })
      await row.waitFor()
      // Another one is open already, and a key at a row that isn't open only leads to it.
      await pressUntil(
        () => row.click({ timeout: 2000 }),
        async () => (await row.getAttribute('aria-current')) === 'true',
      )
      await page.waitForSelector('.buttons:not(.is-unarmed)')
      await page.keyboard.press('r')
      await page.getByRole('textbox').last().fill('I look out of the window')
      await server.stop('SIGKILL')
      await page.getByText('Connection lost.').waitFor()
      const reject = () => page.getByRole('button', { name: 'Reject', exact: true }).click({ timeout: 2000 })
      await pressUntil(reject, () => page.getByText(/isn't answering/).isVisible())
      expect(await page.getByRole('textbox').last().inputValue()).toBe('I look out of the window')
      server = await home.start(['--demo'])
      await page.getByText('Connection lost.').waitFor({ state: 'detached' })
      await pressUntil(reject, () => page.getByText('You rejected').isVisible())
      await page.locator('article').getByText('I look out of the window').first().waitFor()
    } finally {
      await browser.close()
      await server.stop()
      home.remove()
    }
  }, 120_000)
})
