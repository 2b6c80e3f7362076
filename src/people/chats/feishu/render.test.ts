import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import type { Card } from '../card/card.ts'
import { readFeishuCard } from './fixtures/feishu-card.ts'
import { MAX_BODY_BYTES, renderFeishu } from './render.ts'

const HANDLE = 'AbCdEfGhIjKlMnOpQrStUv'
const EMPTY: Card = {
  locale: 'en',
  tone: 'pending',
  title: 't',
  mentions: [],
  parts: [],
  buttons: [],
  forms: [],
  inbox: undefined,
}

function seen(card: Partial<Card>) {
  const rendered = renderFeishu({ ...EMPTY, ...card })
  if ('tooLong' in rendered) return undefined
  const read = readFeishuCard(JSON.stringify(rendered.payload))
  if (typeof read === 'string') throw new Error(read)
  return read
}

const sent = (payload: object) =>
  JSON.stringify({
    receive_id: 'x'.repeat(64),
    msg_type: 'interactive',
    uuid: 'x'.repeat(50),
    content: JSON.stringify(payload),
  })

/** What is markup elsewhere in Feishu, or grows when it is written as JSON in JSON. */
const piece = fc.oneof(
  fc.constantFrom(
    '<at id=all></at>',
    '[a](https://x.org)',
    'https://x.org',
    '**b**',
    '"',
    '\\',
    '\n',
    '`',
    '中',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const text = fc
  .tuple(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 600 }))
  .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 20_000).toWellFormed())

describe('a card in Feishu', () => {
  it('P9: shows every text whole, or says that it is too long; nothing of it links or mentions', () => {
    fc.assert(
      fc.property(text, text, text, (action, words, label) => {
        const card: Partial<Card> = {
          title: label.slice(0, 200),
          parts: [
            { kind: 'code', label: 'Action', text: action },
            { kind: 'quote', label, text: words },
            { kind: 'words', text: words },
          ],
          buttons: [[{ label: label || 'a', style: 'primary', handle: HANDLE }]],
        }
        const read = seen(card)
        const rendered = renderFeishu({ ...EMPTY, ...card })
        if (read === undefined || 'tooLong' in rendered) return
        expect([read.mentions, read.links]).toEqual([[], []])
        const { title } = card
        const titles = [...title!].length > 60 ? [title, title] : [title]
        expect(read.text).toBe([...titles, 'Action', action, label, words, words].join('\n'))
        expect(Buffer.byteLength(sent(rendered.payload))).toBeLessThanOrEqual(MAX_BODY_BYTES)
      }),
      { numRuns: runs(150) },
    )
  })

  it('P9: the limit is that of the body that is sent: a quote counts as four characters, and one more is too long', () => {
    const isTaken = (length: number) =>
      seen({ parts: [{ kind: 'code', text: '"'.repeat(length) }] }) !== undefined
    let [fits, tooMany] = [1, MAX_BODY_BYTES]
    for (let step = 0; step < 20 && tooMany - fits > 1; step++) {
      const middle = Math.floor((fits + tooMany) / 2)
      if (isTaken(middle)) fits = middle
      else tooMany = middle
    }
    expect([isTaken(fits), isTaken(fits + 1)]).toEqual([true, false])
    expect(fits).toBeLessThan(MAX_BODY_BYTES / 4)
    expect(fits).toBeGreaterThan(MAX_BODY_BYTES / 4 - 300)
  })

  it('mentions approvers, and no account that is markup', () => {
    const mentions = ['ou_1', 'all></at><at id=ou_2', 'ou_3'].map((account) => ({ account, name: 'n' }))
    expect(seen({ mentions })?.mentions).toEqual(['ou_1', 'ou_3'])
  })

  it('a form has its fields and one button, which carries the handle twice', () => {
    const submit = { label: 'Submit', style: 'primary', handle: HANDLE } as const
    const fields = [
      { name: 'q0', label: 'Which?', isRequired: true, options: ['<at id=all></at>', 'b'], isMultiple: true },
      { name: 'q1', label: 'One?', isRequired: true, options: ['a'] },
      { name: 'q1_text', label: 'Why?', isRequired: false },
    ]
    const read = seen({ forms: [{ fields, submit }] })!
    expect(read.buttons).toEqual([{ label: 'Submit', handle: HANDLE, fields: ['q0', 'q1', 'q1_text'] }])
    const rendered = renderFeishu({ ...EMPTY, forms: [{ fields, submit }] })
    expect(JSON.stringify(rendered)).toContain(`"name":"${HANDLE}"`)
  })

  it('more elements than Feishu takes are too long', () => {
    const parts = Array.from({ length: 200 }, () => ({ kind: 'words', text: 'x' }) as const)
    expect([seen({ parts }), seen({ parts: parts.slice(0, 100) }) !== undefined]).toEqual([undefined, true])
  })
})
