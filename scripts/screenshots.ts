/**
 * `npm run screenshots -- [folder]`: every page of the inbox, light and dark, on a desktop and on a phone, from a real server
 * with made-up work. Without a folder they go to `screenshots/`. `--readme` makes the three of the README anew.
 * `--screen phone-zh-light` takes that screen only, and can be given again.
 * `--chats` draws the cards of chats instead, `--sessions` the page of coding sessions alone.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { build } from 'vite'
import { parse } from 'yaml'
import type { DecisionInput, WireRequest } from '../src/client/index.ts'
import { launchBrowser } from '../test/e2e/browser.ts'
import { SECRETARY, startEveryKind, writeCoder } from '../test/e2e/inbox/coding-sessions.ts'
import { connectClaudeCode } from '../test/e2e/inbox/connected-agents.ts'
import { type FullServer, openFullServer } from '../test/e2e/inbox/full-server.ts'
import { useMcpServers } from '../test/e2e/inbox/mcp-servers.ts'
import { recordWrappedMcp } from '../test/fixtures/wrapped-mcp.ts'
import { takeCards } from './screenshots/chats.ts'
import { makePast, type Shop } from './screenshots/past.ts'
import { makePresent } from './screenshots/present.ts'
import { tourSessions } from './screenshots/sessions.ts'

const ROOT = join(import.meta.dirname, '..')
const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 860 }, locale: 'en-GB' },
  'desktop-zh': { viewport: { width: 1280, height: 860 }, locale: 'zh-CN' },
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
/** In the README, and the screens that they are of. */
const SHOWN = {
  'request-command-desktop-light': 'inbox',
  'request-edit-phone-dark': 'phone',
  'health-desktop-light': 'health',
}
const SHOWN_SCREENS = ['desktop-light', 'phone-dark']
/** Until what has just appeared takes clicks. */
const ARMED_MS = 700
/** The answers of the open request, once they take clicks. */
const ANSWERS = '.buttons.answers:not(.is-unarmed)'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    readme: { type: 'boolean' },
    chats: { type: 'boolean' },
    sessions: { type: 'boolean' },
    screen: { type: 'string', multiple: true },
  },
})
const only = values.screen ?? (values.readme ? SHOWN_SCREENS : undefined)
const out = resolve(positionals[0] ?? join(ROOT, 'screenshots'))
mkdirSync(out, { recursive: true })
if (values.chats) await takeCards(out)
else {
  await build({ root: join(ROOT, 'inbox'), mode: 'production', logLevel: 'error' })
  await takeAll()
}
if (values.readme) {
  mkdirSync(join(ROOT, 'docs/images'), { recursive: true })
  for (const [shot, name] of Object.entries(SHOWN))
    copyFileSync(join(out, `${shot}.png`), join(ROOT, 'docs/images', `${name}.png`))
}
console.log(`screenshots are in ${out}`)

async function takeAll(): Promise<void> {
  const text = readFileSync(join(ROOT, 'scripts/screenshots/banksman.yaml'), 'utf8')
  const home = mkdtempSync(join(tmpdir(), 'banksman-home-'))
  const setup = await openFullServer({
    configuration: text + SECRETARY,
    environment: { HOME: home },
    before: (database, shop) => {
      writeCoder(shop)
      recordWrappedMcp({ HOME: home, BANKSMAN_HOME: join(shop, '../home') }, ['files']).lose([
        'files',
        'mail',
      ])
      return makePast(database, shop, parse(text) as Shop)
    },
  })
  const browser = await launchBrowser()
  try {
    const [agent, ana, ben] = await Promise.all([
      setup.client('agent', 'agent-1'),
      setup.client('admin', 'ana'),
      setup.client('admin', 'ben'),
    ])
    const requests = await makePresent(setup.shop, agent, [ben, ana])
    await ana.say('chat-weather', 'What is the weather in Hangzhou?')
    const sessions = await startEveryKind(ana)
    const [mcp = ''] = await useMcpServers(setup.server)
    sessions.connected = await useClaudeCode(setup)
    for (const [screen, options] of Object.entries(SCREENS)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        if (only?.includes(`${screen}-${colorScheme}`) === false) continue
        const context = await browser.newContext({ ...options, colorScheme })
        const page = await context.newPage()
        page.on('pageerror', (error) => console.error(`${screen}: ${error.message}`))
        const shoot = async (name: string) => {
          await page.waitForTimeout(ARMED_MS)
          await page.screenshot({ path: join(out, `${name}-${screen}-${colorScheme}.png`) })
        }
        await page.goto(setup.url)
        await page.waitForSelector('.door')
        await shoot('login')
        await page.goto('about:blank')
        await page.goto(await setup.link('ana', 'admin'))
        await page.waitForSelector('.request-row')
        if (!values.sessions) await tour(page, requests, shoot)
        if (!values.sessions) await tourMcp(page, mcp, shoot)
        await tourSessions(page, sessions, shoot)
        await context.close()
      }
    }
  } finally {
    await browser.close()
    await setup.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** A session of a connected agent that has read a file, was refused something, may do something, and waits. Gives its name. */
async function useClaudeCode({ server, shop, client }: FullServer): Promise<string> {
  const ana = await client('admin', 'ana')
  const agent = await connectClaudeCode(server, { cwd: join(shop, 'web') })
  const decide = async (command: string, decision: DecisionInput) => {
    const id = await agent.ask('Bash', { command })
    await ana.decide(id, { ...decision, digest: (await ana.get(id)).digest })
  }
  await agent.want('Read', { file_path: join(shop, 'web/total.ts') })
  await decide('git push --force', { decision: 'reject', digest: '', reason: 'Open a pull request instead.' })
  await decide('npm run deploy', { decision: 'approve', digest: '', scope: 'session' })
  await agent.ask('Bash', { command: 'npm publish --access public', description: 'Publish version 2.4' })
  return agent.session
}

async function tourMcp(page: Page, request: string, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.evaluate((id) => location.assign(`#/pending/${id}`), request)
  await page.waitForSelector('article')
  await shoot('request-mcp')
  await page.evaluate(() => location.assign('#/mcp'))
  await page.waitForSelector('.mcp-server')
  await shoot('mcp')
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
  await go(`#/pending/${requests.masked!.id}`)
  await page.waitForTimeout(ARMED_MS)
  const uncover = page.locator('.uncover button').first()
  if (await uncover.isVisible()) await uncover.click()
  await shoot('request-uncovered')
  await go(`#/pending/${requests.mail!.id}`)
  for (const [key, name] of [
    ['e', 'decide-edit'],
    ['r', 'decide-reject'],
    ['w', 'decide-respond'],
    ['t', 'decide-terminate'],
  ] as const) {
    await page.waitForSelector(ANSWERS)
    await page.keyboard.press(key)
    await page.waitForSelector('.decide .buttons.pair')
    await shoot(name)
    await page.keyboard.press('Escape')
  }
  await go(`#/pending/${requests.json!.id}`)
  await page.waitForSelector(ANSWERS)
  // Where the call is longer than the screen, the key reads on first.
  for (const step of [`${ANSWERS} > .approve`, '.restating']) {
    if ((await page.locator(step).count()) > 0) continue
    await page.keyboard.press('a')
    await page.waitForSelector(step)
    await page.waitForTimeout(ARMED_MS)
  }
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
