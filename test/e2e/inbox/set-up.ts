/** The inbox in a real browser, built as it is published and served by the real HTTP server on a real store, for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Client, createClient } from '../../../src/client/index.ts'
import type { ToolCall } from '../../../src/core/call.ts'
import { createStaticFiles } from '../../../src/http/static-files.ts'
import { createFakeClock } from '../../../src/testing/fake-clock.ts'
import type { WireRequest } from '../../../src/wire/types/request.ts'
import {
  type HttpGateway,
  type HttpGatewayOptions,
  openHttpGateway,
  type Who,
} from '../../fixtures/http-gateway.ts'
import { launchBrowser } from '../browser.ts'
import { pressUntil } from '../press-until.ts'

/** A browser on a busy machine is slow; what is wrong stays wrong that long. */
export const PATIENCE = { timeout: 60_000 }

export interface InboxTest {
  readonly http: HttpGateway
  readonly url: string
  readonly browser: Browser
  as(who: Who): Client
  /** Of a tool that nothing is known of, so that it is asked about as usual, unless another is named. */
  ask(args: ToolCall['arguments'], parts?: Partial<ToolCall>): Promise<WireRequest>
  /** A tab of somebody who is not logged in. */
  newTab(options?: BrowserContextOptions): Promise<Tab>
  /** A tab of somebody who is, with the list on it. */
  logIn(options?: BrowserContextOptions & { as?: 'ana' | 'ben' | 'eve' }): Promise<Tab>
}

export interface Tab {
  readonly page: Page
  /** Errors of the page, and what it wrote to its console as such. */
  readonly complaints: string[]
  /** The origins that it called. */
  readonly origins: Set<string>
  /** How many decisions it sent. */
  sent(): number
  row(text: string): ReturnType<Page['locator']>
  /** Opens a request by its row, and waits until it takes clicks. */
  open(text: string): Promise<void>
  armed(): Promise<void>
  /** Until what was opened is there: nothing is fetched, moves, or is too new to take clicks. */
  settled(): Promise<void>
  button(name: string | RegExp): ReturnType<Page['getByRole']>
  /** Goes to a page or a request as a link would. */
  go(hash: string): Promise<void>
  /** Presses it until that has had an effect: input in the first moments of what appears is ignored. */
  until(press: () => Promise<void>, isSo: () => Promise<boolean>): Promise<void>
}

/** `npm test` has just built the inbox. Elsewhere it is built here, from what the sources say now. */
async function builtInbox(): Promise<string> {
  const root = join(import.meta.dirname, '../../../inbox')
  if (process.env.BANKSMAN_BUILT === '1') return join(root, 'dist')
  const folder = mkdtempSync(join(tmpdir(), 'banksman-inbox-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({ root, mode: 'production', logLevel: 'error', build: { outDir: folder, emptyOutDir: true } })
  return folder
}

export function setUpInbox(options: () => HttpGatewayOptions = () => ({})): InboxTest {
  let folder: string
  let browser: Browser
  let http: HttpGateway
  let pages: Page[]

  beforeAll(async () => {
    folder = await builtInbox()
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    pages = []
    const { http: parts, setup, ...rest } = options()
    http = await openHttpGateway({
      ...rest,
      // It stands still where tests want it to, but begins with the browser's.
      setup: { clock: createFakeClock(Date.now()), ...setup },
      http: { inbox: createStaticFiles(folder), ...parts },
    })
  })
  afterEach(async () => {
    for (const page of pages) await page.context().close()
    await http.close()
  })

  const url = () => http.server.address.url
  const as = (who: Who) => createClient({ url: url(), token: http.tokens[who] })

  async function newTab(context: BrowserContextOptions = {}): Promise<Tab> {
    // Its worker answers what a test wants to hold up; tests of the worker itself have a server of their own.
    const opened = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block', ...context })
    const page = await opened.newPage()
    page.setDefaultTimeout(PATIENCE.timeout)
    pages.push(page)
    return tabOf(page)
  }

  return {
    get http() {
      return http
    },
    get url() {
      return url()
    },
    get browser() {
      return browser
    },
    as,
    ask: (args, parts = {}) => http.ask({ tool: 'note', arguments: args, ...parts }),
    newTab,
    async logIn({ as: who = 'ben', ...context } = {}) {
      const tab = await newTab(context)
      const role = who === 'ana' ? 'admin' : 'approver'
      const { code } = await as('ana').tokens.createLogin({ role, subject: who })
      await tab.page.goto(`${url()}/#login=${code}`)
      await tab.page.waitForSelector('#pending')
      return tab
    },
  }
}

/** An answer may lead to the next question, and what is drawn to something new: one quiet look is not enough. */
const QUIET_LOOKS = 3

/** In the page, when it has been drawn twice: then what a key or an answer has led to is there. */
async function isStillAfterDrawing(): Promise<boolean> {
  const drawn = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))
  await drawn()
  await drawn()
  const isMoving = document
    .getAnimations()
    .some(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations === 1)
  return !isMoving && document.querySelector('.is-unarmed, [aria-busy="true"]') === null
}

export function tabOf(page: Page): Tab {
  const complaints: string[] = []
  const origins = new Set<string>()
  const fetching = new Set<Request>()
  let sent = 0
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => {
    origins.add(new URL(request.url()).origin)
    if (request.method() === 'POST' && request.url().endsWith('/decisions')) sent++
    // A stream is never finished.
    if (request.headers().accept !== 'text/event-stream') fetching.add(request)
  })
  page.on('requestfinished', (request) => fetching.delete(request))
  page.on('requestfailed', (request) => fetching.delete(request))
  const row = (text: string) => page.locator('button.row', { hasText: text })
  const armed = async () => void (await page.waitForSelector('.buttons:not(.is-unarmed)'))
  return {
    page,
    complaints,
    origins,
    sent: () => sent,
    row,
    armed,
    async settled() {
      let quietLooks = 0
      while (quietLooks < QUIET_LOOKS) {
        const isStill = await page.evaluate(isStillAfterDrawing)
        quietLooks = isStill && fetching.size === 0 ? quietLooks + 1 : 0
      }
    },
    until: pressUntil,
    button: (name) => page.getByRole('button', { name, exact: typeof name === 'string' }),
    async open(text) {
      await row(text).first().waitFor()
      await pressUntil(
        () => row(text).first().click({ timeout: 2000 }),
        // Another one may be open already: the first opens by itself where there is room.
        async () => (await row(text).first().getAttribute('aria-current', { timeout: 2000 })) === 'true',
      )
      await page.waitForSelector('article')
      await armed()
    },
    async go(hash) {
      await page.evaluate((to) => location.assign(to), hash)
    },
  }
}
