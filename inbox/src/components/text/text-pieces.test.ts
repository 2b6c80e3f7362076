import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { directionRuns } from '../../../../src/display/text/right-to-left.ts'
import { nextPiece } from './text-pieces.ts'

function allPieces(text: string, length?: number) {
  const pieces: { raw: string; shown: string; spans: number }[] = []
  for (let from = 0; from < text.length; ) {
    const { spans, end } = nextPiece(text, from, length === undefined ? {} : { length })
    expect(end).toBeGreaterThan(from)
    pieces.push({
      raw: text.slice(from, end),
      shown: spans.map((span) => span.text).join(''),
      spans: spans.length,
    })
    from = end
  }
  return pieces
}

describe('a text in pieces', () => {
  it('P9: a megabyte comes whole, in pieces that a page can take', () => {
    const text = 'a line that is not very long\n'.repeat(40_000)
    const pieces = allPieces(text)
    expect(pieces.map(({ shown }) => shown).join('')).toBe(text)
    expect(pieces.length).toBeGreaterThan(20)
    expect(pieces.every(({ raw }) => raw.endsWith('\n') && raw.length <= 50_000)).toBe(true)
  })

  it('P9: a text of nothing but hidden characters comes in smaller pieces', () => {
    const pieces = allPieces('\u202e\u200b'.repeat(20_000))
    expect(Math.max(...pieces.map(({ spans }) => spans))).toBeLessThanOrEqual(4000)
    expect(pieces[0]!.shown).toContain('⟨U+202E RLO⟩')
  })

  it('P9: so does a text of nothing but words from right to left', () => {
    const text = '\u05d0 '.repeat(50_000)
    const pieces = allPieces(text)
    expect(pieces.map(({ shown }) => shown).join('')).toBe(text)
    expect(Math.max(...pieces.map(({ shown }) => directionRuns(shown).length))).toBeLessThanOrEqual(4000)
  })

  it('P9: our own marks are neither written out nor torn, and a text that looks like one is', () => {
    const mask = '⟨masked: GitHub token, 40 characters⟩'
    const text = `"${'x'.repeat(10)} ${mask}" "${mask}"`
    const start = text.indexOf(mask)
    const mark = { start, end: start + mask.length, span: { kind: 'mask' as const, text: mask } }
    const { spans, end } = nextPiece(text, 0, { length: 30, marks: [mark] })
    expect(end).toBe(mark.end)
    expect(spans.at(-1)).toEqual(mark.span)
    const rest = nextPiece(text, end, { marks: [mark] })
    expect(rest.spans.map((span) => span.text).join('')).toBe(
      '" "⟨U+27E8⟩masked: GitHub token, 40 characters⟩"',
    )
  })

  it('property: no character is lost, repeated or torn', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '😀', '中', '\u200b')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (units, length) => {
        const text = units.join('')
        const pieces = allPieces(text, length)
        expect(pieces.map(({ raw }) => raw).join('')).toBe(text)
        if (length > 1) expect(pieces.every(({ shown }) => !/U\+D[89A-F]/.test(shown))).toBe(true)
      }),
    )
  })
})
