/**
 * `npm run screenshots -- [folder]`: every page of the inbox, light and dark, on a desktop and on a phone, from a real server
 * with made-up work. Without a folder they go to `screenshots/`. `--readme` makes the three of the README anew.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { build } from 'vite'
import { parse } from 'yaml'
import { createClient, type WireRequest } from '../src/client/index.ts'
import { demonstrationAt } from '../src/server/demonstration.ts'
import { startServer } from '../src/server/start-server.ts'
import { trustFolder, writeTrusted } from '../src/server/trust.ts'
import { launchBrowser } from '../test/e2e/browser.ts'
import { makePast, type Shop } from './screenshots/past.ts'
import { makePresent } from './screenshots/present.ts'

const ROOT = join(import.meta.dirname, '..')
const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 860 }, locale: 'en-GB' },
  phone: {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
  'phone-zh': {
    viewport: { width: 390, height: 844 },
    locale: 'zh-CN',
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
}
/** In the README. */
const SHOWN = {
  'request-command-desktop-light': 'inbox',
  'request-edit-phone-dark': 'phone',
  'health-desktop-light': 'health',
}
/** Until what has just appeared takes clicks. */
const ARMED_MS = 700

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: 'boolean' } },
})
const out = resolve(positionals[0] ?? join(ROOT, 'screenshots'))
mkdirSync(out, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'banksman-screenshots-'))
try {
  await build({ root: join(ROOT, 'inbox'), mode: 'production', logLevel: 'error' })
  await takeAll()
  if (values.readme) {
    mkdirSync(join(ROOT, 'docs/images'), { recursive: true })
    for (const [shot, name] of Object.entries(SHOWN))
      copyFileSync(join(out, `${shot}.png`), join(ROOT, 'docs/images', `${name}.png`))
  }
  console.log(`screenshots are in ${out}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function takeAll(): Promise<void> {
  const shop = join(folder, 'shop')
  mkdirSync(shop)
  const configuration = join(shop, 'banksman.yaml')
  copyFileSync(join(ROOT, 'scripts/screenshots/banksman.yaml'), configuration)
  const text = readFileSync(configuration, 'utf8')
  const data = join(folder, 'data')
  const environment = { BANKSMAN_HOME: join(folder, 'home'), USER: 'ana' }
  writeTrusted(trustFolder(environment), configuration, text, 'ana', Date.now())
  mkdirSync(data, { mode: 0o700 })
  await makePast(join(data, 'banksman.db'), shop, parse(text) as Shop)
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data,
    configuration,
    environment,
    demonstration: demonstrationAt(data),
    report: ({ doing, error }) => console.error(doing, error),
    say: () => {},
  })
  const browser = await launchBrowser()
  try {
    const { url, gateway, self } = server
    const client = async (role: 'agent' | 'admin', subject: string) =>
      createClient({ url, token: (await gateway.tokens.create({ role, subject }, self)).secret })
    const ana = await client('admin', 'ana')
    const ben = await client('admin', 'ben')
    const requests = await makePresent(shop, await client('agent', 'agent-1'), ben)
    await ana.say('chat-weather', 'What is the weather in Hangzhou?')
    for (const [screen, options] of Object.entries(SCREENS)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ ...options, colorScheme })
        const page = await context.newPage()
        page.on('pageerror', (error) => console.error(`${screen}: ${error.message}`))
        const { secret } = await gateway.tokens.createLogin({ subject: 'ana', role: 'admin' }, self)
        await page.goto(url)
        await page.waitForSelector('.door')
        await shoot(page, 'login')
        await page.goto(`${url}/#login=${secret}`)
        await page.reload()
        await page.waitForSelector('.request-row')
        await tour(page, requests, (name) => shoot(page, name))
        await context.close()

        async function shoot(from: Page, name: string): Promise<void> {
          await from.waitForTimeout(ARMED_MS)
          await from.screenshot({ path: join(out, `${name}-${screen}-${colorScheme}.png`) })
        }
      }
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

async function tour(
  page: Page,
  requests: Record<string, WireRequest>,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  const go = (hash: string) => page.evaluate((to) => location.assign(to), hash)
  await shoot('pending')
  for (const [name, { id }] of Object.entries(requests)) {
    await go(`#/pending/${id}`)
    await page.waitForSelector('article')
    await shoot(`request-${name}`)
  }
  await go(`#/pending/${requests.mail!.id}`)
  await page.waitForTimeout(ARMED_MS)
  for (const [key, name] of [
    ['e', 'decide-edit'],
    ['r', 'decide-reject'],
    ['w', 'decide-respond'],
    ['t', 'decide-terminate'],
  ] as const) {
    await page.keyboard.press(key)
    await shoot(name)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(ARMED_MS)
  }
  await go(`#/pending/${requests.json!.id}`)
  await page.waitForTimeout(ARMED_MS)
  await page.keyboard.press('a')
  await shoot('decide-dangerous')
  await go('#/pending')
  await page.locator('.group .mark').first().click()
  await page.keyboard.press('A')
  await shoot('together')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await shoot('keys')
  await page.keyboard.press('Escape')
  await page.locator('.group .mark').first().click()
  for (const [hash, name] of [
    ['#/chat', 'chat'],
    ['#/chat/chat-weather', 'chat-open'],
    ['#/history', 'history'],
    ['#/history?tab=journal', 'journal'],
    ['#/grants', 'grants'],
    ['#/policy', 'policy'],
    ['#/health', 'health'],
    ['#/settings', 'settings'],
  ] as const) {
    await go(hash)
    await shoot(name)
  }
}
