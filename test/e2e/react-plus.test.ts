/** The chat page of `examples/vue-chat` in a real browser, built and served as it would be, with a real agent behind it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { approve, ben, newestRequest } from '../../src/gateway/fixtures/test-gateway.ts'
import { createStaticFiles } from '../../src/http/static-files.ts'
import {
  openTestChat,
  type TestChat,
  type TestChatOptions,
} from '../../src/people/react-plus/fixtures/test-chat.ts'
import { ROOT } from '../architecture/source-files.ts'
import { launchBrowser, skipBrowser } from './browser.ts'

describe.skipIf(skipBrowser)('the chat page', () => {
  let folder: string
  let browser: Browser
  let chat: TestChat
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'banksman-chat-'))
    await build({
      root: join(ROOT, 'examples/vue-chat'),
      mode: 'production',
      logLevel: 'error',
      // The sources are never older than themselves, which what was built from them may be.
      resolve: { alias: { 'banksman/client': join(ROOT, 'src/client/index.ts') } },
      build: { outDir: folder, emptyOutDir: true },
    })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    await page.context().close()
    await chat.close()
  })

  async function open(options: TestChatOptions & { locale?: string; width?: number } = {}): Promise<void> {
    const { locale = 'zh-CN', width = 1000, ...setup } = options
    const pages = { prefix: '/react-plus/', files: createStaticFiles(folder) }
    chat = await openTestChat({ ...setup, http: { pages } })
    const context = await browser.newContext({ locale, viewport: { width, height: 800 } })
    page = await context.newPage()
    complaints = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(`${chat.url}/react-plus/#login=${await codeFor('ana')}`)
    await page.locator('#message').waitFor()
  }

  async function codeFor(subject: string): Promise<string> {
    const { tokens } = chat.setup.setup.gateway
    const ana = { subject: 'ana', role: 'admin', via: 'test' } as const
    return (await tokens.createLogin({ subject, role: 'admin' }, ana)).secret
  }

  async function say(text: string): Promise<void> {
    await page.locator('#message').fill(text)
    await page.keyboard.press('Enter')
  }

  const lines = (kind: string): Locator => page.locator(`.line.${kind}`)
  const card = (text = ''): Locator => page.locator('.card', { hasText: text })
  const press = (name: string, within: Locator | Page = page) =>
    within.getByRole('button', { name, exact: true }).click()

  it('P4: looks the weather up when approved, thinks again when rejected, and ends when terminated', async () => {
    await open()
    expect(new URL(page.url()).hash).toBe('')
    await say('帮我查询杭州的天气')
    await card().waitFor()
    expect(await card().locator('pre').innerText()).toContain('杭州')
    expect(chat.cities).toEqual([])
    await press('同意执行')
    await lines('answer').getByText('查到了：杭州: 晴, 23°C').waitFor()
    expect(chat.cities).toEqual(['杭州'])
    expect(await lines('thinking').first().innerText()).toContain('我来查一下杭州的天气')
    expect(await lines('acting').first().innerText()).toContain('get_weather')
    expect(await lines('tool').first().innerText()).toContain('get_weather 执行完成')
    await lines('observing').first().waitFor()
    await lines('note').getByText('任务完成').waitFor()

    await say('再查一次天气')
    await press('拒绝并说明理由', card())
    await page.getByLabel('请说明拒绝理由').fill('今天不需要')
    await press('拒绝并说明理由', card())
    await lines('answer').getByText('今天不需要').waitFor()
    expect(chat.cities).toEqual(['杭州'])

    await press('新对话')
    await say('还是查一下天气')
    await press('拒绝并终止对话', card())
    await press('拒绝并终止对话', card())
    await lines('error').getByText('用户终止对话').waitFor()
    await page.getByText('对话已结束', { exact: true }).waitFor()
    expect(await page.locator('#message').count()).toBe(0)
    expect(chat.cities).toEqual(['杭州'])
    expect(complaints).toEqual([])
  })

  it('is in English for who reads that, and fits a phone', async () => {
    await open({ locale: 'en-GB', width: 360 })
    await say('天气')
    await card('The agent wants to run the tool: get_weather').waitFor()
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    expect(await width()).toBeLessThanOrEqual(360)
    await press('Reject with a reason')
    await page.keyboard.type('not now')
    await page.keyboard.press('Escape')
    await press('Approve')
    await lines('note').getByText('Done', { exact: true }).waitFor()
    await press('中文')
    await page.getByRole('heading', { name: '与 Agent 对话' }).waitFor()
    expect(complaints).toEqual([])
  })

  const two = [
    {
      steps: [
        { calls: ['杭州', '上海'].map((city) => ({ tool: 'get_weather', arguments: { city } })) },
        { say: 'over' },
      ],
    },
  ]

  it('shows several calls at once; one that was decided elsewhere says so', async () => {
    await open({ script: two })
    await say('go')
    await expect.poll(() => card().count()).toBe(2)
    const { setup } = chat.setup
    const { items } = await setup.store.list({ state: 'pending' })
    const shanghai = items.find(({ bytes }) => bytes.includes('上海'))!
    await approve(setup, shanghai, ben)
    await page.locator(`[data-request="${shanghai.id}"]`).getByText('get_weather: 已批准（ben）').waitFor()
    await press('同意执行', card('杭州'))
    await lines('answer').getByText('over').waitFor()
    expect(chat.cities.toSorted()).toEqual(['上海', '杭州'])
    expect(await card().count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('P7: goes on where it was when the page is loaded again', async () => {
    await open()
    await say('天气')
    await card().waitFor()
    await page.reload()
    await card().waitFor()
    expect(await lines('user').allInnerTexts()).toEqual(['天气'])
    expect(await lines('thinking').count()).toBe(1)
    await press('同意执行')
    await lines('note').getByText('任务完成').waitFor()
    expect(chat.cities).toEqual(['杭州'])
    expect(complaints).toEqual([])
  })

  it('P9: shows what a call hides, as text and never as markup', async () => {
    const city = '<img src=x onerror=alert(1)>\u202e杭州'
    await open({
      script: [{ steps: [{ calls: [{ tool: 'get_weather', arguments: { city } }] }, { say: 'over' }] }],
    })
    await say('go')
    await card().waitFor()
    expect(await card().locator('pre').innerText()).toContain('<img src=x onerror=alert(1)>⟨U+202E RLO⟩杭州')
    expect(await page.locator('img').count()).toBe(0)
    await press('同意执行')
    await lines('answer').waitFor()
    expect(complaints).toEqual([])
  })

  it('takes the answers to several questions', async () => {
    const questions = [
      {
        id: 'colour',
        question: '什么颜色？',
        options: [{ label: '红' }, { label: '蓝' }],
        multiSelect: true,
      },
      { id: 'name', question: '叫什么？' },
    ]
    const calls = [{ tool: 'ask_user_question', arguments: { questions } }]
    await open({ script: [{ steps: [{ calls }, { say: '听到：{result}' }] }] })
    await say('go')
    await card().getByLabel('红').check()
    await card().getByLabel('蓝').check()
    await card().getByLabel('叫什么？').fill('小明')
    await press('确定')
    const answer = await lines('answer').innerText()
    for (const word of ['红', '蓝', '小明']) expect(answer).toContain(word)
    expect(complaints).toEqual([])
  })

  it('P5: says when it is too late', async () => {
    await open({ settings: { expiresInMs: 60_000 } })
    await say('天气')
    await card().waitFor()
    await newestRequest(chat.setup.setup)
    await chat.setup.setup.clock.advance(61_000)
    await lines('note').getByText('已过期').first().waitFor()
    await lines('answer').waitFor()
    expect(await card().count()).toBe(0)
    expect(chat.cities).toEqual([])
  })

  it('P6: without a credential there is only the door, and a code opens it', async () => {
    await open()
    await page.evaluate('sessionStorage.clear()')
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: '请先登录' }).waitFor()
    await page.getByLabel('登录链接或登录码').fill('no')
    await press('登录')
    await page.getByText('这不是登录链接，也不是登录码').waitFor()
    await page.getByLabel('登录链接或登录码').fill(`${chat.url}/#login=${await codeFor('ben')}`)
    await press('登录')
    await page.locator('#message').waitFor()
    await say('hello')
    await lines('answer').getByText('你好').waitFor()
  })

  it('P6: lets a page in by the cookie that a login left, where it can send no header', async () => {
    await open()
    await page.evaluate('sessionStorage.clear()')
    await page.reload()
    await say('天气')
    await press('同意执行', card())
    await lines('note').getByText('任务完成').waitFor()
    expect(chat.cities).toEqual(['杭州'])
  })
})
