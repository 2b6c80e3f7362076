/**
 * A real Chromium, found on this machine. `scripts/setup.mjs` installs it where it may. The one without windows of its own is the
 * same engine at two thirds of the time.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const CHROMIUM = CANDIDATES.find((path) => path !== undefined && existsSync(path))

/** With CI=true a missing browser is a failure; elsewhere the suite says loudly that it was skipped. */
export const skipBrowser = CHROMIUM === undefined && process.env.CI !== 'true'
if (skipBrowser)
  console.warn('\n!! No Chromium was found (CHROMIUM_PATH names one): the browser tests are SKIPPED !!\n')

export function launchBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined)
    throw new Error('no Chromium was found; install it, or name it in CHROMIUM_PATH')
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}
