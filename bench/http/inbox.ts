/**
 * The inbox in a real Chromium, with ten thousand requests waiting: how soon the list is there, how long a decision takes from
 * the click to the screen, also in the tenth of ten tabs, and how long the longest frame is while a thousand requests
 * arrive in ten seconds. The server is another process on SQLite with FULL; the browser, the server and who submits share
 * this machine. Of the ten tabs one is in front, and the others are hidden, as in anybody's browser.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { createClient } from '../../src/client/index.ts'
import type { ToolCall } from '../../src/core/call.ts'
import { benchFolder, inFlight } from '../bench-gateway.ts'
import { type Figure, figure } from '../measure.ts'
import { openTabbedBrowser } from './tabbed-browser.ts'

const PENDING = 10_000
const ARRIVALS = 1000
const ARRIVE_WITHIN_MS = 10_000
const DECISIONS = 10
const ARMED_MS = 700

interface Target {
  url: string
  agent: string
  person: string
}

interface Timings {
  longestFrameMs: number
  slowFrames: number
}

export async function benchInbox(rounds: number): Promise<Figure[]> {
  const folder = benchFolder()
  await build({ root: join(import.meta.dirname, '../../inbox'), mode: 'production', logLevel: 'error' })
  const { child, target } = await start(folder)
  try {
    await inFlight(32, PENDING, () => submit(target))
    const empty = await startEmptyPage()
    const emptyPage: number[] = []
    const firstRow: number[] = []
    const decisions: number[] = []
    const inTenth: number[] = []
    const frames: number[] = []
    const slow: number[] = []
    for (let round = 0; round < rounds; round++) {
      const { context, close } = await openTabbedBrowser()
      // The page keeps its key here; a login would be measured with it otherwise.
      await context.addInitScript((key) => localStorage.setItem('banksman.key', key), target.person)
      await context.addInitScript(watchThePage)
      const page = await context.newPage()
      await page.goto(empty.url)
      emptyPage.push(await page.evaluate(() => whenDrawn('.request-row')))
      await page.goto(target.url)
      firstRow.push(await page.evaluate(() => whenDrawn('.request-row')))
      // The rest of the list comes behind the first page of it.
      await page.waitForFunction((count) => document.title.startsWith(`(${count})`), waiting, {
        timeout: 60_000,
      })
      decisions.push(...(await decideSome(page)))
      inTenth.push(...(await decideInTenth(context, target)))
      await page.bringToFront()
      const { longestFrameMs, slowFrames } = await duringArrivals(page, target, `arriving-${round}`)
      frames.push(longestFrameMs)
      slow.push(slowFrames)
      await close()
      await endArrivals(target, `arriving-${round}`)
    }
    empty.close()
    return [
      figure('a page with one row and nothing else, in the same browser', 'ms', emptyPage),
      figure(`first paint of the list, ${PENDING.toLocaleString('en')} waiting`, 'ms', firstRow),
      figure('a decision, from the click until the result is on the screen', 'ms', decisions),
      figure('ten tabs open: the same in the tenth', 'ms', inTenth),
      figure(`longest frame while ${ARRIVALS} arrive in ${ARRIVE_WITHIN_MS / 1000} s`, 'ms', frames),
      figure('frames longer than 200 ms meanwhile', '', slow),
    ]
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many wait now. */
let waiting = 0
let calls = 0

async function submit({ url, agent }: Target, session = 'session'): Promise<void> {
  const n = calls++
  const call: ToolCall = {
    tool: 'Bash',
    arguments: { command: `mkdir -p build/release-${n} && cp package.json build/release-${n}` },
    callId: `call-${n}`,
    // No more than a hundred may wait in one.
    session: `${session}-${n % 160}`,
    agent: { name: `coder-${n % 160}`, parents: ['planner'] },
    cwd: '/srv/app',
  }
  await createClient({ url, token: agent }).submit(call)
  waiting++
}

async function decideSome(page: Page): Promise<number[]> {
  const took: number[] = []
  for (let count = 0; count < DECISIONS; count++) {
    // What has just appeared takes no clicks.
    await page.waitForTimeout(ARMED_MS)
    await page.locator('.request-row .row').first().click()
    await page.waitForSelector('article .buttons:not(.is-unarmed) .approve')
    took.push(
      await page.evaluate(async () => {
        const button = document.querySelector<HTMLElement>('article .buttons .approve')!
        const startedAt = performance.now()
        button.click()
        return (await whenDrawn('article .result')) - startedAt
      }),
    )
    waiting--
    await page.keyboard.press('Escape')
  }
  return took
}

/** Tabs of other pages between the first and the tenth, all of which hear of every change. */
const OTHER_TABS = ['chat', 'sessions', 'history', 'grants', 'policy', 'health', 'settings', 'pending']

async function decideInTenth(context: BrowserContext, { url }: Target): Promise<number[]> {
  const tabs: Page[] = []
  for (const place of [...OTHER_TABS, 'pending']) {
    const tab = await context.newPage()
    tabs.push(tab)
    await tab.goto(`${url}/#/${place}`)
    await tab.waitForFunction((count) => document.title.startsWith(`(${count})`), waiting, {
      timeout: 60_000,
    })
  }
  const took = await decideSome(tabs.at(-1)!)
  for (const tab of tabs) await tab.close()
  return took
}

async function duringArrivals(page: Page, target: Target, session: string): Promise<Timings> {
  await page.evaluate(watchFrames)
  const startedAt = performance.now()
  for (let count = 0; count < ARRIVALS; count++) {
    const due = startedAt + (count * ARRIVE_WITHIN_MS) / ARRIVALS
    const early = due - performance.now()
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    await submit(target, session)
  }
  await page.waitForFunction((count) => document.title.startsWith(`(${count})`), waiting, { timeout: 60_000 })
  return page.evaluate(() => timings())
}

async function start(folder: string): Promise<{ child: ChildProcess; target: Target }> {
  const script = join(import.meta.dirname, 'http-child.ts')
  const child = spawn(process.execPath, [script, 'banksman', folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const target = await new Promise<Target>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', (line) => resolve(JSON.parse(line) as Target))
    child.once('close', () => reject(new Error('the server ended')))
  })
  return { child, target }
}

/** What the browser and this machine take for any page at all. */
async function startEmptyPage(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Empty</title><p class="request-row">One row')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}

/** So that every round begins with as many. */
async function endArrivals({ url, person }: Target, session: string): Promise<void> {
  const client = createClient({ url, token: person })
  for (let n = 0; n < 160; n++) await client.endSession(`${session}-${n}`)
  waiting -= ARRIVALS
}

/** In the page: how long frames take. */
declare function timings(): Timings
/** In the page: when the frame that shows the first such element was drawn, counted from the beginning of the navigation. */
declare function whenDrawn(selector: string): Promise<number>

/** Asks for no frames: a page that does is drawn all the time, and takes the processor from what is measured. */
function watchThePage(): void {
  const seen: Timings = { longestFrameMs: 0, slowFrames: 0 }
  const drawn = new Map<string, number>()
  const FIRST = '.request-row'
  const whenDrawn = (selector: string) =>
    new Promise<number>((resolve) => {
      const known = drawn.get(selector)
      if (selector === FIRST && known !== undefined) return resolve(known)
      const laidOut = new ResizeObserver(() => {
        laidOut.disconnect()
        // Sizes are told when a frame is laid out, before it is drawn; a task that is made then runs when it is. Timers would come late.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          port1.close()
          drawn.set(selector, performance.now())
          resolve(performance.now())
        }
        port2.postMessage(0)
      })
      const look = () => {
        const found = document.querySelector(selector)
        if (found === null) return
        added.disconnect()
        laidOut.observe(found)
      }
      const added = new MutationObserver(look)
      added.observe(document, { childList: true, subtree: true })
      look()
    })
  Object.assign(globalThis, { timings: () => seen, whenDrawn })
  void whenDrawn(FIRST)
}

function watchFrames(): void {
  const seen = timings()
  let last = performance.now()
  const frame = (at: number) => {
    const took = at - last
    last = at
    seen.longestFrameMs = Math.max(seen.longestFrameMs, took)
    if (took > 200) seen.slowFrames++
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}
