/**
 * A Chromium with a window of tabs, as people have it: one tab is in front, and the others are hidden and not drawn. What the tests
 * use shows every page at once. The tools of the browser are left at their defaults, since they would keep hidden tabs awake.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { until } from '../../test/fixtures/until.ts'
import { benchFolder } from '../bench-gateway.ts'

const WITH_WINDOWS = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
)

export interface TabbedBrowser {
  /** The one context whose tabs share a window. */
  context: BrowserContext
  close(): Promise<void>
}

export async function openTabbedBrowser(): Promise<TabbedBrowser> {
  if (WITH_WINDOWS === undefined)
    throw new Error('this needs a Chromium with windows: name it in CHROMIUM_PATH')
  const folder = benchFolder()
  const child = spawn(
    WITH_WINDOWS,
    [
      '--headless=new',
      '--no-sandbox',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--window-size=1280,900',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  const portFile = join(folder, 'DevToolsActivePort')
  await until(() => existsSync(portFile) && readFileSync(portFile, 'utf8').includes('\n'))
  const [port] = readFileSync(portFile, 'utf8').split('\n')
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true })
  return {
    context: browser.contexts()[0]!,
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      await browser.close()
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
