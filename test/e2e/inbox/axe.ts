/** A page as axe sees it. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What is wrong and matters, as `rule: element`. */
export async function wrongOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    interface Violation {
      id: string
      impact: string
      nodes: { html: string }[]
    }
    const { axe: looker } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    const { violations } = await looker.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}
