import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { readFeishuCard } from './feishu/fixtures/feishu-card.ts'
import { renderFeishuNotice } from './feishu/render.ts'
import { shownNotice } from './notices.ts'
import { readTelegramEntities } from './telegram/fixtures/telegram-html.ts'
import { renderTelegramNotice } from './telegram/render.ts'

const piece = fc.oneof(
  fc.constantFrom(
    '<b>',
    '</pre>',
    '<at id=all></at>',
    '[a](https://x.org)',
    'https://x.com',
    'x.me',
    '@ana',
    '#a',
    '/go',
    '**b**',
    '\n',
    '\u202e',
    '\u200b',
    '🎉',
    '中',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const text = fc
  .tuple(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 300 }))
  .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 20_000))

describe('a notice', () => {
  it('P9: fits every service; nothing of it links or mentions, and what is quoted is in its block and nowhere else', () => {
    fc.assert(
      fc.property(text, text, text, (title, detail, quoted) => {
        const shown = shownNotice({ sign: '✅', title: title || 't', detail, quoted }, 'en')
        const telegram = renderTelegramNotice(shown) as { text: string; entities: unknown }
        const read = readTelegramEntities(telegram.text, telegram.entities)
        expect([read === undefined, telegram.text.length <= 4096, telegram.text.isWellFormed()]).toEqual([
          false,
          true,
          true,
        ])
        expect(read!.entities.filter((entity) => !/^(?:bold|pre) /.test(entity))).toEqual([])
        const feishu = JSON.stringify(renderFeishuNotice(shown))
        const seen = readFeishuCard(feishu)
        if (typeof seen === 'string') throw new Error(seen)
        expect([seen.links, seen.mentions, seen.buttons]).toEqual([[], [], []])
        expect(seen.quoted.join('')).toBe(shown.quoted?.text ?? '')
        expect(Buffer.byteLength(JSON.stringify(feishu)) < 29_000).toBe(true)
      }),
      { numRuns: runs(200) },
    )
  })
})
