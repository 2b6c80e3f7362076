/** Cards of every kind, drawn in a real browser from what the drivers send. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, skipBrowser } from '../e2e/browser.ts'
import { type CardCase, makeCardCases } from './card-cases.ts'
import { cardPage } from './draw-cards.ts'

let cases: CardCase[]
let browser: Browser
beforeAll(async () => {
  cases = await makeCardCases()
  if (!skipBrowser) browser = await launchBrowser()
})
afterAll(() => browser?.close())

interface Drawn {
  name: string
  text: string
  labels: string[]
  elements: string[]
  wide: string[]
  unseen: string[]
  /** Buttons stand below all that is to be read. */
  isBelow: boolean
}

async function draw(page: Page): Promise<Drawn[]> {
  await page.setContent(cardPage(cases))
  return page.$$eval('section', (sections) =>
    sections.map((section) => {
      const card = section.querySelector('.card') as HTMLElement
      const edge = card.getBoundingClientRect()
      const inside = [...card.querySelectorAll<HTMLElement>('*')]
      const buttons = [...card.querySelectorAll('button')]
      const read = [...card.querySelectorAll('pre, blockquote, .text, .grey')].map(
        (one) => one.getBoundingClientRect().bottom,
      )
      const tops = buttons.map((one) => one.getBoundingClientRect().top)
      return {
        name: section.dataset.name ?? '',
        text: card.innerText,
        labels: buttons.map(({ innerText }) => innerText),
        elements: [...new Set(inside.map(({ tagName }) => tagName.toLowerCase()))],
        wide: inside
          .filter((one) => {
            const { left, right } = one.getBoundingClientRect()
            return (
              left < edge.left - 1 ||
              right > edge.right + 1 ||
              (one.tagName !== 'BUTTON' && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
            )
          })
          .map(({ tagName, innerText }) => `${tagName} ${innerText.slice(0, 40)}`),
        unseen: buttons
          .filter((one) => one.getBoundingClientRect().height < 20 || one.getBoundingClientRect().width < 30)
          .map(({ innerText }) => innerText),
        isBelow:
          card.querySelector('.form') !== null ||
          Math.max(0, ...read) <= Math.min(...tops, Number.MAX_SAFE_INTEGER),
      }
    }),
  )
}

const inOrder = (text: string, parts: readonly string[]) => {
  const places = parts.map((part) => text.indexOf(part))
  return {
    missing: parts.filter((_, index) => places[index] === -1),
    isSorted: places.every((at, index) => index === 0 || at > places[index - 1]!),
  }
}

describe.skipIf(skipBrowser)('cards, drawn', () => {
  it.each([
    ['a phone', 360, 'light'],
    ['a phone in the dark', 360, 'dark'],
    ['a desktop', 1280, 'light'],
  ] as const)(
    'P9: on %s nothing leaves its card, and buttons are below what is to be read',
    async (_, width, colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
      const drawn = await draw(page)
      expect(drawn).toHaveLength(cases.length)
      expect(drawn.flatMap(({ name, wide }) => wide.map((one) => `${name}: ${one}`))).toEqual([])
      expect(drawn.flatMap(({ name, unseen }) => unseen.map((one) => `${name}: ${one}`))).toEqual([])
      expect(drawn.filter(({ isBelow }) => !isBelow).map(({ name }) => name)).toEqual([])
      await page.close()
    },
  )

  it('P9: each says who wants what, the whole action, the agent’s words as such, the risk with its cause and the deadline, in that order', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
    const drawn = new Map((await draw(page)).map((one) => [one.name, one]))
    const orders = {
      en: [
        'coder wants to run a command',
        'npm test && git push origin main',
        'unverified',
        'tests are green',
        'High risk: ',
        'Answer by',
      ],
      zh: ['coder', 'npm test && git push origin main', '未经核实', 'tests are green', '高风险：', '前答复'],
    }
    const labels = {
      en: { yes: 'Approve', no: 'Reject' },
      zh: { yes: '批准', no: '拒绝' },
    }
    for (const service of ['telegram', 'feishu'])
      for (const locale of ['en', 'zh'] as const) {
        const of = (name: string) => drawn.get(`${service} ${locale} ${name}`)!
        expect(inOrder(of('command').text, orders[locale])).toEqual({ missing: [], isSorted: true })
        const { yes, no } = labels[locale]
        expect(of('command').labels.slice(0, 2)).toEqual([yes, no])
        expect(of('long command').labels).not.toContain(yes)
        // 9,000 characters fit a card of Feishu whole, and none of Telegram's.
        expect(of('hostile and long').labels.includes(yes)).toBe(service === 'feishu')
        for (const name of ['write', 'high risk', 'quorum with votes'])
          expect(of(name).labels.slice(0, 2)).toEqual([yes, no])
        for (const name of ['approved', 'rejected with reason', 'cancelled', 'done', 'expired', 'flood'])
          expect(of(name).labels).toHaveLength(1)
        expect(of('question').labels.slice(0, 2)).toEqual(['1. staging', '2. preview'])
      }
    await page.close()
  })

  it('P9: hostile text is text: it makes no element, and everything of it is seen', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
    const allowed = {
      telegram: ['div', 'b', 'pre', 'blockquote', 'button'],
      feishu: ['header', 'div', 'button', 'label', 'input'],
    }
    for (const { name, elements, text } of await draw(page)) {
      const [service] = name.split(' ') as ['telegram' | 'feishu']
      expect([name, elements.filter((one) => !allowed[service].includes(one))]).toEqual([name, []])
      expect([name, /[\u202a-\u202e\u2066-\u2069\u200b]/.test(text)]).toEqual([name, false])
    }
    await page.close()
  })
})
