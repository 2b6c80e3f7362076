/** The inbox in a real browser, built as it is published and served by the real server. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import type { ToolCall } from '../../src/core/call.ts'
import type { WireRequest } from '../../src/core/wire.ts'
import { createStaticFiles } from '../../src/http/static-files.ts'
import { type HttpHouse, openHttpHouse } from '../http-house.ts'
import { launchBrowser, skipBrowser } from './browser.ts'

/** A browser on a busy machine is slow; what is wrong stays wrong that long. */
const PATIENCE = { timeout: 20_000 }

describe.skipIf(skipBrowser)('the inbox', () => {
  let folder: string
  let browser: Browser
  let http: HttpHouse
  let page: Page
  let complaints: string[]
  let addresses: Set<string>
  let decisions: number

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'banksman-inbox-'))
    const root = join(import.meta.dirname, '../../inbox')
    await build({
      root,
      mode: 'production',
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    http = await openHttpHouse({ http: { inbox: createStaticFiles(folder) } })
    complaints = []
    addresses = new Set()
    decisions = 0
  })
  afterEach(async () => {
    await page.context().close()
    await http.close()
  })

  const url = () => http.server.address.url
  const as = (who: 'ana' | 'agent-1') => createClient({ url: url(), token: http.tokens[who] })

  async function newPage(options: { locale?: string } = {}): Promise<void> {
    const context = await browser.newContext({ locale: 'en-GB', ...options })
    page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('request', (request) => {
      addresses.add(new URL(request.url()).origin)
      if (request.method() === 'POST' && request.url().endsWith('/decisions')) decisions++
    })
  }

  async function logIn(options?: { locale?: string }): Promise<void> {
    await newPage(options)
    const { code } = await as('ana').tokens.createLogin({ role: 'approver', subject: 'ben' })
    await page.goto(`${url()}/#login=${code}`)
    await page.waitForSelector('#pending')
  }

  const row = (text: string) => page.locator('button.row', { hasText: text })

  /** A click counts once what is shown has been there for a while: pressed until it does. */
  async function open(text: string): Promise<void> {
    await expect
      .poll(async () => {
        await row(text).click()
        return page.locator('article').count()
      }, PATIENCE)
      .toBe(1)
    await armed()
  }

  const armed = () => page.waitForSelector('.buttons:not(.is-unarmed)')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const ask = (args: ToolCall['arguments'], parts: Partial<ToolCall> = {}): Promise<WireRequest> =>
    http.ask({ tool: 'Bash', arguments: args, ...parts })

  it('P11: takes the login code out of the address and lets it be used once', async () => {
    await newPage()
    const { code } = await as('ana').tokens.createLogin({ role: 'approver', subject: 'ben' })
    await page.goto(`${url()}/#login=${code}`)
    await page.getByText('ben', { exact: true }).waitFor()
    expect(page.url()).toBe(`${url()}/`)
    await page.reload()
    await page.getByText('ben', { exact: true }).waitFor()
    await button('Log out').click()
    await page.getByLabel('Login code').fill(`${url()}/#login=${code}`)
    await button('Log in').click()
    await page.getByText('this login link was used').waitFor()
  })

  it('P2: shows a call live; a double click approves it once; the result appears', async () => {
    await logIn()
    const { id } = await ask({ command: 'echo \u202ehidden' })
    await open('echo')
    expect(await page.locator('pre.call').innerText()).toContain('echo ⟨U+202E RLO⟩hidden')
    await button('Approve').dblclick()
    await page.getByText('You approved').waitFor()
    expect(decisions).toBe(1)
    const agent = as('agent-1')
    const { digest, state, decision } = await agent.get(id)
    expect({ state, by: decision?.by }).toEqual({ state: 'approved', by: 'ben' })
    const { claimId } = await agent.claim(id, { digest, key: 'k' })
    await agent.report(id, { claimId, outcome: 'ok', summary: 'it said hidden' })
    await page.locator('article').getByText('it said hidden').waitFor()
    await row('it said hidden').waitFor()
    expect(complaints).toEqual([])
  })

  it('a request that appears takes neither the focus nor a click that was meant for something else', async () => {
    await logIn()
    await ask({ command: 'first' })
    await open('first')
    await page.keyboard.press('a')
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
    await ask({ command: 'second' })
    await page.waitForSelector('body[data-clicked]')
    expect(await page.locator('article').innerText()).toContain('first')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approve')
    await page.getByText('New request: second').waitFor({ state: 'attached' })
    expect(await page.title()).toBe('(2) Banksman')
    expect(decisions).toBe(0)
  })

  it('P2: says at once that somebody else has answered', async () => {
    await logIn()
    const { id, digest } = await ask({ command: 'both look at this' })
    await open('both look')
    await as('ana').decide(id, { decision: 'reject', digest, reason: 'not today' })
    await page.getByText('Answered elsewhere.').waitFor()
    expect(await page.locator('article').innerText()).toMatch(/ana rejected[\s\S]*not today/)
    expect(await button('Approve').count()).toBe(0)
  })

  it('rejects with a reason, ends a session only in a second step', async () => {
    await logIn()
    const { id } = await ask({ command: 'risky' })
    await open('risky')
    await button('End session…').dblclick()
    await page.getByText('This ends the session').waitFor()
    await page.keyboard.press('Escape')
    await button('Approve').waitFor()
    await armed()
    await page.keyboard.press('r')
    await page.getByLabel('Reason').fill('think again')
    await expect
      .poll(async () => {
        const send = button('Reject')
        if (await send.isVisible()) await send.click()
        return (await as('ana').get(id)).decision?.kind
      }, PATIENCE)
      .toBe('reject')
    expect((await as('ana').get(id)).decision?.reason).toBe('think again')
    expect((await as('ana').session('s1')).ended).toBeUndefined()
  })

  it('P3: shows what is wrong with an edit, and sends what stands there', async () => {
    await logIn()
    const { id } = await ask({ command: 'rm -rf build' })
    await open('rm -rf')
    await button('Edit…').click()
    const text = page.getByLabel('Arguments as JSON')
    await text.fill('{ "command": "a", "command": "b" }')
    await page.getByText('is there twice').waitFor()
    expect(await button('Approve').isDisabled()).toBe(true)
    await text.fill('{ "command": "rm -rf build/tmp" }')
    await expect
      .poll(async () => {
        if (await button('Approve').isVisible()) await button('Approve').click()
        return (await as('ana').get(id)).decision?.kind
      }, PATIENCE)
      .toBe('edit')
    expect((await as('ana').get(id)).arguments).toEqual({ command: 'rm -rf build/tmp' })
  })

  it('puts questions as a form and sends the answers', async () => {
    await logIn()
    const { id } = await ask(
      {
        questions: [
          { id: 'db', question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
          { id: '__proto__', question: 'What name?' },
        ],
      },
      { tool: 'ask_user_question' },
    )
    await open('Which database?')
    await button('Answer').click()
    expect(await page.getByText('This one has no answer yet.').count()).toBe(2)
    await page.getByLabel('Postgres').check()
    await page.getByLabel('Your own answer').fill('Bankje')
    await button('Answer').click()
    await page.getByText('You answered').waitFor()
    const { decision } = await as('ana').get(id)
    expect(JSON.stringify(decision?.answers)).toBe(
      '{"db":{"choices":["Postgres"]},"__proto__":{"text":"Bankje"}}',
    )
  })

  it('P9: what an agent wrote is text: nothing of it becomes part of the page, nothing is loaded', async () => {
    await logIn()
    const evil = '<img src=https://example.org/x onerror=alert(1)><style>*{display:none}</style>'
    await ask({ command: evil }, { context: evil, preview: evil, agent: { name: evil } })
    await open('<img')
    expect(await page.locator('article').innerText()).toContain(evil)
    const foreign = '#app img, #app style, #app script, [style], script:not([src])'
    expect(await page.locator(foreign).count()).toBe(0)
    expect([...addresses]).toEqual([url()])
    expect(complaints).toEqual([])
  })

  it('P5: says that the connection is lost, and that what is shown may be old', async () => {
    await logIn()
    await http.server.close()
    await page.getByText('The connection is lost.').waitFor()
  })

  it('speaks Chinese where the browser does, and English on request', async () => {
    await ask({ command: 'ls' })
    await logIn({ locale: 'zh-CN' })
    await open('ls')
    expect(await page.locator('html').getAttribute('lang')).toBe('zh')
    expect(await page.locator('article h2').innerText()).toBe('工具调用：Bash')
    await button('English').click()
    await page.getByRole('heading', { name: 'Tool call: Bash' }).waitFor()
  })

  it('is small: under 40 kB of script and style, compressed', async () => {
    await newPage()
    const files = readdirSync(join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name))
    const bytes = files.map((name) => gzipSync(readFileSync(join(folder, 'assets', name))).length)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(40_000)
  })
})
