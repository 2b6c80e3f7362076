import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeVisible } from '../../../../src/display/text/visible.ts'
import { fold } from './fold.ts'

const ROOM = { characters: 60, lines: 6 }
const spansOf = (text: string) => makeVisible(text, { lines: 'keep' }).spans
const join = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('')

describe('fold', () => {
  it('leaves alone what fits, and what is only a little longer', () => {
    expect(fold(spansOf('x'.repeat(60)), ROOM)).toBeUndefined()
    expect(fold(spansOf('x'.repeat(70)), ROOM)).toBeUndefined()
    expect(fold(spansOf('a\nb\nc\nd\ne\nf'), ROOM)).toBeUndefined()
  })

  it('keeps the beginning and the end of a long line and counts the rest', () => {
    const folded = fold(spansOf(`${'a'.repeat(40)}${'b'.repeat(900)}${'c'.repeat(20)}`), ROOM)
    expect(folded).toMatchObject({ characters: 900, lines: 0 })
    expect(join(folded!.head)).toBe('a'.repeat(40))
    expect(join(folded!.tail)).toBe('c'.repeat(20))
  })

  it('folds whole lines where there are many', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}`)
    const folded = fold(spansOf(lines.join('\n')), ROOM)
    expect(join(folded!.head)).toBe('0\n1\n2\n3\n')
    expect(join(folded!.tail)).toBe('18\n19')
    expect(folded!.lines).toBe(14)
  })

  it('P9: never cuts an escape or a character in two', () => {
    const folded = fold(spansOf(`${'😀'.repeat(500)}`), { characters: 31, lines: 6 })
    expect(join(folded!.head)).toMatch(/^(?:😀)+$/u)
    expect(join(folded!.tail)).toMatch(/^(?:😀)+$/u)
    const hidden = fold(spansOf('a\u202e'.repeat(300)), { characters: 33, lines: 6 })
    for (const { kind, text } of [...hidden!.head, ...hidden!.middle, ...hidden!.tail]) {
      if (kind === 'escape') expect(text).toBe('⟨U+202E RLO⟩')
    }
  })

  it('P9: a mark of what is not there at all is not folded away', () => {
    const mark = { kind: 'left-out' as const, text: '⟨… 996,500 characters left out⟩' }
    const lines = spansOf('line\n'.repeat(40))
    expect(fold([...lines, mark, ...lines], ROOM)?.leftOut).toEqual([mark])
    expect(fold(lines, ROOM)?.leftOut).toEqual([])
  })

  it('property: P9: head, middle and tail together say exactly what was there', () => {
    const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\u200b', '😀', 'pаy', ' '), { maxLength: 200 })
    const room = fc.record({
      characters: fc.integer({ min: 1, max: 90 }),
      lines: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(text, room, (parts, given) => {
        const spans = spansOf(parts.join(''))
        const folded = fold(spans, given)
        if (folded === undefined) return
        expect(join([...folded.head, ...folded.middle, ...folded.tail])).toBe(join(spans))
        expect(folded.characters).toBeGreaterThan(0)
      }),
    )
  })
})
