/** P9: words from right to left do not change the order of what stands around them, wherever a call is shown. */
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { skipBrowser } from '../browser.ts'
import { setUpInbox } from './set-up.ts'

const ALEF = '\u05d0\u05dc\u05e3'
const BET = '\u05d1\u05d9\u05ea'
const REDIRECT = `cat ${ALEF} > ${BET}`
const AMOUNT = `pay ${ALEF} 100 > 5`
const ARABIC = 'echo \u0661 > \u0662 \u062d\u0633\u0627\u0628\u0661 = 7'

describe.skipIf(skipBrowser)('the inbox and writing from right to left', () => {
  const inbox = setUpInbox()

  it('P9: in the list, a command, a field, a tree and a difference it keeps the order of words and signs', async () => {
    const tab = await inbox.logIn()
    const { page } = tab
    for (const text of [REDIRECT, AMOUNT, ARABIC]) {
      const shell = await inbox.ask({ command: text }, { tool: 'Bash' })
      const other = await inbox.ask({ title: text, tree: { [text]: [{ deep: text }] } })
      const edit = await inbox.ask({ path: 'a', old_string: `${text} old`, new_string: `${text} new` })
      await page.locator(`[data-id="${shell.id}"]`).waitFor()
      await expectInOrder(page.locator(`[data-id="${shell.id}"] .row-title`), text)
      await tab.go(`#/pending/${shell.id}`)
      await expectInOrder(page.locator('article pre.call').first(), text)
      await tab.go(`#/pending/${other.id}`)
      await expectInOrder(page.locator('article .fields dd').first(), text)
      await expectInOrder(page.locator('article .tree-key', { hasText: text.slice(0, 3) }).first(), text)
      await expectInOrder(page.locator('article .tree-string').first(), text)
      await tab.go(`#/pending/${edit.id}`)
      await expectInOrder(page.locator('article .diff-row.is-removed code').first(), text)
      await expectInOrder(page.locator('article .diff-row.is-added code').first(), text)
    }
    expect(tab.complaints).toEqual([])
  })

  it('P9: and in the history, with nothing lost or doubled', async () => {
    const tab = await inbox.logIn()
    const { id, digest } = await inbox.ask({ command: REDIRECT }, { tool: 'Bash' })
    await inbox.as('ben').decide(id, { decision: 'reject', digest, reason: AMOUNT })
    await tab.go('#/history')
    await expectInOrder(tab.page.locator('#app .row-title').first(), REDIRECT)
  })
})

/** The words that the text has, from left to right as they are drawn, are those that it has, one after another. */
async function expectInOrder(shown: Locator, text: string): Promise<void> {
  await shown.waitFor()
  const { content, drawn } = await shown.evaluate((element, wanted) => {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const whole = element.textContent ?? ''
    const from = whole.indexOf(wanted)
    const boxes: { at: number; left: number; top: number; isBlank: boolean }[] = []
    let at = 0
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      const length = node.textContent?.length ?? 0
      for (let index = 0; index < length; index++) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + 1)
        const box = range.getClientRects()[0]
        const isBlank = whole[at + index] === ' '
        if (box !== undefined) boxes.push({ at: at + index - from, left: box.left, top: box.top, isBlank })
      }
      at += length
    }
    const inside = boxes.filter((box) => box.at >= 0 && box.at < wanted.length && !box.isBlank)
    inside.sort((one, other) => one.top - other.top || one.left - other.left)
    return { content: whole, drawn: inside.map((box) => box.at) }
  }, text)
  expect(content.split(text)).toHaveLength(2)
  const wordOf = text.split(' ').flatMap((word, index) => [...Array<number>(word.length).fill(index), BLANK])
  expect(drawn.map((at) => wordOf[at])).toEqual(wordOf.filter((word) => word !== BLANK))
}

const BLANK = -1
