/** A page as axe sees it. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What is wrong and matters, as `rule: element`. */
export async function wrongOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    interface Violation {
      id: string
      impact: string
      nodes: { html: string }[]
    }
    interface Axe {
      run(context: Document, options: object): Promise<{ violations: Violation[] }>
    }
    const { axe: looker } = window as unknown as { axe: Axe }
    // What passed isn't listed, and so isn't gathered.
    const { violations } = await looker.run(document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}
