/** Every decision that a person can make, in a real browser. */
import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../../src/wire/types/request.ts'
import { skipBrowser } from '../browser.ts'
import { PATIENCE, setUpInbox, type Tab } from './set-up.ts'

const POLICY = {
  rules: [
    { name: 'grave', when: { tool: 'grave' }, then: 'ask', severity: 'high' },
    { name: 'fatal', when: { tool: 'fatal' }, then: 'ask', severity: 'critical' },
    {
      name: 'only yes or no',
      when: { tool: 'plain' },
      then: 'ask',
      allowedDecisions: ['approve', 'reject'],
      scopes: ['once'],
    },
    {
      name: 'far away',
      when: { tool: 'trip', arguments: { '/to': { equals: 'volcano' } } },
      then: 'ask',
      severity: 'critical',
    },
    { name: 'no large sums', when: { tool: 'pay', arguments: { '/amount': { gt: 1000 } } }, then: 'deny' },
  ],
}

const PAY = {
  tool: 'pay',
  arguments: { to: 'Ada', amount: 250, note: 'For the\nroof' },
  definition: {
    description: 'Pays somebody.',
    schema: {
      type: 'object',
      required: ['to', 'amount'],
      additionalProperties: false,
      properties: {
        to: { type: 'string' },
        amount: { type: 'integer', minimum: 1 },
        note: { type: 'string' },
        urgent: { type: 'boolean' },
      },
    },
  },
}

describe.skipIf(skipBrowser)('deciding in the inbox', () => {
  const inbox = setUpInbox(() => ({ setup: { policy: POLICY } }))
  const now = async ({ id }: WireRequest) => inbox.as('ana').get(id)
  const decided = async (request: WireRequest) => (await now(request)).decision

  async function opened(
    ask: () => Promise<WireRequest>,
    text: string,
  ): Promise<{ tab: Tab; request: WireRequest }> {
    const tab = await inbox.logIn()
    const request = await ask()
    await tab.open(text)
    return { tab, request }
  }

  it('P3: approves with one press what is ordinary', async () => {
    const { tab, request } = await opened(() => inbox.ask({ x: 'ordinary' }, { tool: 'plain' }), 'ordinary')
    const offered = await tab.page.locator('.deciding button').allInnerTexts()
    expect(offered).toContain('Reject…')
    for (const other of ['Edit…', 'Respond…']) expect(offered).not.toContain(other)
    expect(offered).not.toContain('Approve and remember…')
    await tab.button('Approve').click()
    await tab.page.getByText('You approved').waitFor()
    expect(await decided(request)).toMatchObject({ kind: 'approve', by: 'ben' })
    expect((await decided(request))?.scope ?? 'once').toBe('once')
  })

  it('P5: what is dangerous takes a second step that is elsewhere and has no key', async () => {
    const { tab, request } = await opened(() => inbox.ask({ x: 'risky' }, { tool: 'grave' }), 'risky')
    const { page } = tab
    const first = (await tab.button('Approve…').boundingBox())!
    await page.keyboard.press('a')
    const yes = tab.button('Yes, approve')
    await yes.waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Back')
    const second = (await yes.boundingBox())!
    const isApart =
      second.x >= first.x + first.width ||
      first.x >= second.x + second.width ||
      second.y >= first.y + first.height ||
      first.y >= second.y + second.height
    expect(isApart).toBe(true)
    // In its first half second, and by the key that opened it, it takes nothing.
    await yes.click()
    for (let count = 0; count < 5; count++) await page.keyboard.press('a')
    expect(tab.sent()).toBe(0)
    await tab.armed()
    await page.keyboard.press('a')
    expect(tab.sent()).toBe(0)
    await tab.until(
      () => yes.click({ timeout: 2000 }),
      async () => (await now(request)).state === 'approved',
    )
    expect(tab.sent()).toBe(1)
  })

  it('P3: the second step shows the whole call, also on a phone', async () => {
    const args = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`part${index}`, `${'x'.repeat(30)} end${index}`]),
    )
    const tab = await inbox.logIn({ viewport: { width: 390, height: 844 } })
    await inbox.ask({ about: 'a long one', ...args }, { tool: 'grave' })
    await tab.open('a long one')
    const isReady = async () => (await tab.button('Read on ↓').count()) === 0
    await tab.until(() => tab.button('Read on ↓').click({ timeout: 2000 }), isReady)
    await tab.armed()
    await tab.page.keyboard.press('a')
    const form = tab.page.getByRole('form', { name: 'Approve this?' })
    await form.waitFor()
    const text = await form.innerText()
    for (const value of Object.values(args)) expect(text).toContain(value)
    const box = (await tab.button('Yes, approve').boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(844)
  })

  it('P5: what is critical also wants a tick', async () => {
    const { tab, request } = await opened(() => inbox.ask({ x: 'the worst' }, { tool: 'fatal' }), 'the worst')
    await tab.page.keyboard.press('a')
    await tab.armed()
    expect(await tab.button('Yes, approve').isDisabled()).toBe(true)
    await tab.page.getByLabel('I have read it').check()
    await tab.until(
      () => tab.button('Yes, approve').click({ timeout: 2000 }),
      async () => (await now(request)).state === 'approved',
    )
  })

  it('P3: edits in a form, shows the difference and what the policy says, and approves that', async () => {
    const { tab, request } = await opened(() => inbox.http.ask(PAY), 'Ada')
    const { page } = tab
    await page.keyboard.press('e')
    const form = page.locator('form.decide')
    const send = form.getByRole('button', { name: 'Approve the changed call' })
    await form.getByText('No changes yet.').waitFor()
    expect(await send.isDisabled()).toBe(true)
    const amount = form.getByLabel('amount')
    await amount.fill('5000')
    await form
      .getByText(/denies|denied/i)
      .first()
      .waitFor()
    expect(await send.isDisabled()).toBe(true)
    await amount.fill('0')
    await expect.poll(() => form.innerText(), PATIENCE).toMatch(/at least 1|>= ?1|minimum/i)
    expect(await send.isDisabled()).toBe(true)
    await amount.fill('300')
    await expect
      .poll(() => form.locator('.changes, [class*=diff], ins, del').first().innerText(), PATIENCE)
      .toMatch(/250|300/)
    await expect.poll(() => send.isEnabled(), PATIENCE).toBe(true)
    await tab.until(
      () => send.click({ timeout: 2000 }),
      async () => (await decided(request))?.kind === 'edit',
    )
    expect((await now(request)).arguments).toEqual({ ...PAY.arguments, amount: 300 })
    const { digest } = await now(request)
    const claim = await inbox.as('agent-1').claim(request.id, { digest, key: 'k' })
    expect(claim.arguments).toEqual({ ...PAY.arguments, amount: 300 })
  })

  it('P3: edits as JSON, says where it can not be read, and loses nothing in switching', async () => {
    const { tab, request } = await opened(() => inbox.http.ask(PAY), 'Ada')
    const { page } = tab
    await page.keyboard.press('e')
    const form = page.locator('form.decide')
    await form.getByRole('textbox', { name: /^to/ }).fill('Bob')
    await form.getByText('JSON', { exact: true }).click()
    const text = form.getByLabel('Arguments as JSON')
    expect(JSON.parse(await text.inputValue())).toEqual({ ...PAY.arguments, to: 'Bob' })
    await text.fill('{ "to": "a", "to": "b", "amount": 1 }')
    await form.getByText('is there twice').waitFor()
    expect(await form.locator('button.approve').isDisabled()).toBe(true)
    await text.fill('{ "to": "Cem", "amount": 7 }')
    await tab.until(
      () => form.locator('button.approve').click({ timeout: 2000 }),
      async () => (await decided(request))?.kind === 'edit',
    )
    expect((await now(request)).arguments).toEqual({ to: 'Cem', amount: 7 })
  })

  it('P5: an edit that makes a call dangerous takes the second step that this danger takes', async () => {
    const { tab, request } = await opened(() => inbox.ask({ to: 'beach' }, { tool: 'trip' }), 'beach')
    await tab.page.keyboard.press('e')
    const form = tab.page.locator('form.decide')
    await form.getByRole('textbox', { name: /^to/ }).fill('volcano')
    const begin = form.getByRole('button', { name: 'Approve the changed call…' })
    await begin.waitFor()
    const first = (await begin.boundingBox())!
    await tab.until(
      () => begin.click({ timeout: 2000 }),
      async () => (await tab.page.getByText('Approve your version?').count()) === 1,
    )
    const second = tab.button('Approve the changed call')
    const there = (await second.boundingBox())!
    expect(there.x + there.width <= first.x || first.x + first.width <= there.x).toBe(true)
    await tab.armed()
    expect(await second.isDisabled()).toBe(true)
    expect(tab.sent()).toBe(0)
    await tab.page.getByLabel('I have read it').check()
    await tab.until(
      () => second.click({ timeout: 2000 }),
      async () => (await decided(request))?.kind === 'edit',
    )
  })

  it('P9: in an edit a mask that is left alone keeps the secret', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const { tab, request } = await opened(() => inbox.ask({ where: 'here', token }, { tool: 'push' }), 'here')
    await tab.page.keyboard.press('e')
    const form = tab.page.locator('form.decide')
    await form.getByRole('textbox', { name: /^where/ }).fill('there')
    await tab.until(
      () => form.locator('button.approve').click({ timeout: 2000 }),
      async () => (await decided(request))?.kind === 'edit',
    )
    expect(await tab.page.content()).not.toContain(token)
    const { digest } = await now(request)
    const { arguments: given } = await inbox.as('agent-1').claim(request.id, { digest, key: 'k' })
    expect(given).toEqual({ where: 'there', token })
  })

  it('rejects with a ready-made reason that can be added to', async () => {
    const { tab, request } = await opened(() => inbox.ask({ command: 'mkdir x' }), 'mkdir')
    await tab.page.keyboard.press('r')
    await tab.button('Do it another way: …').click()
    expect(await tab.button('Reject').isDisabled(), 'a sentence without its end').toBe(true)
    await tab.page.getByLabel('Reason', { exact: true }).fill('Monday is better')
    await tab.button('Not now').click()
    await tab.until(
      () => tab.button('Reject').click({ timeout: 2000 }),
      async () => (await now(request)).state === 'rejected',
    )
    expect((await decided(request))?.reason).toMatch(/Not now.*Monday is better/)
  })

  it('P5: what is typed right after the key for rejecting is the reason, and no shortcut', async () => {
    await inbox.ask({ command: 'one' })
    const tab = await inbox.logIn()
    await tab.open('one')
    const focused = await tab.page.evaluate(async () => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }))
      // As far as the page comes before it can hear the next key. Drawing comes later.
      for (let step = 0; step < 10; step++) await Promise.resolve()
      return document.activeElement?.tagName
    })
    expect(focused).toBe('TEXTAREA')
  })

  it('responds in the place of the tool', async () => {
    const { tab, request } = await opened(() => inbox.ask({ command: 'mkdir x' }), 'mkdir')
    await tab.page.keyboard.press('w')
    expect(await tab.button('Respond').isDisabled()).toBe(true)
    await tab.page.getByLabel('Your response').fill('There is one already: ./y')
    await tab.until(
      () => tab.button('Respond').click({ timeout: 2000 }),
      async () => (await now(request)).state === 'answered',
    )
    expect((await decided(request))?.text).toBe('There is one already: ./y')
  })

  it('P5: ends the session only in a second step, and says what that ends', async () => {
    const { tab, request } = await opened(() => inbox.ask({ command: 'mkdir x' }), 'mkdir')
    const other = await inbox.ask({ command: 'ls' })
    await tab.button('More').click()
    await tab.button('End session for good…').dblclick()
    await tab.page.getByText('This ends “').waitFor()
    expect((await now(request)).state).toBe('pending')
    await tab.page.getByText('It has 2 pending requests').waitFor()
    await tab.page.keyboard.press('Escape')
    await tab.button('Approve').waitFor()
    await tab.armed()
    await tab.page.keyboard.press('t')
    await tab.until(
      () => tab.button('End session for good').click({ timeout: 2000 }),
      async () => (await now(request)).state === 'terminated',
    )
    expect((await now(other)).state).toBe('cancelled')
    expect((await inbox.as('ana').session('s1')).ended).toBeDefined()
  })

  it('puts questions as a form and sends the answers', async () => {
    const { tab, request } = await opened(
      () =>
        inbox.ask(
          {
            questions: [
              {
                id: 'db',
                question: 'Which database?',
                options: [{ label: 'SQLite' }, { label: 'Postgres' }],
              },
              { id: '__proto__', question: 'What name?' },
            ],
          },
          { tool: 'ask_user_question' },
        ),
      'Which database?',
    )
    await tab.button('Answer').click()
    expect(await tab.page.getByText('Not answered yet.').count()).toBe(2)
    await tab.page.getByLabel('Postgres').check()
    await tab.page.getByLabel('Your answer').fill('Bankje')
    await tab.button('Answer').click()
    await tab.page.getByText('You answered').waitFor()
    expect(JSON.stringify((await decided(request))?.answers)).toBe(
      '{"db":{"choices":["Postgres"]},"__proto__":{"text":"Bankje"}}',
    )
  })

  it('P6: who may only look is offered nothing', async () => {
    const tab = await inbox.logIn({ as: 'eve' })
    await inbox.ask({ x: 'not for eve' }, { tool: 'plain' })
    await tab.row('not for eve').waitFor()
    expect(await tab.page.locator('.request-row input').count()).toBe(0)
    await tab.until(
      () => tab.row('not for eve').click(),
      async () => (await tab.page.locator('article').count()) === 1,
    )
    await tab.page.getByText('You can see this request, but you can’t decide it.').waitFor()
    expect(await tab.button('Approve').count()).toBe(0)
    await tab.page.keyboard.press('a')
    expect(tab.sent()).toBe(0)
  })

  it('goes on to the next one that waits, only when it is told to', async () => {
    const { tab } = await opened(() => inbox.ask({ x: 'first' }, { tool: 'plain', session: 'a' }), 'first')
    await inbox.ask({ x: 'second' }, { tool: 'plain', session: 'b' })
    await tab.row('second').waitFor()
    await tab.button('Approve').click()
    await tab.page.getByText('You approved').waitFor()
    await tab.page.waitForTimeout(700)
    expect(await tab.page.locator('article').innerText()).toContain('first')
    await tab.page.keyboard.press('n')
    await expect.poll(() => tab.page.locator('article').innerText(), PATIENCE).toContain('second')
    expect(tab.sent()).toBe(1)
  })
})
