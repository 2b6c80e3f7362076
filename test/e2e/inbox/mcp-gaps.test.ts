/** MCP servers that clients start without us, on the page MCP of the server that runs on the same machine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordWrappedMcp, type WrappedMcp } from '../../fixtures/wrapped-mcp.ts'
import { launchBrowser, skipBrowser } from '../browser.ts'
import { wrongOn } from './axe.ts'
import { type FullServer, openFullServer } from './full-server.ts'
import { tabOf } from './set-up.ts'

const HOSTILE = '<b>x</b>\u202e'

describe.skipIf(skipBrowser)('an MCP server that is no longer behind Banksman', () => {
  let browser: Browser
  let setup: FullServer
  let wrapped: WrappedMcp
  let environment: { HOME: string; BANKSMAN_HOME: string }
  let pages: Page[]
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    pages = []
    const home = mkdtempSync(join(tmpdir(), 'banksman-home-'))
    setup = await openFullServer({
      configuration: 'people:\n  ana: { groups: [approvers] }\n',
      environment: { HOME: home },
      before: async (_, shop) => {
        environment = { HOME: home, BANKSMAN_HOME: join(shop, '../home') }
        wrapped = recordWrappedMcp(environment, ['files', HOSTILE])
      },
    })
  })
  afterEach(async () => {
    for (const page of pages) await page.context().close()
    await setup.close()
    rmSync(environment.HOME, { recursive: true })
  })

  async function open(role: 'admin' | 'approver', options: object = {}): Promise<Page> {
    const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage()
    page.setDefaultTimeout(60_000)
    pages.push(page)
    await page.goto(await setup.link(role === 'admin' ? 'ana' : 'ben', role))
    await page.waitForSelector('#pending')
    await tabOf(page).go('#/mcp')
    return page
  }

  it('P6, P9: is named to administrators as text, with the command that mends it, in both languages', async () => {
    wrapped.lose(['files', HOSTILE])
    const page = await open('admin')
    const note = page.getByRole('region', { name: 'Calls of 2 MCP servers may go past Banksman' })
    await note.getByText('banksman connect cursor --mcp files', { exact: true }).waitFor()
    const text = await note.innerText()
    expect(text).toContain('the client now starts it directly: nobody checks its calls.')
    expect(text).toContain(wrapped.file)
    expect(text).toContain('<b>x</b>⟨U+202E RLO⟩')
    expect(await note.locator('b').count()).toBe(0)
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const chinese = await open('admin', { ...phone, locale: 'zh-CN', colorScheme: 'dark' })
    await chinese.getByRole('heading', { name: '2 个 MCP 服务器的调用可能绕过 Banksman' }).waitFor()
    expect(await wrongOn(chinese)).toEqual([])
    expect(await chinese.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    // Where the server's user keeps its files is nobody else's business.
    const approver = await open('approver')
    await approver.getByText('No MCP server yet').waitFor()
    expect(await approver.locator('.mcp-gaps').count()).toBe(0)
    const own = await setup.client('approver', 'ben')
    expect(await own.mcp.list()).toEqual({ items: [] })
  })

  it('is not taken for one that is, where its file can’t be read: that is said', async () => {
    writeFileSync(wrapped.file, '{')
    const page = await open('admin')
    await page.getByText("The file can't be read").first().waitFor()
  })

  it('does not keep the page from showing what is known', async () => {
    writeFileSync(join(environment.BANKSMAN_HOME, 'connections/mcp.json'), '{')
    const page = await open('admin')
    await page.getByText('could not be checked').waitFor()
    await page.getByText('No MCP server yet').waitFor()
  })
})
