/** `npm run screenshots -- --chats [folder]`: cards of every kind as the chat services would draw them, on sheets. */
import { join } from 'node:path'
import { makeCardCases } from '../../test/chats/card-cases.ts'
import { cardPage } from '../../test/chats/draw-cards.ts'
import { launchBrowser } from '../../test/e2e/browser.ts'

const SCREENS = {
  'phone-light': { width: 360, colorScheme: 'light' },
  'phone-dark': { width: 360, colorScheme: 'dark' },
  desktop: { width: 600, colorScheme: 'light' },
} as const
const SHEET = { width: 1500, height: 900 }
const CARDS_A_SHEET = 8

export async function takeCards(folder: string): Promise<void> {
  const cases = await makeCardCases()
  const browser = await launchBrowser()
  try {
    for (const [screen, { width, colorScheme }] of Object.entries(SCREENS)) {
      const page = await browser.newPage({ viewport: SHEET, colorScheme })
      for (const service of ['telegram', 'feishu'] as const) {
        for (const locale of ['en', 'zh'] as const) {
          const own = cases.filter((one) => one.service === service && one.locale === locale)
          for (let from = 0; from < own.length; from += CARDS_A_SHEET) {
            await page.setContent(cardPage(own.slice(from, from + CARDS_A_SHEET), width))
            const path = join(folder, `${service}-${locale}-${screen}-${from / CARDS_A_SHEET + 1}.png`)
            await page.screenshot({ path, fullPage: true })
          }
        }
      }
      await page.close()
    }
  } finally {
    await browser.close()
  }
}
