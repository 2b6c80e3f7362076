/** The machine's own Chromium, for tests in a real browser. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const COMMANDS = ['chromium', 'google-chrome', 'chromium-browser']

/** Undefined where there is none. Says so loudly, since tests are then skipped; with `CI=true` it is a failure. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => COMMANDS.map((command) => join(folder, command)))
  const found = (named === undefined ? candidates : [named]).find(isProgram)
  if (found !== undefined) return found
  const missing = 'Chromium was not found: install it, or set CHROMIUM_PATH to it'
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`SKIPPED: the tests in a browser. ${missing}`)
  return undefined
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  // Root has no user namespaces to build a sandbox from; the pages are our own.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
